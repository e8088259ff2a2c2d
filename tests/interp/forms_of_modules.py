"""Forms of modules in modules."""

# ruff: noqa: E501 - a program a line

from __future__ import annotations

from forms import CHILD, FORMS, HEAD, form

DECO = """def deco(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper


"""


form("forward_deco", "x = x + 1", before=DECO)
FORMS["forward_deco"] = (
    HEAD
    + DECO
    + """class Net(nn.Module):
    @deco
    def forward(self, x):
        got = EXPR  # here
        return x + 1
"""
)
FORMS["super_forward"] = (
    HEAD
    + """class Base(nn.Module):
    def forward(self, x):
        got = EXPR  # here
        return x + 1


class Net(Base):
    def forward(self, x):
        return super().forward(x) + 1
"""
)
FORMS["template_method"] = (
    HEAD
    + """class Base(nn.Module):
    def forward(self, x):
        return self.step(x)

    def step(self, x):
        raise NotImplementedError


class Net(Base):
    def step(self, x):
        got = EXPR  # here
        return x + 1
"""
)
FORMS["mixin"] = (
    HEAD
    + """class Mixin:
    def step(self, x):
        got = EXPR  # here
        return x + 1


class Net(Mixin, nn.Module):
    def forward(self, x):
        return self.step(x)
"""
)
FORMS["forward_assign"] = (
    HEAD
    + """class Net(nn.Module):
    def step(self, x):
        got = EXPR  # here
        return x + 1

    forward = step
"""
)
FORMS["seq_self"] = (
    HEAD
    + CHILD
    + """class Net(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(8, 8), Child())
"""
)
form("child", "x = self.c(x)", "self.c = Child()", before=CHILD)
form("child_forward", "x = self.c.forward(x)", "self.c = Child()", before=CHILD)
form("sequential", "x = self.c(x)", "self.c = nn.Sequential(nn.Linear(8, 8), Child())", before=CHILD)
form(
    "sequential_star",
    "x = self.c(x)",
    "layers = []\nfor i in range(2):\n    layers.append(Child())\nself.c = nn.Sequential(*layers)",
    before=CHILD,
)
form(
    "sequential_od",
    "x = self.c(x)",
    "self.c = nn.Sequential(collections.OrderedDict([('a', Child()), ('b', nn.ReLU())]))",
    before=CHILD,
)
form("sequential_add", "x = self.c(x)", "self.c = nn.Sequential()\nself.c.add_module('a', Child())", before=CHILD)
form(
    "sequential_iter",
    "for layer in self.c:\n    x = layer(x)",
    "self.c = nn.Sequential(Child(), nn.ReLU())",
    before=CHILD,
)
form("sequential_idx", "x = self.c[0](x)", "self.c = nn.Sequential(Child(), nn.ReLU())", before=CHILD)
form(
    "modulelist",
    "for layer in self.c:\n    x = layer(x)",
    "self.c = nn.ModuleList([Child() for _ in range(2)])",
    before=CHILD,
)
form("modulelist_idx", "x = self.c[1](x)", "self.c = nn.ModuleList([nn.ReLU(), Child()])", before=CHILD)
form(
    "modulelist_loop_idx",
    "for i in range(len(self.c)):\n    x = self.c[i](x)",
    "self.c = nn.ModuleList()\nfor i in range(2):\n    self.c.append(Child())",
    before=CHILD,
)
form(
    "modulelist_enum",
    "for i, layer in enumerate(self.c):\n    x = layer(x)",
    "self.c = nn.ModuleList([Child()])\nself.c.extend([Child()])",
    before=CHILD,
)
form(
    "modulelist_zip",
    "for layer, k in zip(self.c, range(2)):\n    x = layer(x) + k",
    "self.c = nn.ModuleList(Child() for _ in range(2))",
    before=CHILD,
)
form(
    "modulelist_slice",
    "for layer in self.c[1:]:\n    x = layer(x)",
    "self.c = nn.ModuleList([Child(), Child()])",
    before=CHILD,
)
form("moduledict", "x = self.c['a'](x)", "self.c = nn.ModuleDict({'a': Child()})", before=CHILD)
form(
    "moduledict_items",
    "for k, layer in self.c.items():\n    x = layer(x)",
    "self.c = nn.ModuleDict()\nself.c['a'] = Child()",
    before=CHILD,
)
form(
    "moduledict_values",
    "for layer in self.c.values():\n    x = layer(x)",
    "self.c = nn.ModuleDict(dict(a=Child()))",
    before=CHILD,
)
form(
    "moduledict_nested",
    "x = self.c['a'][0](x)",
    "self.c = nn.ModuleDict({'a': nn.ModuleList([Child()])})",
    before=CHILD,
)
form("children", "for layer in self.c.children():\n    x = layer(x)", "self.c = nn.Sequential(Child())", before=CHILD)
form("modules_private", "x = self._modules['c'](x)", "self.c = Child()", before=CHILD)
form("add_module", "x = self.c(x)", "self.add_module('c', Child())", before=CHILD)
form(
    "add_module_f",
    "for i in range(2):\n    x = getattr(self, f'c{i}')(x)",
    "for i in range(2):\n    self.add_module(f'c{i}', Child())",
    before=CHILD,
)
form(
    "setattr_f",
    "for i in range(2):\n    x = getattr(self, f'c{i}')(x)",
    "for i in range(2):\n    setattr(self, f'c{i}', Child())",
    before=CHILD,
)
form(
    "child_arg",
    "x = self.c(x)",
    "self.c = build(Child)",
    before=CHILD + "def build(cls, **kw):\n    return cls(**kw)\n\n\n",
)
form(
    "child_default",
    "x = self.c.inner(x)",
    "self.c = Outer()",
    before=CHILD
    + "class Outer(nn.Module):\n    def __init__(self, layer=Child):\n        super().__init__()\n        self.inner = layer()\n\n\n",
)
form(
    "child_none",
    "x = self.c.inner(x)",
    "self.c = Outer()",
    before=CHILD
    + "class Outer(nn.Module):\n    def __init__(self, layer=None):\n        super().__init__()\n        layer = layer or Child\n        self.inner = layer()\n\n\n",
)
form("child_table", "x = self.c(x)", "self.c = TABLE['a']()", before=CHILD + "TABLE = {'a': Child, 'b': nn.ReLU}\n\n\n")
form("child_if", "if self.c is not None:\n    x = self.c(x)", "self.c = Child()", before=CHILD)
form("child_method", "x = self.c.work(x)", "self.c = Child()", before=CHILD.replace("forward", "work"))
form(
    "fwd_hook",
    "x = self.c(x)",
    "self.c = nn.Linear(8, 8)\nself.c.register_forward_hook(self.hook)",
    extra="    def hook(self, module, args, x):\n        got = EXPR  # here\n",
)
form(
    "pre_hook",
    "x = self.c(x)",
    "self.c = nn.Linear(8, 8)\nself.c.register_forward_pre_hook(self.hook)",
    extra="    def hook(self, module, args):\n        x = args[0]\n        got = EXPR  # here\n",
)
form("modules_apply", "x = self.c(x)", "self.c = nn.Sequential(*[Child()] * 2)", before=CHILD)
form(
    "stored_closure_arg",
    "x = self.c(x)",
    "self.c = Wrap(lambda x: (EXPR, x)[1])  # here",
    before="""class Wrap(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x) + 1


""",
)
form(
    "stored_module_arg",
    "x = self.c(x)",
    "self.c = Wrap(Child())",
    before=CHILD
    + """class Wrap(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


""",
)
