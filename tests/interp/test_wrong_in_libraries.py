"""Laws that libraries showed, each by its smallest example, measured on torch 2.13: what was flagged and is one graph,
and what breaks there and was missed."""

from __future__ import annotations

import pytest
from harness import findings, marked

CASES = {
    "parameters that are bounds and sizes are numbers": """
class Net(torch.nn.Module):
    def forward(self, i, j):
        q = torch.arange(j - i, j)
        return q[None] - torch.arange(j)[:, None]
class Even(torch.nn.Module):
    def forward(self, length):
        if length % 2:
            length = length + 1
        return torch.zeros(1, length)
class ByName(torch.nn.Module):
    def forward(self, rows):
        half = rows // 2
        if rows > 4:
            return torch.ones(half, 3)
        return torch.ones((3, rows))
""",
    "parameters that sizes are read from are tensors": """
class Net(torch.nn.Module):
    def forward(self, lengths):
        if lengths.dim() > 1:
            return torch.arange(lengths.max())  # BRK404
        return torch.arange(lengths[0] + 1)  # BRK404
""",
    "the value of a test with a tensor, asked for its truth later": """
class Net(torch.nn.Module):
    def forward(self, x, other=False):
        p = torch.rand([])
        skip = self.training and p < 0.1
        if not skip or other:  # BRK303
            x = x * 2
        kept = (p > 0.2) if self.training else True
        if kept:  # BRK301
            x = x * 3
        return x
""",
    "a flag that a branch makes a tensor": """
class Net(torch.nn.Module):
    def forward(self, x, other=False, rate: float = 0.1):
        skip = False
        for _ in range(2):
            if self.training and rate > 0:
                skip = torch.rand([]) < rate
            if not skip or other:  # BRK303
                x = x * 2
        drop = torch.rand([]) < 0.1
        if self.training:
            drop = False
        return x * 2 if not drop else x  # BRK303
""",
    "a name that is bound twice": """
class Net(torch.nn.Module):
    def forward(self, x, n: int):
        skip = self.training and torch.rand([]) < 0.1
        skip = n > 3
        return x * 2 if skip else x
""",
    "settings that torch's own classes hold where others hold parameters": """
class Net(torch.nn.RNNBase):
    def __init__(self):
        super().__init__("LSTM", 3, 4)
    def forward(self, x):
        return x * 2 if self.bias else x
class Cell(torch.nn.LSTMCell):
    def forward(self, x):
        return x * 2 if self.bias else x
class Layer(torch.nn.Linear):
    def forward(self, x):
        return x * 2 if self.bias else x  # BRK301
""",
    "modules that torch's own classes hold": """
class Net(torch.nn.Transformer):
    def __init__(self):
        super().__init__(8, 2, 1, 1, 16)
    def forward(self, x):
        y = self.encoder(x)
        if y.sum() > 0:  # BRK301
            return y
        return -y
class Layer(torch.nn.TransformerEncoderLayer):
    def forward(self, x):
        y, weights = self.self_attn(x, x, x)
        if self.norm1(y).sum() > 0:  # BRK301
            return y
        return self.dropout1(x)
""",
    "context managers that a stack enters": """
import contextlib
class Plain:
    def __enter__(self):
        return 2
    def __exit__(self, *error):
        return False
@contextlib.contextmanager
def made():
    yield 3
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Plain()
    def forward(self, x):
        with contextlib.ExitStack() as stack:
            x = x * stack.enter_context(Plain()) * stack.enter_context(made())
            for each in [Plain(), Plain()]:
                stack.enter_context(each)
        return x
class Outside(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Plain()
    def forward(self, x):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.kept)  # BRK613
            stack.enter_context(torch.autocast("cpu"))  # BRK613
            return x * 2
""",
    "a decorator of a class that puts another forward in place": """
def by_setting(cls):
    old = cls.forward
    def forward(self, *args):
        if self.kind == "eager":
            return old(self, *args)
        return args[0] * 2
    cls.forward = forward
    return cls
def told(text):
    def decorate(cls):
        old = cls.forward
        def forward(self, x):
            print(text)  # BRK101
            return old(self, x)
        cls.forward = forward
        return cls
    return decorate
@by_setting
class Fast(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = "fast"
    def forward(self, x):
        return x * x.sum().item()
@by_setting
class Eager(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = "eager"
    def forward(self, x):
        return x * x.sum().item()  # BRK201
class Inherits(Fast):
    def help(self):
        return 2
@told("two")
class Told(torch.nn.Module):
    def forward(self, x):
        return x * x.max().item()  # BRK201
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = Fast()
    def forward(self, x):
        return self.fast(x)
""",
    "a decorator of a class that looks its forward up": """
class Table:
    def look_up(self, name, other):
        return super().get(name, other)
TABLE = Table()
def by_table(cls):
    old = cls.forward
    def forward(self, *args):
        return TABLE.look_up(self.kind, old)(self, *args)
    cls.forward = forward
    return cls
@by_table
class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.sum().item()
""",
    "sparse tensors, by what takes them": """
class Layer(torch.nn.Module):
    def forward(self, x, adjacency):
        return torch.sparse.mm(adjacency, x)  # BRK614
class Net(torch.nn.Module):
    def __init__(self, adjacency):
        super().__init__()
        self.register_buffer("adjacency", adjacency)
        self.layer = Layer()
    def forward(self, x, other):
        return self.layer(x * 2, other)
class Counting(torch.nn.Module):
    def forward(self, rows: torch.Tensor):
        return rows.coalesce()  # BRK614
class Dense(torch.nn.Module):
    def forward(self, x):
        return torch.sparse.mm(x * 2, x)
class Either(torch.nn.Module):
    def forward(self, x, adjacency):
        return torch.spmm(adjacency, x)
""",
    "a tensor as the bound of a random number": """
import random
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        return x * random.randrange(n) * random.randint(0, x.max())  # BRK608
""",
    "a class of torch.nn by a name that is one of a few": """
class Net(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        assert kind in ("LSTM", "GRU")
        self.rnn = getattr(torch.nn, kind)(3, 4)
    def forward(self, x):
        return self.rnn(x)[0]  # BRK602
class Other(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind not in ["ReLU", "GELU"]:
            raise ValueError(kind)
        self.act = getattr(torch.nn, kind)()
    def forward(self, x: torch.Tensor):
        return x * self.act(x).sum().item()  # BRK201
class Any(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.act = getattr(torch.nn, kind)()
    def forward(self, x):
        return self.act(x)
""",
    "functions that are bound to an object": """
import types
def scaled(self, x):
    return x * x.sum().item() * self.factor  # BRK201
def doubled(self, x):
    return x * x.max().item()  # BRK201
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2
        self.first = scaled.__get__(self)
        self.second = types.MethodType(doubled, self)
    def forward(self, x):
        return self.first(x) + self.second(x)
""",
    "items that go through itertools": """
import itertools
class Net(torch.nn.Module):
    def rows(self, x):
        yield x
        yield x * 2
    def forward(self, x: torch.Tensor):
        for row in itertools.filterfalse(lambda row: row is None, self.rows(x)):
            x = x * row.sum().item()  # BRK201
        for row in itertools.islice(self.rows(x), 1):
            x = x * row.max().item()  # BRK201
        for row, following in itertools.pairwise(self.rows(x)):
            x = x * following.max().item()  # BRK201
        for row in itertools.chain.from_iterable([self.rows(x)]):
            x = x * row.min().item()  # BRK201
        return x
""",
    "another tensor in an nn.Buffer": """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pe = torch.nn.Buffer(torch.zeros(1, 10, 4))
    def extended(self, x, pe):
        if pe.size(1) >= x.size(1):
            return pe
        return torch.zeros(1, x.size(1), 4)
    def forward(self, x):
        self.pe = self.extended(x, self.pe)
        self.pe = self.pe * 2
        self.pe = self.pe.float()  # BRK640
        self.pe -= 1  # BRK640
        return x + self.pe[:, : x.size(1)]
""",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_law_holds(text: str) -> None:
    source = "import torch\n" + text
    assert findings(source) == marked(source)
