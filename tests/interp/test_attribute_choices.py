"""What an attribute holds where a method repeats the test by which the constructor chose it."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = "import torch\nfrom torch import nn\n\n\n"
CASES = {
    "a parameter that the object keeps": """
class Net(nn.Module):
    def __init__(self, recurrent):
        super().__init__()
        self.recurrent = recurrent
        if recurrent:
            self.layer = nn.LSTM(8, 8)
        else:
            self.layer = nn.Linear(8, 8)

    def forward(self, x):
        if self.recurrent:
            return self.layer(x)[0]  # BRK602
        return self.layer(x)
""",
    "the attribute itself, and `not`": """
class Net(nn.Module):
    def __init__(self, recurrent):
        super().__init__()
        self.recurrent = recurrent
        self.layer = nn.Linear(8, 8)
        if not self.recurrent:
            pass
        if self.recurrent:
            self.layer = nn.LSTM(8, 8)

    def forward(self, x):
        if not self.recurrent:
            return self.layer(x)
        return self.layer(x)[0]  # BRK602
""",
    "an attribute of a parameter, compared with a constant": """
class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.kind = config.kind
        if config.kind == "gru":
            self.cell = nn.GRU(8, 8)
        else:
            self.cell = nn.Linear(8, 8)

    def forward(self, x):
        if self.kind == "gru":
            x, _ = self.cell(x)  # BRK602
        elif self.kind == "linear":
            x = self.cell(x)
        return x
""",
    "above the constructor of the base class": """
class Base(nn.Module):
    def __init__(self, flag):
        super().__init__()
        self.flag = True
        if flag:
            self.flag = False
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        if self.flag:
            x, _ = self.layer(x)  # BRK602
        return x


class Net(Base):
    def __init__(self, flag):
        super().__init__(flag)
        if self.flag:
            self.layer = nn.LSTM(8, 8)
""",
    "the flag is stored again": """
class Net(nn.Module):
    def __init__(self, recurrent):
        super().__init__()
        self.recurrent = recurrent
        if recurrent:
            self.layer = nn.LSTM(8, 8)
        else:
            self.layer = nn.Linear(8, 8)

    def switch(self):
        self.recurrent = True

    def forward(self, x):
        if self.recurrent:
            return self.layer(x)
        return x
""",
    "the attribute is stored again": """
class Net(nn.Module):
    def __init__(self, recurrent):
        super().__init__()
        self.recurrent = recurrent
        if recurrent:
            self.layer = nn.LSTM(8, 8)
        else:
            self.layer = nn.Linear(8, 8)
        setattr(self, "layer", nn.Linear(8, 8))

    def forward(self, x):
        if self.recurrent:
            return self.layer(x)
        return x
""",
    "a class that stores the flag after the constructor of its base": """
class Base(nn.Module):
    def __init__(self, recurrent):
        super().__init__()
        self.recurrent = recurrent
        if recurrent:
            self.layer = nn.LSTM(8, 8)
        else:
            self.layer = nn.Linear(8, 8)


class Net(Base):
    def __init__(self):
        super().__init__(False)
        self.recurrent = True

    def forward(self, x):
        if self.recurrent:
            return self.layer(x)
        return x
""",
    "a list that was filled since": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        names = []
        self.names = names
        if names:
            self.layer = nn.LSTM(8, 8)
        else:
            self.layer = nn.Linear(8, 8)
        names.append("x")

    def forward(self, x):
        if self.names:
            return self.layer(x)
        return x
""",
}


@pytest.mark.parametrize("code", CASES.values(), ids=CASES)
def test_a_repeated_test_tells_what_was_stored(code: str) -> None:
    source = HEAD + code.lstrip()
    assert findings(source) == marked(source)
