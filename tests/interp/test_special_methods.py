"""Special methods of the project's classes, and their constructors, are traced where Python calls them."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from harness import findings, marked

from breaklint.lint.engine import check_source
from breaklint.model import Settings

HEAD = """\
import torch


class Own:
    def __init__(self, x):
        self.x = x

"""

USES = {
    "__getitem__": ("def __getitem__(self, key):", "y = own[0]"),
    "__setitem__": ("def __setitem__(self, key, value):", "own[0] = x"),
    "__contains__": ("def __contains__(self, key):", "y = 3 in own"),
    "__len__": ("def __len__(self):", "y = len(own)"),
    "__bool__": ("def __bool__(self):", "if own:\n    x = x + 1"),
    "__len__ as truth": ("def __len__(self):", "y = 1 if own else 2"),
    "__iter__ of a loop": ("def __iter__(self):", "for y in own:\n    x = x + 1"),
    "__iter__ of a comprehension": ("def __iter__(self):", "y = [item for item in own]"),
    "__iter__ of a builtin": ("def __iter__(self):", "y = list(own)"),
    "__add__": ("def __add__(self, other):", "y = own + 1"),
    "__radd__": ("def __radd__(self, other):", "y = 1 + own"),
    "__iadd__": ("def __iadd__(self, other):", "own += 1"),
    "__add__ for +=": ("def __add__(self, other):", "own += 1"),
    "__matmul__": ("def __matmul__(self, other):", "y = own @ 1"),
    "__neg__": ("def __neg__(self):", "y = -own"),
    "__eq__": ("def __eq__(self, other):", "y = own == 3"),
    "__lt__": ("def __lt__(self, other):", "y = own < 3"),
    "__gt__ for <": ("def __gt__(self, other):", "y = 3 < own"),
}


def codes(text: str) -> list[tuple[str, int]]:
    result = check_source(text, "net.py", Settings())
    assert not result.errors
    lines = text.splitlines()
    return [(found.code, "# here" in lines[found.span.start.row - 1]) for found in result.findings]


@pytest.mark.parametrize(("head", "use"), USES.values(), ids=USES)
def test_special_methods_are_traced(head: str, use: str) -> None:
    method = f"    {head}\n        n = self.x.sum().item()  # here\n        return iter([n])\n"
    body = indent(f"own = Own(x)\n{use}\nreturn x\n", " " * 8)
    net = f"\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n{body}"
    assert codes(HEAD + method + net) == [("BRK201", True)]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        pytest.param(
            """\
            class Own:
                def __init__(self, x):
                    self.n = x.sum().item()  # here
            """,
            [("BRK201", True)],
            id="constructor",
        ),
        pytest.param(
            """\
            import dataclasses


            @dataclasses.dataclass
            class Own:
                x: torch.Tensor

                def __post_init__(self):
                    self.n = self.x.sum().item()  # here
            """,
            [("BRK201", True)],
            id="dataclass",
        ),
        pytest.param(
            """\
            class Own(ValueError):
                def __init__(self, x):
                    self.n = x.sum().item()
            """,
            [],
            id="a class that others define is left alone",
        ),
    ],
)
def test_constructors_in_traced_code_are_traced(own: str, expected: list[tuple[str, bool]]) -> None:
    net = "\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        own = Own(x)\n        return x\n"
    assert codes("import torch\n\n\n" + dedent(own) + net) == expected


def test_results_of_special_methods_are_known() -> None:
    own = HEAD + "    def __getitem__(self, key):\n        return self.x[key]\n"
    net = "\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return Own(x)[0].item()  # here\n"
    assert codes(own + net) == [("BRK201", True)]


CHOSEN = """\
import torch
class Shared(torch.nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = part
    def __getitem__(self, at):
        return self.part
class Chosen(torch.nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = parts
        self.register_buffer("ticks", torch.linspace(0, 1, 4))
    def __getitem__(self, at: float):
        return self.parts[(self.ticks - at).abs().argmin().item()]  # BRK201
class Net(torch.nn.Module):
    def __init__(self, share: int):
        super().__init__()
        if share == 1:
            self.rows = Shared(torch.nn.Linear(2, 2))
        else:
            self.rows = Chosen(torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(share)]))
    def forward(self, x):
        return self.rows[0.5](x)
"""


def test_one_of_several_classes_is_read_by_index() -> None:
    assert findings(CHOSEN) == marked(CHOSEN)
