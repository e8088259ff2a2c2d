"""Forms of objects and of what they answer to."""

from __future__ import annotations

from forms import HELPER, METHOD, PLAIN, form

DECO = """def deco(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper


"""


form("method", "x = self.work(x)", extra=METHOD)
form(
    "property",
    "x = self.work",
    extra="""    @property
    def work(self):
        x = self.lin.weight
        got = EXPR  # here
        return x + 1
""",
)
form("staticmethod", "x = self.work(x)", extra="    @staticmethod\n" + METHOD.replace("self, ", ""))
form("classmethod", "x = self.work(x)", extra="    @classmethod\n" + METHOD.replace("self", "cls"))
form("classmethod_of_class", "x = Net.work(x)", extra="    @classmethod\n" + METHOD.replace("self", "cls"))
form("class_fn", "x = Net.work(self, x)", extra=METHOD)
form("bound_alias", "f = self.work\nx = f(x)", extra=METHOD)
form("bound_attr", "x = self.f(x)", "self.f = self.work", extra=METHOD)
form("class_attr_fn", "x = self.f(x)", before=HELPER, extra="    f = staticmethod(helper)\n")
form("class_attr_lambda", "x = self.f(x)[1]", extra="    f = lambda self, x: (EXPR, x)  # here\n")
form("dunder_call", "x = Plain()(x)", before=PLAIN)
form("dunder_call_attr", "x = self.p(x)", "self.p = Plain()", before=PLAIN)
form("dunder_getitem", "x = Plain()[x]", before=PLAIN.replace("__call__", "__getitem__"))
form("dunder_add", "x = Plain() + x", before=PLAIN.replace("__call__", "__add__"))
form(
    "dunder_radd",
    "x = 1 + Plain(x)",
    before="""class Plain:
    def __init__(self, x):
        self.x = x

    def __radd__(self, other):
        x = self.x
        got = EXPR  # here
        return x + 1


""",
)
form(
    "dunder_enter",
    "with Plain(x) as x:\n    x = x + 1",
    before="""class Plain:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        x = self.x
        got = EXPR  # here
        return x + 1

    def __exit__(self, *args):
        return None


""",
)
form(
    "dunder_iter",
    "for x in Plain(x):\n    x = x + 1",
    before="""class Plain:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        x = self.x
        got = EXPR  # here
        return iter([x + 1, x])


""",
)
form(
    "dunder_len",
    "x = x + len(Plain(x))",
    before="""class Plain:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        x = self.x
        got = EXPR  # here
        return 2


""",
)
form(
    "plain_init",
    "x = Plain(x).x",
    before="""class Plain:
    def __init__(self, x):
        got = EXPR  # here
        self.x = x


""",
)
form(
    "post_init",
    "x = Plain(x).x",
    before="""@dataclasses.dataclass
class Plain:
    x: torch.Tensor

    def __post_init__(self):
        x = self.x
        got = EXPR  # here


""",
)
form(
    "dataclass_field",
    "x = Plain(x).x\ngot = EXPR  # here",
    before="""@dataclasses.dataclass
class Plain:
    x: torch.Tensor


""",
)
form(
    "dataclass_method",
    "x = Plain(x).work()",
    before="""@dataclasses.dataclass
class Plain:
    x: torch.Tensor

    def work(self):
        x = self.x
        got = EXPR  # here
        return x + 1


""",
)
form(
    "namedtuple_field",
    "x = Pair(x, 1).x\ngot = EXPR  # here",
    before="""class Pair(typing.NamedTuple):
    x: torch.Tensor
    n: int


""",
)
form(
    "namedtuple_unpack",
    "x, n = Pair(x, 1)\ngot = EXPR  # here",
    before="""Pair = collections.namedtuple("Pair", "x n")


""",
)
form("wraps_method", "x = self.work(x)", before=DECO, extra="    @deco\n" + METHOD)
form(
    "class_decorator",
    "x = helper(x)",
    before="""class Deco:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, x):
        got = EXPR  # here
        return self.fn(x)


@Deco
def helper(x):
    return x + 1


""",
)
form("checkpoint_method", "x = checkpoint(self.work, x, use_reentrant=False)", extra=METHOD)
form(
    "autograd_fn",
    "x = Fn.apply(x)",
    before="""class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        got = EXPR  # here
        return x + 1

    @staticmethod
    def backward(ctx, g):
        return g


""",
)
form(
    "staticmethod_plain",
    "x = Tools.work(x)",
    before="""class Tools:
    @staticmethod
    def work(x):
        got = EXPR  # here
        return x + 1


""",
)
