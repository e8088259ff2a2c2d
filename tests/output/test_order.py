"""The first cause is the one whose removal leaves the least outside of graphs, as measured on torch 2.13."""

from __future__ import annotations

from textwrap import dedent

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings
from breaklint.output.order import by_cause

ORDERS = {
    # Removing the mask leaves 3 graphs and eager operators fewer, removing the test none.
    "code after an early exit runs by default": """
        from torch import nn
        class Net(nn.Module):
            def forward(self, x, target):
                mask = target != -100  # 1
                if not mask.any():  # 2
                    return x.sum() * 0
                picked = x[mask] + 1
                return picked.sum() + target[mask].sum()
    """,
    # 24 fewer against one more.
    "a loop that runs in eager mode": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.gate = nn.Linear(8, 4)
                self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))
            def forward(self, x):
                scores = self.gate(x).softmax(-1)
                self.balance = scores.mean(0).max().item()  # 2
                out = torch.zeros_like(x)
                for number, expert in enumerate(self.experts):
                    rows = (scores.argmax(-1) == number).nonzero().squeeze(-1)  # 1
                    out = out.index_add(0, rows, expert(x[rows]))
                return out
    """,
    # 21 fewer against one.
    "a helper that breaks, called in a comprehension": """
        import torch
        from torch import nn
        class Head(nn.Module):
            def forward(self, x):
                if torch.isnan(x).any():  # 1
                    raise ValueError("nan")
                return x.relu()
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.heads = nn.ModuleList(Head() for _ in range(5))
                self.temperature = nn.Parameter(torch.ones(1))
            def forward(self, x):
                t = float(self.temperature)  # 2
                return torch.stack([head(x) / t for head in self.heads]).mean(0)
    """,
    # Two breaks of one line are one cause.
    "two findings on one line": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def forward(self, x, choice):
                counts = torch.bincount(choice, minlength=3).tolist()  # 1
                print("routed")  # 2
                return torch.cat([part + 1 for part in x.split(counts)])
    """,
}


@pytest.mark.parametrize("name", ORDERS)
def test_causes_are_in_the_order_of_what_their_removal_saves(name: str) -> None:
    source = dedent(ORDERS[name])
    marks = {line.rpartition("# ")[2]: row for row, line in enumerate(source.splitlines(), 1) if line[-3:-1] == "# "}
    groups = by_cause(check_source(source, "net.py", Settings(target_torch="2.13")).findings)
    assert [group.row for group in groups if group.breaks] == [marks[number] for number in sorted(marks)]


def test_the_break_of_a_line_stands_before_its_warning() -> None:
    source = (
        "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return [row for row, drop in zip(x, torch.rand(3) > 0.5) if not drop]\n"
    )
    (group,) = by_cause(check_source(source, "net.py", Settings(target_torch="2.13")).findings)
    assert [finding.code for finding in group.findings] == ["BRK501", "BRK303"]
    assert group.head is not None
    assert group.head.code == "BRK303"
