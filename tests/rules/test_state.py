"""Module state that changes on every call."""

from __future__ import annotations

import pytest
from harness import findings, marked

from breaklint.interp import repeated_calls
from breaklint.lint.engine import check_source
from breaklint.model import Settings

CASES = {
    "a global that is counted and used": """
import torch
N = 0
class Net(torch.nn.Module):
    def forward(self, x):
        global N
        N = N + 1  # BRK701
        return x * N
""",
    "a number that grows to a bound": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.size = 0
    def forward(self, x):
        self.size = min(self.size + 1, 100)  # BRK701
        return x * self.size
""",
    "an attribute of the class": """
import torch
class Net(torch.nn.Module):
    calls = 0
    def forward(self, x):
        type(self).calls += 1  # BRK701
        return x * 2
""",
    "a list that is soon too long to be followed item by item": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = []
        self.last = []
    def forward(self, x):
        self.rows.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])  # BRK702
        self.last.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        self.last.clear()
        return x * len(self.rows)
""",
    "a number that the loop around the calls sets": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
    def forward(self, x):
        return x * self.step  # BRK701
def train(batches):
    net = Net()
    compiled = torch.compile(net)
    for step, batch in enumerate(batches):
        net.step = step
        compiled(batch)
""",
    "a number that is set once before the loop": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
    def forward(self, x):
        return x * self.step
def train(batches, step: int):
    net = Net()
    compiled = torch.compile(net)
    net.step = step
    for batch in batches:
        compiled(batch)
""",
    "layers that are numbered in a loop": """
import torch
class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.place = 0
    def forward(self, x):
        return x * self.place
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(3)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
net = Net()
for place, layer in enumerate(net.layers):
    layer.place = place
compiled = torch.compile(net)
""",
    "a counter that goes round": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
    def forward(self, x):
        self.step = (self.step + 1) % 4
        return x * self.step
""",
    "a list of the file that grows": """
import torch
SEEN = []
class Net(torch.nn.Module):
    def forward(self, x):
        SEEN.append(1)  # BRK702
        return x * 2
""",
    "a text that gets longer": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.path = ""
    def forward(self, x):
        self.path = self.path + "a"  # BRK702
        return x * len(self.path)
""",
    "a list that forward replaces": """
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
    "a list that another method replaces": """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []
    def reset(self):
        self.seen = []
    def forward(self, x):
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
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(source: str) -> None:
    assert findings(source) == marked(source)


UNUSED = """
import torch
N = 0
class Net(torch.nn.Module):
    def forward(self, x):
        global N
        N += 1
        return x * 2
"""


@pytest.mark.parametrize(("torch", "count"), [("2.13", 1), ("2.15", 0)])
def test_a_global_that_nothing_uses_is_guarded_on_before_2_15(torch: str, count: int) -> None:
    assert len(findings(UNUSED, target_torch=torch)) == count


def test_a_float_is_said_to_compile_twice() -> None:
    text = UNUSED.replace("N = 0", "N = 0.0").replace("N += 1", "N += 0.5").replace("x * 2", "x * N")
    assert [finding.message for finding in check_source(text, "model.py", Settings()).findings] == [
        "`N` compiles twice: from then on this float is an input of the graph"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "kwargs.pop('scale', 1)",
        "kwargs['scale'] = x.shape[0]",
        "next(each for each in self.sizes)",
        "next(iter(self.sizes))",
    ],
)
def test_what_a_call_makes_for_itself_is_not_followed(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[object] = []
    monkeypatch.setattr(repeated_calls, "of_region", lambda *given: followed.append(given) or [])
    body = f"    def forward(self, x, **kwargs):\n        {line}\n        return x\n"
    head = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        self.sizes = {}\n"
    check_source(head + body, "net.py", Settings())
    assert not followed
    check_source(head + body.replace(line, "self.sizes.pop(x.shape[0])"), "net.py", Settings())
    assert followed


LONG = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = 0
    def forward(self, x):
"""


@pytest.mark.parametrize(("store", "count"), [("self.seen += 1", 1), ("if self.seen == 0: self.seen += 1", 0)])
def test_a_store_under_a_test_of_what_it_stores_is_no_counter_in_code_too_long_to_run(store: str, count: int) -> None:
    lines = [*(["x = x + 1"] * 900), store, "return x * 2"]
    assert len(findings(LONG + "".join(f"        {line}\n" for line in lines))) == count
