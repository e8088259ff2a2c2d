"""What a constructor stores in an object that was there before: known to all readers, however late it runs."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """\
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    size: int


class Base(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.config.layer = self.make(config.size)

    def make(self, size):
        return nn.LSTM(size, size)


"""
CASES = {
    "read through the object": """
class Net(Base):
    def forward(self, x):
        return self.config.layer(x)[0]  # BRK602
""",
    "stored by two constructors": """
class Other(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.other = config
        self.other.layer = self.make()

    def make(self):
        return nn.GRU(8, 8)

    def forward(self, x):
        return self.other.layer(x)[0]  # BRK602


class Net(Base):
    def forward(self, x):
        return self.config.layer(x)[0]  # BRK602
""",
    "by a setter, which runs at once": """
@dataclass
class Watched:
    size: int

    @property
    def layer(self):
        return self.kept

    @layer.setter
    def layer(self, value):
        self.kept = value


class Net(nn.Module):
    def __init__(self, config: Watched):
        super().__init__()
        self.config = config
        self.config.layer = self.make(config.size)

    def make(self, size):
        return nn.LSTM(size, size)

    def forward(self, x):
        return self.config.kept(x)[0]  # BRK602
""",
    "with a store in the object itself": """
class Net(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.config.layer = self.make(config.size)

    def make(self, size):
        self.layer = nn.LSTM(size, size)
        return size

    def forward(self, x):
        return self.layer(x)[0]  # BRK602
""",
}


@pytest.mark.parametrize("text", [pytest.param(HEAD + text, id=name) for name, text in CASES.items()])
def test_stores_in_other_objects_are_seen(text: str) -> None:
    assert findings(text) == marked(text)
