"""Forms of functions and of their calls."""

# ruff: noqa: E501 - a program a line

from __future__ import annotations

from forms import HELPER, METHOD, form

DECO = """def deco(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper


"""


form("nested", "def inner():\n    got = EXPR  # here\n    return x\nx = inner()")
form("nested_arg", "def inner(x):\n    got = EXPR  # here\n    return x\nx = inner(x)")
form("lambda", "f = lambda x: (EXPR, x)  # here\nx = f(x)[1]")
form("lambda_now", "x = (lambda x: (EXPR, x))(x)[1]  # here")
form("helper", "x = helper(x)", before=HELPER)
form("helper_kw", "x = helper(x=x)", before=HELPER)
form("helper_star", "x = helper(*(x,))", before=HELPER)
form("helper_kwstar", "x = helper(**{'x': x})", before=HELPER)
form(
    "helper_varargs", "x = helper(1, x)", before=HELPER.replace("def helper(x):", "def helper(*args):\n    x = args[1]")
)
form("helper_varkw", "x = helper(x=x)", before=HELPER.replace("def helper(x):", "def helper(**kw):\n    x = kw['x']"))
form("partial", "x = functools.partial(helper)(x)", before=HELPER)
form("partial_attr", "x = self.f(x)", "self.f = functools.partial(helper)", before=HELPER)
form("default_fn", "x = other(x)", before=HELPER + "def other(x, f=helper):\n    return f(x)\n\n\n")
form("fn_arg", "x = other(helper, x)", before=HELPER + "def other(f, x):\n    return f(x)\n\n\n")
form("fn_attr", "x = self.f(x)", "self.f = helper", before=HELPER)
form("fn_dict", "x = TABLE['a'](x)", before=HELPER + "TABLE = {'a': helper}\n\n\n")
form("fn_dict_get", "x = TABLE.get('a')(x)", before=HELPER + "TABLE = {'a': helper}\n\n\n")
form(
    "fn_dict_key",
    "x = TABLE[self.key](x)",
    "self.key = 'a'",
    before=HELPER + "TABLE = {'a': helper, 'b': F.relu}\n\n\n",
)
form("fn_list", "for f in STEPS:\n    x = f(x)", before=HELPER + "STEPS = [F.relu, helper]\n\n\n")
form("tuple_ret", "x, y = self.work(x)\ngot = EXPR  # here", extra="    def work(self, x):\n        return x, x\n")
form("map", "a = list(map(helper, [x, x]))\nx = a[0]", before=HELPER)
form("map_lambda", "a = list(map(lambda x: (EXPR, x)[1], [x, x]))  # here\nx = a[0]")
form("reduce", "x = functools.reduce(helper, [x, x])", before=HELPER.replace("def helper(x):", "def helper(x, y):"))
form("sorted_key", "a = sorted([1, 2], key=lambda k: (EXPR, k)[1])  # here")
form(
    "generator",
    "for y in gen(x):\n    x = x + y",
    before="""def gen(x):
    got = EXPR  # here
    yield x


""",
)
form(
    "generator_list",
    "x = list(gen(x))[0]",
    before="""def gen(x):
    got = EXPR  # here
    yield x


""",
)
form(
    "contextmanager",
    "with scope(x):\n    x = x + 1",
    before="""@contextlib.contextmanager
def scope(x):
    got = EXPR  # here
    yield


""",
)
form(
    "closure_factory",
    "x = make()(x)",
    before="""def make():
    def inner(x):
        got = EXPR  # here
        return x + 1
    return inner


""",
)
form(
    "factory_attr",
    "x = self.f(x)",
    "self.f = make()",
    before="""def make():
    def inner(x):
        got = EXPR  # here
        return x + 1
    return inner


""",
)
form("wraps", "x = helper(x)", before=DECO + "@deco\n" + HELPER)
form("nowraps", "x = helper(x)", before=DECO.replace("    @functools.wraps(fn)\n", "") + "@deco\n" + HELPER)
form(
    "wrapper_breaks",
    "x = helper(x)",
    before="""def deco(fn):
    @functools.wraps(fn)
    def wrapper(x):
        got = EXPR  # here
        return fn(x)
    return wrapper


@deco
def helper(x):
    return x + 1


""",
)
form(
    "wrapper_args",
    "x = self.work(x)",
    before="""def deco(arg=None):
    def outer(fn):
        def wrapper(self, x):
            got = EXPR  # here
            return fn(self, x)
        return wrapper
    return outer


""",
    extra="    @deco(arg=1)\n    def work(self, x):\n        return x + 1\n",
)
form("no_grad_deco", "x = self.work(x)", extra="    @torch.no_grad()\n" + METHOD)
form("checkpoint", "x = checkpoint(helper, x, use_reentrant=False)", before=HELPER)
form("call_kw", "x = other(x, y=EXPR)  # here", before="def other(x, y):\n    return x + 1\n\n\n")
form("call_default_eval", "x = other(x, EXPR)  # here", before="def other(x, *args):\n    return x + 1\n\n\n")
form(
    "annot_tensor",
    "x = self.work(1, x)",
    extra="    def work(self, n, x: torch.Tensor) -> torch.Tensor:\n        got = EXPR  # here\n        return x + 1\n",
)
form(
    "optional",
    "x = self.work(x)",
    extra="    def work(self, x=None):\n        if x is None:\n            x = torch.ones(4, 8)\n        got = EXPR  # here\n        return x + 1\n",
)
form("singledispatch", "x = helper(x)", before="@functools.singledispatch\n" + HELPER)
form(
    "recursion",
    "x = self.work(x, 2)",
    extra="""    def work(self, x, n):
        if n > 0:
            return self.work(x, n - 1)
        got = EXPR  # here
        return x + 1
""",
)
form("nonlocal", "def inner():\n    nonlocal x\n    x = x + 1\ninner()\ngot = EXPR  # here")
