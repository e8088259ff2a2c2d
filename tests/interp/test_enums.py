"""Methods of the members of enumerations, which Dynamo traces (measured on 2.11 and 2.13)."""

from __future__ import annotations

import pytest
from harness import findings, marked

MODE = """
import enum
import torch
class Mode({bases}):
    MEAN = "mean"
    MAX = "max"
    def reduce(self, x):
        if self is Mode.MEAN:
            return x * x.mean().item()  # BRK201
        return x * x.max().item()  # BRK201
    @property
    def scale(self):
        return 2.0 if self.value == "mean" else 3.0
"""
USES = {
    "a member": "    def forward(self, x):\n        return Mode.MAX.reduce(x) * Mode.MAX.scale\n",
    "a member by its value": "    def forward(self, x):\n        return Mode('max').reduce(x)\n",
    "a default": """    def __init__(self, mode=Mode.MEAN):
        super().__init__()
        self.mode = mode
    def forward(self, x):
        return self.mode.reduce(x) if self.mode != Mode.MAX else self.mode.reduce(-x)
""",
    "an annotation": """    def __init__(self, mode: Mode):
        super().__init__()
        self.mode = mode
    def forward(self, x):
        return self.mode.reduce(x)
""",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("bases", ["enum.Enum", "str, enum.Enum", "enum.StrEnum"])
def test_methods_of_members_are_followed(bases: str, use: str) -> None:
    """However the member gets there."""
    text = MODE.format(bases=bases) + "class Net(torch.nn.Module):\n" + USES[use]
    assert findings(text) == marked(text)


def test_members_without_methods_are_told_apart() -> None:
    """A test of which member it is keeps code out, as their values do."""
    text = """
import enum
import torch
class Mode(enum.Enum):
    MEAN = "mean"
    MAX = "max"
class Net(torch.nn.Module):
    def forward(self, x):
        if Mode.MEAN == Mode.MAX:
            return x * x.mean().item()
        return x
"""
    assert findings(text) == []
