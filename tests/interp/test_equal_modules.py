"""Modules that are made of equal arguments are one object to the analysis: what is found is what is found where each
has an argument of its own."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """
import torch
from torch import nn
class Block(nn.Module):
    def __init__(self, size, cache=None):
        super().__init__()
        self.size = size
        self.layer = nn.Linear(8, 8)
        self.strict = False
        self.last = None
        self.seen = [1]
        self.cache = cache
"""

FORMS = {
    "a store into the first, before the second is made": """
    def forward(self, x):
        if self.strict:
            return x * x.sum().item()  # BRK201
        return self.layer(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.first.strict = True
        self.second = Block(@)
    def forward(self, x):
        return self.second(self.first(x))
""",
    "what forward keeps in one of them": """
    def forward(self, x):
        if self.last is not None:
            if self.last.sum() > 0:  # BRK301
                return x
        return self.layer(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.second = Block(@)
    def forward(self, x):
        x = self.first(x)
        self.second.last = x
        return self.second(x)
""",
    "what is appended to a list of one of them": """
    def forward(self, x):
        return self.layer(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.second = Block(@)
    def forward(self, x):
        self.second.seen.append(self.first(x))  # BRK702
        found = self.second.seen[-1]
        if torch.is_tensor(found):
            if found.sum() > 0:  # BRK301
                return x
        return self.second(x)
""",
    "lists that are given to them, and filled afterwards": """
    def forward(self, x):
        if self.cache[0].sum() > 0:  # BRK301
            return x
        return self.layer(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        rows, others = [], []
        self.first = Block(8, rows)
        self.second = Block(@, others)
        others.append(nn.Parameter(torch.ones(8)))
        rows.append(nn.Parameter(torch.ones(8)))
    def forward(self, x):
        return self.second(self.first(x))
""",
    "one call in the source that later makes others": """
    def forward(self, x):
        if self.size == 9:
            return x * x.sum().item()  # BRK201
        return self.layer(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.blocks = nn.ModuleList([Block(size) for size in (@, 9)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.first(x)
""",
    "modules of two classes with one forward": """
    def forward(self, x):
        return self.choose(x)
    def choose(self, x):
        return self.layer(x)
class Other(Block):
    def choose(self, x):
        return x * x.sum().item()  # BRK201
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.second = Other(@)
    def forward(self, x):
        return self.second(self.first(x))
""",
}


@pytest.mark.parametrize("size", [8, 7], ids=["equal", "of their own"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_same_is_found_as_with_arguments_of_their_own(form: str, size: int) -> None:
    text = (HEAD + form).replace("@", str(size))
    assert findings(text) == marked(text)
