"""A buffer that both branches register becomes one, of a selection; what they make ready for it comes first."""

from __future__ import annotations

from typing import Any

import pytest
from writing import fixed

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

torch = pytest.importorskip("torch")

BRANCH = """\
if long:
    if not hasattr(self, "far"):
        self.far, _ = self.made(8)
    self.register_buffer("freq", self.far, persistent=False)
else:
    self.near = self.near.to(x.device)
    self.register_buffer("freq", self.near, persistent=False)
return x * self.freq
"""
HEAD = "long = (x > 4).any()\n"
SELECTED = """\
if not hasattr(self, "far"):
    self.far, _ = self.made(8)
self.near = self.near.to(x.device)
assert (self.far.shape, self.far.dtype) == (self.near.shape, self.near.dtype)
self.register_buffer("freq", torch.where(long, self.far, self.near), persistent=False)
return x * self.freq"""


def changed(old: str, new: str) -> str:
    assert old in BRANCH
    return HEAD + BRANCH.replace(old, new)


LEFT = {
    "another buffer": changed('self.register_buffer("freq", self.near, ', 'self.register_buffer("other", self.near, '),
    "other options": changed("self.near, persistent=False", "self.near, persistent=True"),
    "options that are computed": changed("persistent=False", "persistent=self.kept"),
    "a value that is computed": changed("self.far, persistent", "self.far * 2, persistent"),
    "another attribute initialised": changed("self.far, _ =", "self.away, _ ="),
    "an initialisation that is read": changed("return x *", "return _, x *"),
    "an initialisation of another object": changed("hasattr(self,", "hasattr(x,"),
    "a move of another attribute": changed("self.near.to(", "self.far.to("),
    "both make the same ready": changed("self.near = self.near.to", "self.far = self.far.to"),
    "one makes ready what the other registers": changed('("freq", self.far', '("freq", self.near'),
    "more than making ready": changed("    self.near = ", "    self.count += 1\n    self.near = "),
    "a condition that reads an attribute": changed("if long:", "if (x > self.near).any():"),
    "an elif": changed("if long:", "if self.short:\n    pass\nelif long:"),
    "no other side": HEAD + "if long:\n    self.register_buffer('freq', self.far)\nreturn x * self.freq\n",
}


def test_the_selection_is_stored_once() -> None:
    assert fixed(HEAD + BRANCH) == f"{HEAD}{SELECTED}"
    assert fixed(f"{HEAD}{SELECTED}") == f"{HEAD}{SELECTED}"


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_branches_are_left(body: str) -> None:
    assert fixed(body) == body.strip()


MODULE = """\
from functools import wraps


def ready() -> bool:
    return True


if ready():
    import torch


def updated(forward):
    def update(self, x):
{body}
    @wraps(forward)
    def wrapper(self, x):
        update(self, x)
        return forward(self, x)

    return wrapper


class Rope(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("freq", self.made(1)[0], persistent=False)
        self.near = self.freq

    def made(self, n):
        return torch.arange(3.0) * n, 1.0

    @updated
    def forward(self, x: torch.Tensor):
        return x * self.freq
"""


def body(text: str) -> str:
    return "".join(f"        {line}\n" for line in text.splitlines())


def test_it_is_found_below_a_decorator_and_gives_the_same() -> None:
    before = MODULE.format(body=body("long = torch.max(x) > 4\n" + BRANCH.replace("return x * self.freq\n", "")))
    told = fix_source(before, "rope.py", Settings(), True)
    assert told.text is not None
    assert "torch.where(long, self.far, self.near)" in told.text
    models = []
    for text in (before, told.text):
        namespace: dict[str, Any] = {}
        exec(compile(text, "rope.py", "exec"), namespace)
        models.append(namespace["Rope"]())
    for given in (torch.ones(3), torch.ones(3) * 5, torch.ones(3)):
        old, new = (model(given) for model in models)
        assert torch.equal(old, new)
        assert [*models[0].state_dict()] == [*models[1].state_dict()]
        assert [name for name, _ in models[0].named_buffers()] == [name for name, _ in models[1].named_buffers()]


SELDOM = "def ready():\n    return True\n\n\nif ready():\n    import torch\n\n\n"
READ = {
    "read before": ("s = torch.sum(x)\n        y = x * 2", True),
    "read in the condition": ("y = x * 2\n        s = x.sum()", False),
    "read in a lambda": ("s, y = (lambda: torch.sum(x))(), x * 2", False),
    "read in one case": ("y = x * 2\n        s = torch.sum(x) if y.dim() else x.sum()", False),
}


@pytest.mark.parametrize(("lines", "known"), READ.values(), ids=READ)
def test_a_library_that_is_imported_under_a_condition_is_used_where_it_was_read_before(lines: str, known: bool) -> None:
    choice = "        if s > 0:\n            y = y * 3\n        else:\n            y = y * 4\n        return y\n"
    text = f"{SELDOM}class Net(torch.nn.Module):\n    def forward(self, x):\n        {lines}\n{choice}"
    told = fix_source(text, "net.py", Settings(), True).text or text
    assert ("torch.where(" in told) is known
