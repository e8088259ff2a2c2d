"""Forms of modules in modules."""

# ruff: noqa: E501 - a program a line

from __future__ import annotations

from forms import CHILD, FORMS, HEAD, form

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
form("sequential", "x = self.c(x)", "self.c = nn.Sequential(nn.Linear(8, 8), Child())", before=CHILD)
form(
    "sequential_star",
    "x = self.c(x)",
    "layers = []\nfor i in range(2):\n    layers.append(Child())\nself.c = nn.Sequential(*layers)",
    before=CHILD,
)
form("sequential_add", "x = self.c(x)", "self.c = nn.Sequential()\nself.c.add_module('a', Child())", before=CHILD)
form(
    "modulelist",
    "for layer in self.c:\n    x = layer(x)",
    "self.c = nn.ModuleList([Child() for _ in range(2)])",
    before=CHILD,
)
form("modulelist_idx", "x = self.c[1](x)", "self.c = nn.ModuleList([nn.ReLU(), Child()])", before=CHILD)
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
form("children", "for layer in self.c.children():\n    x = layer(x)", "self.c = nn.Sequential(Child())", before=CHILD)
form("modules_private", "x = self._modules['c'](x)", "self.c = Child()", before=CHILD)
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
form("child_table", "x = self.c(x)", "self.c = TABLE['a']()", before=CHILD + "TABLE = {'a': Child, 'b': nn.ReLU}\n\n\n")
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
