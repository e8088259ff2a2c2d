"""What a value is after it went through calls, closures and containers."""

from __future__ import annotations

import ast

import pytest
from harness import WriteFiles, findings, marked

from breaklint.interp.callables import Method
from breaklint.interp.lattice import UNKNOWN
from breaklint.lint.engine import Engine
from breaklint.model import Settings

NET = """\
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
"""

CALLS = {
    "a helper's argument": """
    def scale(self, value, factor=1.0):
        if factor > 99:
            return value
        return value * value.max().item()  # BRK201
    def forward(self, x):
        return self.scale(x, factor=3.0 * x.shape[0])
""",
    "a static method": """
    @staticmethod
    def positive(t):
        return t.sum() > 0
    def forward(self, x):
        if self.positive(x):  # BRK301
            return x * 2
        return x
""",
    "positional rest": """
    def mix(self, *tensors):
        return tensors[0] * tensors[1].mean().item()  # BRK201
    def forward(self, x):
        return self.mix(x, x * 2)
""",
    "a closure": """
    def forward(self, x):
        total = x.sum()
        def gate(t):
            if total > 0:  # BRK301
                return t * 2
            return t
        return gate(x)
""",
    "map over tensors": """
    def forward(self, x):
        a, b = map(lambda t: t * 2, (x, x + 1))
        return a * b.mean().item()  # BRK201
""",
    "a function that returns a function": """
    def pick(self, name):
        return {"relu": F.relu, "gelu": F.gelu}[name]
    def forward(self, x):
        return x * self.pick("relu")(x).mean().item()  # BRK201
""",
    "several results": """
    def stats(self, x):
        return x.mean(), x.shape[0]
    def forward(self, x):
        mean, rows = self.stats(x)
        if rows > 2:
            x = x * 2
        if mean > 0:  # BRK301
            x = x * 3
        return x
""",
    "a result that depends on a flag": """
    def pool(self, x, keep: bool = False):
        return x if keep else x.mean()
    def forward(self, x):
        return x * self.pool(x).item()  # BRK201
""",
    "max along a dimension": """
    def forward(self, x):
        values, indices = x.max(dim=1)
        if indices.shape[0] > 99:
            return values
        return values * indices[0].item()  # BRK201
""",
    "recursion": """
    def shrink(self, x, n):
        return x if n == 0 else self.shrink(x * 2, n - 1)
    def forward(self, x):
        return x * self.shrink(x, 3).mean().item()  # BRK201
""",
}

CONTAINERS = {
    "a list that grows": """
    def forward(self, x):
        parts = []
        parts.append(x.mean())
        return x * parts[0].item()  # BRK201
""",
    "a dict by key": """
    def forward(self, x):
        out = {"mean": x.mean(), "rows": x.shape[0]}
        if out["rows"] > 2:
            x = x * 2
        return x * out["mean"].item()  # BRK201
""",
    "unpacking with a star": """
    def forward(self, x):
        first, *rest = x.mean(), x.sum(), x.max()
        return x * rest[0].item()  # BRK201
""",
    "a comprehension": """
    def forward(self, x):
        means = [part.mean() for part in x.chunk(2)]
        return x * means[1].item()  # BRK201
""",
    "zip": """
    def forward(self, x):
        for scale, part in zip((1, 2), x.chunk(2)):
            if scale > 1:
                x = x * part.mean().item()  # BRK201
        return x
""",
    "a conditional expression joins": """
    def forward(self, x):
        factor = x.mean() if self.training else 2.0
        return x * factor
""",
    "an array and an unknown value": """
    def forward(self, x, n):
        tops = torch.topk(x, 2).indices.numpy()
        if n % tops[0] != 0:  # BRK301
            return x + 1
        return x * int(n * tops[1]) if isinstance(tops - n, torch.Tensor) else x
""",
    "rows of a product are vectors": """
    def forward(self, x):
        for pair in torch.cartesian_prod(torch.arange(2), torch.arange(2)):  # BRK501
            x = x + x[:, pair[0]]  # BRK405
        return x
""",
}
METHODS = {**CALLS, **CONTAINERS}
SETTINGS = """
    def forward(self, x):
        settings = {"heads": 8}
        settings.update(heads=settings.heads)
        return x * settings["heads"]
"""


@pytest.mark.parametrize("methods", METHODS.values(), ids=METHODS)
def test_found_exactly_where_marked(methods: str) -> None:
    assert findings(NET + methods) == marked(NET + methods)


def test_of_a_dict_with_keys_as_attributes_only_the_methods_are_known() -> None:
    values = Engine(Settings()).analyse("net.py", NET + SETTINGS).interp.values
    found = {node.attr: value for node, value in values.items() if isinstance(node, ast.Attribute)}
    assert isinstance(found["update"], Method)
    assert found["heads"] is UNKNOWN


def test_a_helper_in_another_file_gets_the_arguments(write_files: WriteFiles) -> None:
    net = (
        NET.replace("class", "from ops import scale\nclass") + "    def forward(self, x):\n        return scale(x, 2)\n"
    )
    ops = "def scale(x, factor):\n    if factor > 1:\n        return x * x.mean().item()  # BRK201\n    return x\n"
    folder = write_files({"net.py": net, "ops.py": ops})
    assert findings(net, str(folder / "net.py")) == marked(ops)


def test_what_a_helper_in_another_file_returns_is_known(write_files: WriteFiles) -> None:
    net = (
        "import torch\nimport ops as o\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        if o.level(x) > 0:  # BRK301\n            return x * o.rows(x)\n"
        "        return x * 2 if o.rows(x) > 3 else x\n"
    )
    ops = "def level(x):\n    return x.mean()\ndef rows(x):\n    return x.shape[0]\n"
    folder = write_files({"net.py": net, "ops.py": ops})
    assert findings(net, str(folder / "net.py")) == marked(net)
