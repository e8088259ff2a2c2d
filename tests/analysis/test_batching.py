"""What is said to leave rows alone computes of all rows what it computes of each one."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
from harness import INSTALLED_TORCH

from breaklint.analysis.batching import leaves_rows
from breaklint.analysis.model import FunctionModel
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.torchops.facts import for_target

torch = pytest.importorskip("torch")

ARGUMENTS = [
    "", "0", "1", "-1", "2", "-1, 1", "0, 1", "1, 2", "2, 1", "2, 0", "1, -1", "2, -1", "-1, 12", "3, 12", "4, -1",
    "0, 1, 2", "1, 0, 2", "(0, 2, 1)", "dim=0", "dim=1", "dim=-1", "1, 2, dim=1", "2, dim=0",
]  # fmt: skip
NAMES = (
    "abs add chunk amax amin any all argmax argsort clone contiguous cumsum cumprod cos double exp flatten float "
    "half log_softmax logsumexp max mean median min permute prod relu reshape softmax sort split squeeze std sum topk "
    "transpose unflatten unsqueeze var view flip roll tril fill_ mul"
).split()
CALLS = [f"h.{name}({arguments})" for name in NAMES for arguments in ARGUMENTS]


def says_alone(call: str) -> bool:
    """What is said of a call in a function of the rows `h`."""
    project = Project([], str)
    module = project.add("rows.py", f"import torch\n\ndef f(h):\n    return {call}\n")
    function = module.names["f"]
    assert isinstance(function, FunctionInfo)
    inference = SimpleNamespace(
        project=project, facts=for_target(INSTALLED_TORCH), values={}, global_values={}, instances={}
    )
    model = FunctionModel(inference, module, function)
    node = next(part for part in ast.walk(function.node) if isinstance(part, ast.Call) and ast.unparse(part) == call)
    assert isinstance(node.func, ast.Attribute)
    return leaves_rows(model, node.func.attr, node.func.value, node.args, node.keywords)


def results(call: str, rows: torch.Tensor) -> tuple[torch.Tensor, ...] | None:
    """What a call gives of rows; None where torch takes no such arguments."""
    try:
        found = eval(call, {"h": rows.clone(), "torch": torch})
    except (TypeError, RuntimeError, IndexError, ValueError):
        return None
    return (found,) if isinstance(found, torch.Tensor) else tuple(found)


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_computed_alone_where_that_is_said(name: str) -> None:
    rows = torch.randn(3, 4, 6, generator=torch.Generator().manual_seed(3)).abs() + 0.1
    for call in (each for each in CALLS if each.startswith(f"h.{name}(") and "h." not in each[2:]):
        together, apart = results(call, rows), [results(call, row[None]) for row in rows]
        if together is None or None in apart or not says_alone(call):
            continue
        for number, whole in enumerate(together):
            joined = torch.cat([each[number] for each in apart if each is not None])
            torch.testing.assert_close(whole, joined, msg=call)


@pytest.mark.parametrize(
    ("call", "alone"),
    {
        "h.softmax(-1)": True, "h.softmax(0)": False, "h.chunk(2)": False, "h.chunk(2, dim=1)": True, "h.sum()": False,
        "h.view(-1, 24)": True, "h.view(h.shape[0], -1)": True, "h.view(4, -1)": False, "h.transpose(1, 2)": True,
        "h.transpose(-1, -2)": False, "h.permute(0, 2, 1)": True, "h.permute(1, 0, 2)": False, "h.topk(2)": True,
        "h.flatten(1)": True, "h.flatten()": False, "h.relu()": True, "h.fill_(0)": False, "h.bernoulli()": False,
    }.items(),
)  # fmt: skip
def test_dimensions_are_those_of_the_signature(call: str, alone: bool) -> None:
    assert says_alone(call) is alone
