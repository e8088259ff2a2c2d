"""Blocks, functions and decorators around the lines of a method, and classes around the method."""

from __future__ import annotations

import textwrap
from random import Random

from differential.surroundings.drafts import Draft

BLOCKS = [
    "if x.dim() > 1:",
    "if x.dim() != 1:",
    "if self.training:",
    "if getattr(self, 'deep', True):",
    "for _ in range(2):",
    "for k_ in range(x.dim()):",
    "while True:",
    "with torch.no_grad():",
    "with torch.enable_grad():",
    "with torch.inference_mode():",
    "if x is None:\n    pass\nelse:",
    "if x is None:\n    pass\nelif x is not None:",
    "try:\n    pass\nfinally:",
    "match x.dim():\n    case 1 | 2:",
    "for _ in ():\n    pass\nelse:",
]
GUARDED = "try:\n{lines}\nexcept {error} as error_:\n    return type(error_).__name__, self.calls"
DECORATORS = [
    ("@torch.no_grad()", ""),
    ("@torch.enable_grad()", ""),
    ("@twice", "def twice(f):\n    def run(self, *a):\n        f(self, *a)\n"
     "        return f(self, *a)\n    return run\n"),
    ("@plain", "def plain(f):\n    return f\n"),
]  # fmt: skip
MEMBERS = [
    "class Sub(Net):\n    def helper(self, t):\n        return t.add_(1)\n\n\nNet = Sub",
    ("class Sub(Net):\n    deep = property(lambda self: bool(self.calls),\n"
     "                    lambda self, value: None)\n\n\nNet = Sub"),
    ("class Sub(Net):\n    def __init__(self):\n        super().__init__()\n"
     "        self.count = torch.tensor([1, 2])\n        self.limit = 0\n\n\nNet = Sub"),
    ("class Sub(Net):\n    def forward(self, x, y):\n        self.deep = True\n"
     "        return super().forward(x, y)\n\n\nNet = Sub"),
]  # fmt: skip


def _indented(lines: list[str]) -> str:
    return textwrap.indent("\n".join(lines) or "pass", "    ")


def block(draft: Draft, rng: Random) -> None:
    """Some statements of the method in a block of their own."""
    first = rng.randint(0, max(0, len(draft.body) - 1))
    last = rng.randint(first, len(draft.body)) if rng.random() < 0.5 else len(draft.body)
    inner = draft.body[first:last]
    head = rng.choice([*BLOCKS, "guarded", "function", "guarded"])
    draft.done.append(f"block {head.splitlines()[-1]}")
    if head == "guarded":
        error = rng.choice(["Exception", "RuntimeError", "(TypeError, ValueError)", "NameError"])
        whole = GUARDED.format(lines=_indented(inner), error=error)
    elif head == "function":
        call = "return inner_()" if last == len(draft.body) else "inner_()"
        whole = f"def inner_():\n{_indented(inner)}\n{call}"
    else:
        deeper = textwrap.indent(_indented(inner), "    ") if "case" in head else _indented(inner)
        whole = f"{head}\n{deeper}" + ("\n    break" if head == "while True:" else "")
    draft.body[first:last] = [whole]


def around(draft: Draft, rng: Random) -> None:
    """A decorator on the method, or a class that derives from its class."""
    if rng.random() < 0.5:
        decorator, made = rng.choice(DECORATORS)
        draft.decorators.append(decorator)
        if made:
            draft.head.append(made)
        draft.done.append(decorator)
    else:
        draft.below.append(rng.choice(MEMBERS))
        draft.done.append("subclass")
