"""Module state that changes on every call."""

from __future__ import annotations

import pytest
from harness import findings, marked

CASES = {
    "a list that grows": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def forward(self, x):
        self.seen.append(x)  # BRK702
        return x
""",
    "a list that grows in a loop": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def forward(self, x):
        for part in x.chunk(2):
            self.seen.extend([part])  # BRK702
        return x
""",
    "a list that forward sets anew": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def forward(self, x):
        self.seen = []
        self.seen.append(x)
        return x
""",
    "a list that another method empties": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def reset(self):
        self.seen.clear()
    def forward(self, x):
        self.seen.append(x)
        return x
""",
    "a list of the function": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def forward(self, x):
        seen = []
        seen.append(x)
        return x
""",
    "a counter": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def forward(self, x):
        self.steps += 1  # BRK701
        return x * 2
""",
    "a counter that is added to in full": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def forward(self, x):
        self.steps = self.steps + 1  # BRK701
        return x * 2
""",
    "a counter in a method": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def advance(self):
        self.steps += 1  # BRK701
    def forward(self, x):
        self.advance()
        return x * 2
""",
    "a counter in a submodule": """
import torch
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0.0
    def forward(self, x):
        self.steps += 0.5  # BRK701
        return x * 2
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
    def forward(self, x):
        return self.block(x)
""",
    "a counter in a dict": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = {"calls": 0}
    def forward(self, x):
        self.seen["calls"] += 1  # BRK701
        return x * 2
""",
    "a cache by size": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}
    def forward(self, x: torch.Tensor):
        key = (x.shape[0], "rows")
        if key not in self.cache:
            self.cache[key] = torch.arange(x.shape[0])  # BRK703
        return x + self.cache[key][:, None]
""",
    "a cache that is emptied": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}
    def forward(self, x: torch.Tensor):
        self.cache.clear()
        self.cache[x.shape[0]] = x
        return x
""",
    "a dict under a fixed key": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}
    def forward(self, x: torch.Tensor):
        self.cache["last"] = x
        return x
""",
    "a counter in a list": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = [0]
    def forward(self, x):
        self.seen[0] += 1  # BRK701
        return x * 2
""",
    "a dict made at every call": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = {"sum": torch.zeros(3)}
    def forward(self, x):
        seen = {"calls": 0}
        seen["calls"] += 1
        self.seen["sum"] += 1
        return x * 2
""",
    "a buffer that counts": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(()))
    def forward(self, x):
        self.steps += 1
        return x * 2
""",
    "a tensor kept for later": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        self.last = x * 2
        return self.last
""",
    "a local counter": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        steps = 0
        for _ in range(3):
            steps += 1
        return x * steps
""",
    "a number that is set once": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "a"
    def forward(self, x):
        self.mode = "b"
        return x * 2
""",
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(source: str) -> None:
    assert findings(source) == marked(source)
