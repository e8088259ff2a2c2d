"""Numbers that are gathered in a list stay tensors, where the list becomes a tensor or is summed."""

from __future__ import annotations

import pytest
from writing import findings, fixed

GATHERED = {
    "a comprehension": (
        "return torch.tensor([row.sum().item() for row in x])",
        "return torch.tensor([row.sum().detach() for row in x])",
    ),
    "a list that is appended to": (
        "values = []\nfor row in x:\n    values.append(row.max().item())\nreturn torch.tensor(values)",
        "values = []\nfor row in x:\n    values.append(row.max().detach())\nreturn torch.tensor(values)",
    ),
    "a mean": (
        "values = [row.sum().item() for row in x]\nreturn x * (sum(values) / len(values))",
        "values = [row.sum().detach() for row in x]\nreturn x * (sum(values) / len(values))",
    ),
    "a name for each": (
        "low, high = [t.item() for t in (x.min(), x.max())]\nreturn (x - low) / (high - low)",
        "low, high = [t.detach() for t in (x.min(), x.max())]\nreturn (x - low) / (high - low)",
    ),
    "a sum at once": (
        "return x / sum(row.sum().item() for row in x)",
        "return x / sum(row.sum().detach() for row in x)",
    ),
    "what may change later": (
        "values = []\nvalues.append(x[0, 0].item())\nx.mul_(2)\nreturn torch.tensor(values) + x",
        "values = []\nvalues.append(x[0, 0].detach().clone())\nx.mul_(2)\nreturn torch.tensor(values) + x",
    ),
}
KEPT = {
    "a list that is returned": "values = [row.sum().item() for row in x]\nreturn x, values",
    "the largest": "return x * max([row.sum().item() for row in x])",
    "an item of the list": "values = [row.sum().item() for row in x]\nreturn x * values[0]",
    "with what is not known": "values = [self.first]\nvalues.append(x.sum().item())\nreturn torch.tensor(values)",
    "with text": 'values = []\nvalues.append(x.sum().item())\nvalues.append("a")\nreturn torch.tensor(values)',
}


@pytest.mark.parametrize(("before", "after"), GATHERED.values(), ids=GATHERED)
def test_the_tensor_is_gathered(before: str, after: str) -> None:
    assert fixed(before, ignore=("BRK5",)) == after


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_number_is_gathered_where_python_needs_it(body: str) -> None:
    fixes = [finding.fix for finding in findings(body) if finding.name == "tensor-item"]
    assert fixes
    assert all(fix is None or fix.applicability.value == "display" for fix in fixes)
