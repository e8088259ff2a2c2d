"""Recurrent modules: where a function first meets one, Dynamo gives it up."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, deep: bool = False, kind="GRU"):
        super().__init__()
        self.norm = nn.Dropout(0.1)
        self.rnns = nn.ModuleList([nn.LSTM(8, 8) for _ in range(2)])
        self.first = nn.GRU(8, 8)
        self.linear = nn.Linear(8, 8)
        self.deep = deep


class Late(nn.Module):
    def __init__(self, kind="GRU"):
        super().__init__()
        make = nn.LSTM if kind == "LSTM" else nn.GRU if kind == "GRU" else None
        self.linear = nn.Linear(8, 8)
        self.rnn = make(8, 8)


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Base()


"""
CASES = {
    "a loop over a list of them breaks where one is called": """\
class Net(Base):
    def forward(self, x):
        for rnn in self.rnns:
            y = x * 2
            x, _ = rnn(y)  # BRK602
        return x
""",
    "a local name for one breaks where it is bound, not again where it is called": """\
class Net(Base):
    def forward(self, x):
        rnn = self.first  # BRK602
        return rnn(x)[0]
""",
    "one that a flag may skip does not hide the next": """\
class Net(Base):
    def forward(self, x):
        if self.deep:
            x, _ = self.rnns[0](x)  # BRK602
        x, _ = self.first(x)  # BRK602
        return self.first(x)[0]
""",
    "every branch meets one, if not the same": """\
class Net(Base):
    def forward(self, x):
        if self.deep:
            x, _ = self.rnns[0](x)  # BRK602
        else:
            x, _ = self.first(x)  # BRK602
        return self.rnns[1](self.first(x)[0])[0]
""",
    "one of a class that an argument picks is met once": """\
class Net(Base):
    def __init__(self, kind="GRU"):
        super().__init__()
        self.rnn = nn.LSTM(8, 8) if kind == "LSTM" else nn.GRU(8, 8)

    def forward(self, x):
        x, _ = self.rnn(x)  # BRK602
        return self.first(self.rnn(x)[0])[0]
""",
    "a comprehension meets one for the whole function": """\
class Net(Base):
    def forward(self, x):
        parts = [self.first(part)[0] for part in (x, -x)]  # BRK602
        return self.first(parts[0])[0]
""",
    "one in the handling of an error does not hide the next": """\
class Net(Base):
    def forward(self, x):
        try:
            return x.view(8, 8)
        except RuntimeError:
            x, _ = self.first(x)
        return self.first(x)[0]  # BRK602
""",
    "the first parameters belong to one": """\
class Net(Base):
    def forward(self, x):
        return x * next(self.parameters()).sum()  # BRK602
""",
    "parameters are handed out one by one, and a linear layer has the first": """\
class Net(Late):
    def forward(self, x):
        return x * next(self.parameters()).sum()
""",
    "an activation has no parameters, and the first belong to what follows it": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.GELU()
        self.rnn = nn.LSTM(8, 8)

    def forward(self, x):
        return x * next(self.parameters()).sum()  # BRK602
""",
    "an object that is no module hides what it holds": """\
class Kept:
    def __init__(self, layer):
        self.layer = layer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Kept(nn.LSTM(8, 8))
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return x * next(self.parameters()).sum()
""",
    "an object that a function promises is known once it is read": """\
class Kept:
    def __init__(self, size):
        self.layer = nn.LSTM(size, size)

    @classmethod
    def of(cls, size) -> "Kept":
        return cls(size)


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.kept = Kept.of(size)
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        x = x * next(self.parameters()).sum()
        return self.kept.layer(x)[0]  # BRK602
""",
    "a walk over all modules meets it": """\
class Net(Late):
    def forward(self, x):
        self.zero_grad()  # BRK602
        return x * 2
""",
}


@pytest.mark.parametrize("model", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(model: str) -> None:
    result = [hit for hit in findings(HEAD + model) if hit[1] == "BRK602"]
    assert result == marked(HEAD + model)


# From torch 2.15 a module is wrapped without a break, and what is done with it breaks.
USES = {
    "an attribute counts where an operator, a test or a function of torch takes it": """\
class Net(Base):
    def forward(self, x):
        state = torch.zeros(self.first.num_layers, 4, self.first.hidden_size)  # BRK602
        width = 2 * self.first.hidden_size  # BRK602
        if self.first.bidirectional and self.deep:  # BRK602
            return x
        shape = x.new_zeros((1, self.first.hidden_size))  # BRK602
        return x.to(self.first.weight_hh_l0.device)  # BRK602
""",
    "an attribute that is stored, returned, handed on or compared with None does not": """\
class Net(Base):
    def twice(self, width):
        return width

    def forward(self, x):
        size, pair = self.first.hidden_size, (self.first.num_layers, 2)
        if self.first.bias is None:
            x = self.twice(self.first.hidden_size)
        return x, self.first.mode
""",
    "a method of one": """\
class Net(Base):
    def forward(self, x):
        self.first.train()  # BRK602
        return x.to(next(self.first.parameters()).device)  # BRK602
""",
    "a walk over all parts meets one": """\
class Net(Base):
    def forward(self, x):
        self.eval()  # BRK602
        return x * len(list(self.children()))
""",
}


@pytest.mark.parametrize("model", USES.values(), ids=USES)
def test_what_is_done_with_one_breaks_from_torch_2_15(model: str) -> None:
    result = [hit for hit in findings(HEAD + model, target_torch="2.15") if hit[1] == "BRK602"]
    assert result == marked(HEAD + model)


COUNTER = """\
class Net(Base):
    steps = 0

    def encode(self, x):
        return self.first(x * 3)[0]

    def decode(self, x):
        self.steps += 1
        return self.first(x * 3)[0] * 2

    def forward(self, x):
"""
DIRECT = "        self.steps += 1\n        return self.first(x)[0] * 2 + x\n"
BEHIND = "        y = self.encode(x)\n        self.steps += 1\n        return y * 2 + x\n"
INSIDE = "        return self.decode(x * 2) * 2 + x\n"


@pytest.mark.parametrize(
    ("body", "version", "is_found"),
    [(DIRECT, "2.13", False), (BEHIND, "2.13", True), *((body, "2.15", True) for body in (DIRECT, BEHIND, INSIDE))],
)
def test_a_counter_beside_one_in_a_frame_that_the_version_compiles(body: str, version: str, is_found: bool) -> None:
    """Counted over 14 calls: on 2.13 DIRECT never compiles, BEHIND at every call; on 2.15 all three do."""
    codes = {code for _, code in findings(HEAD + COUNTER + body, target_torch=version)}
    assert ("BRK701" in codes) is is_found
