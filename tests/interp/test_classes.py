"""What inheritance, dataclasses and plain objects make of a value."""

from __future__ import annotations

import pytest
from harness import findings, marked

WHOLE = {
    "a constructor that traced code calls": """
import torch
class Kept:
    def __init__(self, x):
        print(x)  # BRK101
        self.parts = []
        self.parts.append(x)
        self.count = 0
    def __call__(self, x):
        self.count += 1
        return self.parts[0] * self.count
class Net(torch.nn.Module):
    def forward(self, x):
        return Kept(x)(x)
""",
    "a constructor that no traced code calls": """
import torch
class Kept:
    def __init__(self, x):
        print(x)
        self.scale = float(x.sum())
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Kept(torch.ones(3))
    def forward(self, x):
        return x * self.kept.scale
""",
    "a constructor of a base class, called twice": """
import torch
class Base:
    def __init__(self, x):
        self.mean = x.mean().item()  # BRK201
class Kept(Base):
    def __init__(self, x):
        super().__init__(x)
        self.x = x
class Net(torch.nn.Module):
    def forward(self, x):
        return Kept(x).x + Kept(x * 2).mean
""",
    "what a dataclass does when its fields are filled": """
from dataclasses import dataclass
import torch
@dataclass
class Mixture:
    logits: torch.Tensor
    def __post_init__(self):
        if not torch.isfinite(self.logits).all():  # BRK303
            raise ValueError("not finite")
class Net(torch.nn.Module):
    def forward(self, x):
        return Mixture(logits=x * 2).logits
""",
    "a forward that is another method": """
import torch
class Net(torch.nn.Module):
    def step(self, x):
        return x * x.mean().item()  # BRK201
    forward = step
    __call__ = forward
""",
    "an inherited forward": """
import torch
class Base(torch.nn.Module):
    def forward(self, x):
        return self.gate(x)
class Net(Base):
    def gate(self, x):
        return x * x.mean().item()  # BRK201
""",
    "functions that subclasses name in their bodies": """
import torch
def reverse(x):
    return x.flip(-1) if x.sum() > 0 else x  # BRK301
def noise(x):
    return x + torch.rand(1).item()  # BRK201
class Base(torch.nn.Module):
    operation = None
    def forward(self, x):
        return self.operation(x)
class Reverse(Base):
    operation = staticmethod(reverse)
class Noise(Base):
    operation = staticmethod(noise)
class Bound(Base):
    operation = lambda self, x: x * x.mean().item()  # BRK201
class Other(Base):
    operation = torch.relu
""",
    "methods under a second name": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        return self.run(x) + self.double(x) + type(self).half(x)
    def _run(self, x):
        return x * x.mean().item()  # BRK201
    @staticmethod
    def _double(x):
        return x * x.max().item()  # BRK201
    def _half(x):
        return x * x.min().item()  # BRK201
    run = _run
    double = _double
    half = staticmethod(_half)
""",
    "super().forward": """
import torch
class Base(torch.nn.Module):
    def forward(self, x):
        return x.mean()
class Net(Base):
    def forward(self, x):
        return x * super().forward(x).item()  # BRK201
""",
    "a line of constructors that each hand on what they do not know": """
import torch
class Records(torch.nn.Module):
    def __init__(self, stats=None):
        super().__init__()
class Reduced(Records):
    def __init__(self, reducer=None, **rest):
        super().__init__(**rest)
        self.set_reducer(reducer)
    def set_reducer(self, reducer):
        self.reducer = torch.nn.Identity() if reducer is None else reducer
class Measured(Records):
    def __init__(self, distance=None, **rest):
        super().__init__(**rest)
        self.distance = torch.nn.Linear(8, 8) if distance is None else distance
class Both(Reduced, Measured):
    def __init__(self, **rest):
        super().__init__(**rest)
class Weighted:
    def __init__(self, weight=1, **rest):
        self.weight = weight
        super().__init__(**rest)
class Loss(Weighted, Both):
    def forward(self, x):
        return self.compute(x)
class Paired(Loss):
    def __init__(self, paired, **rest):
        super().__init__(**rest)
        self.method = self.of_pairs if paired else self.of_rows
    def compute(self, x):
        return self.method(self.distance(x))
    def of_pairs(self, x):
        return x * 2 if x.mean() > 0 else x  # BRK301
    def of_rows(self, x):
        return x
class Net(Paired):
    def __init__(self, m=0.4, **rest):
        super().__init__(paired=True, **rest)
        self.m = m
""",
    "settings under names that are not known": """
import torch
def note(module, names):
    for name in names:
        if not hasattr(module, name):
            setattr(module, name, 0)
class Net(torch.nn.Module):
    def __init__(self, names):
        super().__init__()
        note(self, names)
    def forward(self, x):
        if self.gate:
            return x * x.mean().item()  # BRK201
        return x
""",
    "a __call__ of its own": """
import torch
class Base(torch.nn.Module):
    def __call__(self, x):
        print("call")  # BRK101
        return super().__call__(x).mean().item()  # BRK201
class Net(Base):
    def forward(self, x):
        return x * x.mean().item()  # BRK201
""",
    "a dataclass": """
import torch
from dataclasses import dataclass
@dataclass
class Output:
    mean: torch.Tensor
    rows: int = 0
class Net(torch.nn.Module):
    def forward(self, x):
        out = Output(mean=x.mean(), rows=x.shape[0])
        if out.rows > 99:
            return x * 2
        return x * out.mean.item()  # BRK201
""",
    "a NamedTuple": """
import torch
from typing import NamedTuple
class Output(NamedTuple):
    mean: torch.Tensor
    rows: int
class Net(torch.nn.Module):
    def forward(self, x):
        out = Output(x.mean(), x.shape[0])
        if out.rows > 99:
            return x * 2
        return x * out.mean.item()  # BRK201
""",
    "a namedtuple that is taken apart": """
import torch
from collections import namedtuple
Output = namedtuple("Output", ["rows", "mean"])
class Net(torch.nn.Module):
    def forward(self, x):
        rows, mean = Output(x.shape[0], x.mean())
        if rows > 99:
            return x * 2
        return x * mean.item()  # BRK201
""",
    "a named tuple that a loop makes again": """
import torch
from typing import NamedTuple
class State(NamedTuple):
    step: int
    level: object
class Net(torch.nn.Module):
    def forward(self, x):
        state = State(0, None)
        for i in range(3):
            state = State(i, x.sum())
            if state.level > 3:  # BRK301
                x = x + 1
        return x
""",
    "an attribute that its class declares as a tensor": """
import torch
class Net(torch.nn.Module):
    count: torch.Tensor
    def __init__(self, rows=None):
        super().__init__()
        self.count = [] if rows is None else torch.zeros(8)
    def forward(self, x):
        if self.count.sum() > 0:  # BRK301
            return x
        return x * 2
""",
    "an argument declared as a tensor that may be a list": """
import torch
def reduce(values: torch.Tensor):
    return values * values.mean().item()  # BRK201
class Net(torch.nn.Module):
    def __init__(self, rows=None):
        super().__init__()
        self.rows = [] if rows is None else torch.zeros(8)
    def forward(self, x):
        return reduce(self.rows)
""",
    "a constant of the module": """
import torch
LIMIT = 3
TABLE = torch.arange(3)
class Net(torch.nn.Module):
    def forward(self, x):
        if LIMIT > 2:
            x = x * 2
        if TABLE[0] == 0:  # BRK301
            x = x * 3
        return x
""",
    "a module made by a factory": """
import torch
def norm(kind):
    return torch.nn.LayerNorm(8) if kind == "layer" else torch.nn.Identity()
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = norm("layer")
    def forward(self, x):
        return x * self.norm(x).mean().item()  # BRK201
""",
}


@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_found_exactly_where_marked(source: str) -> None:
    assert findings(source) == marked(source)


@pytest.mark.parametrize("fields", ["5", "None", "{[]: 1}", "FIELDS", "b'a b'", "{'a': 1}"])
def test_a_namedtuple_whose_fields_cannot_be_read_is_an_unknown_class(fields: str) -> None:
    source = f"""
import torch
from collections import namedtuple
Output = namedtuple("Output", {fields})
class Net(torch.nn.Module):
    def forward(self, x):
        out = Output(x)
        print(out)  # BRK101
        return out
"""
    assert findings(source) == marked(source)
