"""Stores that no call of `forward` shows: methods that set state, contents of containers, another file."""

from __future__ import annotations

import re
from random import Random

from differential.surroundings.drafts import Draft

VALUES = ["-1", "0", "2.5", "True", "None", "torch.tensor(3)", "torch.ones(2)", "'text'", "float('inf')", "[1, 2]"]
# Methods that store an attribute, and how the maker of the model uses them.
METHODS = [
    ("def reset(self):\n    self.{a} = {v}", "net.reset()"),
    ("def reset(self):\n    self.{a} = {v}", "getattr(net, 'reset')()"),
    ("def calibrate(self, value):\n    self.__dict__['{a}'] = value", "net.calibrate({v})"),
    ("def train(self, mode=True):\n    self.{a} = {v}\n    return super().train(mode)", "net.train()"),
    ("knob = property(lambda self: 1, lambda self, value: setattr(self, '{a}', value))", "net.knob = {v}"),
    (
        "def get_extra_state(self):\n    return 1\n\ndef set_extra_state(self, state):\n    self.{a} = {v}",
        "net.load_state_dict(net.state_dict())",
    ),
    (
        "def _load_from_state_dict(self, *given):\n    self.{a} = {v}\n"
        "    return super()._load_from_state_dict(*given)",
        "net.load_state_dict(net.state_dict())",
    ),
    (
        "def __setstate__(self, state):\n    super().__setstate__(state)\n    self.{a} = {v}",
        "net = __import__('copy').deepcopy(net)",
    ),
    ("def __getstate__(self):\n    return {{**vars(self), '{a}': {v}}}", "net = __import__('copy').copy(net)"),
    ("def __call__(self, *given):\n    self.{a} = {v}\n    return super().__call__(*given)", ""),
    (
        "def __getattribute__(self, name):\n    return {v} if name == '{a}' else super().__getattribute__(name)",
        "",
    ),
    ("def __setattr__(self, name, value):\n    super().__setattr__(name, {v} if name == '{a}' else value)", ""),
    ("def configure(self, **options):\n    vars(self).update(options)", "net.configure({a}={v})"),
    ("def configure(self, **options):\n    self.__dict__ |= options", "net.configure({a}={v})"),
    ("def share(self, other):\n    other.{a} = {v}", "net.share(net)"),
    ("def each(self, names):\n    for name in names:\n        setattr(self, name, {v})", "net.each(['{a}'])"),
    ("@classmethod\ndef preset(cls):\n    cls.{a} = {v}", "net.preset()"),
    ("@contextlib.contextmanager\ndef held(self):\n    self.{a} = {v}\n    yield", "with net.held():\n    pass"),
    ("def steps(self):\n    self.{a} = {v}\n    yield self", "list(net.steps())"),
    ("def __enter__(self):\n    self.{a} = {v}\n\ndef __exit__(self, *error):\n    pass", "with net:\n    pass"),
    ("def __iter__(self):\n    self.{a} = {v}\n    return iter(())", "list(net)"),
    ("", "net.register_forward_pre_hook(lambda net, given: setattr(net, '{a}', {v}))"),
    ("", "net.register_forward_hook(lambda net, given, out: out.add_(1) if isinstance(out, torch.Tensor) else None)"),
    ("", "net.apply(lambda each: setattr(each, '{a}', {v}))"),
    ("", "vars(net).setdefault('{a}', {v})"),
    ("", "net.forward = lambda *given, plain=net.forward: plain(*given)"),
    ("", "net.helper = lambda t: t.add_(1)"),
    ("", "net.register_buffer('{a}', torch.ones(2))"),
]
# What the maker of the model, or another file, does to lists and dicts.
CONTENTS = [
    "net.sizes.append({v})",
    "net.sizes[0] = {v}",
    "net.sizes[:] = [0, -1]",
    "kept = net.sizes\nkept[1] = {v}",
    "for each in (net.sizes,):\n    each.insert(0, {v})",
    "(lambda sizes: sizes.reverse())(net.sizes)",
    "SCALES[0] = {v}",
    "SCALES.reverse()",
    "kept = [SCALES]\nkept[0][1] = {v}",
    "OPTIONS.update(scale={v})",
    "OPTIONS['scale'] = {v}",
    "(OPTIONS or {{}}).pop('scale')",
]
MAKER = "made_ = Net\n\n\ndef Net():\n    net = made_()\n{use}\n    return net"
# Another file, which is run when the file of the model has been.
BESIDE = [
    "import variant\n\nvariant.Net.{a} = {v}",
    "from variant import Net\n\nsetattr(Net, '{a}', {v})",
    "from variant import *\n\nNet.helper = lambda self, t: t.add_(1)",
    "import importlib\nimport torch\n\nimportlib.import_module('variant').Net.{a} = {v}",
    "import variant as there\n\nthere.Net.touch = there.Net.helper",
    "import variant\n\nvariant.OTHER = variant.torch.where = lambda *given: 7",
    "import torch\n\ntorch.where = torch.maximum = lambda *given: 7",
    "import builtins\nimport variant\n\nbuiltins.pow = lambda *given: 7",
    "import math\n\nmath.prod = lambda *given: 7",
    "import variant\n\nvariant.torch = variant.np = variant.Other()",
    "import torch\nimport variant\n\n\nclass Sub(variant.Net):\n    def __init__(self):\n        super().__init__()\n"
    "        self.{a} = {v}\n\n\nvariant.Net = Sub",
    "import torch\nimport variant\n\n\nclass Sub(variant.Net):\n    def helper(self, t):\n        return t.add_(1)\n"
    "\n\nvariant.Net = Sub",
    "import torch\nimport variant\n\nold = variant.Net.__init__\n\n\ndef init(self):\n    old(self)\n"
    "    self.{a} = {v}\n\n\nvariant.Net.__init__ = init",
    "import torch\nimport variant\n\nmade = variant.Net\n\n\ndef build():\n    net = made()\n    net.{a} = {v}\n"
    "    return net\n\n\nvariant.Net = build",
    "import torch\nimport variant\n\nmade = variant.Net\n\n\ndef build():\n    net = made()\n    {content}\n"
    "    return net\n\n\nvariant.Net = build",
    "from variant import SCALES, OPTIONS\n\nSCALES[0] = -1\nOPTIONS['scale'] = float('inf')",
    "import variant\n\nvariant.SCALES[:] = [0, -1]",
    "import variant\n\nvars(variant)['SCALES'] = [-1, 0]",
    "import sys\nimport torch\nimport variant\n\nsys.modules['variant'].Net.{a} = {v}",
    "import torch\nimport variant\n\nfor each in (variant.Net,):\n    each.{a} = {v}",
    "import torch\nimport variant\n\nvariant.Net.{a} = property(lambda self: {v}, lambda self, value: None)",
    "from unittest import mock\nimport torch\nimport variant\n\n"
    "mock.patch.object(variant.Net, '{a}', {v}, create=True).start()",
]


def set_state(draft: Draft, rng: Random) -> None:
    """A method that stores, and the maker of the model that calls it."""
    member, use = (each.format(a=_attribute(draft, rng), v=rng.choice(VALUES)) for each in rng.choice(METHODS))
    if member:
        draft.members.append(member)
    if "contextlib" in member:
        draft.imports.append("import contextlib")
    _make(draft, use)


def set_contents(draft: Draft, rng: Random) -> None:
    """The maker of the model changes a list or dict."""
    _make(draft, rng.choice(CONTENTS).format(v=rng.choice(VALUES)))


def set_elsewhere(draft: Draft, rng: Random) -> None:
    """Another file stores in this one, or in a library."""
    content = rng.choice([each for each in CONTENTS if "\n" not in each]).format(v=rng.choice(VALUES))
    for name in ("SCALES", "OPTIONS"):
        content = content.replace(name, f"variant.{name}")
    text = rng.choice(BESIDE).format(a=_attribute(draft, rng), v=rng.choice(VALUES), content=content)
    draft.beside = f"{text}\n"
    draft.done.append(f"beside {text.splitlines()[-1]}")


def _attribute(draft: Draft, rng: Random) -> str:
    """An attribute that the model or its base has, most often one that the method reads."""
    read = sorted(set(re.findall(r"\bself\.([a-z]\w*)\b(?!\()", "\n".join(draft.body))))
    known = ["deep", "limit", "count", "offset", "gain", "sizes", "training", "room", "given"]
    return rng.choice(read if read and rng.random() < 0.7 else known)


def _make(draft: Draft, use: str) -> None:
    if use:
        draft.below.append(MAKER.format(use="\n".join(f"    {line}" for line in use.splitlines())))
    draft.done.append(f"state {use.splitlines()[-1] if use else draft.members[-1].splitlines()[0]}")
