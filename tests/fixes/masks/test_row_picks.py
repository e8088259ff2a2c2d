"""The first or last selected element of every row is read by its index."""

from __future__ import annotations

from typing import Any

import pytest
from writing import fixed, model

torch = pytest.importorskip("torch")

TWO = "x: torch.Tensor, ids: torch.LongTensor"
ROWS = "x[torch.arange(x.size(0), device=x.device), "
LAST, FIRST = f"{ROWS}-1 - m.flip(1).int().argmax(1)]", f"{ROWS}m.int().argmax(1)]"
MASK = "m = ids == 2\n"
WRITTEN = {
    "the last": (f"{MASK}return x[m, :].view(x.size(0), -1, x.size(-1))[:, -1, :]", f"{MASK}return {LAST}"),
    "the first": (f"{MASK}return x[m].reshape(len(x), -1, x.shape[2])[:, 0]", f"{MASK}return {FIRST}"),
    "sizes that have names": (
        f"n, d = 1, 2\nn = x.shape[0]\nd = x.size(2)\n{MASK}return x[m].view((n, -1, d))[:, -1] + d",
        f"n, d = 1, 2\nn = x.shape[0]\nd = x.size(2)\n{MASK}return {LAST} + d",
    ),
    "a mask that is computed in place": (
        "return x[ids == 2].view(x.size(0), -1, x.size(-1))[:, -1]",
        f"return {ROWS}-1 - (ids == 2).flip(1).int().argmax(1)]",
    ),
}
LEFT = {
    "another place": f"{MASK}return x[m].view(x.size(0), -1, x.size(-1))[:, 1]",
    "a range of places": f"{MASK}return x[m].view(x.size(0), -1, x.size(-1))[:, -1:]",
    "rows of another tensor": f"y = x[:2]\n{MASK}return x[m].view(y.size(0), -1, x.size(-1))[:, -1]",
    "sizes of what the name was before": f"n = x.size(0)\nx = x[1:]\n{MASK}return x[m].view(n, -1, x.size(-1))[:, -1]",
    "rows counted by the second dimension": f"{MASK}return x[m].view(x.size(1), -1, x.size(-1))[:, -1]",
    "another last size": f"{MASK}return x[m].view(x.size(0), -1, x.size(1))[:, -1]",
    "a known number of each row": f"{MASK}return x[m].view(x.size(0), 2, x.size(-1))[:, -1]",
    "a mask of one dimension": "m = torch.arange(3) > 0\nreturn x[m].view(x.size(0), -1, x.size(-1))[:, -1]",
    "a view that is stored into": f"{MASK}x[m].view(x.size(0), -1, x.size(-1))[:, -1] = 0\nreturn x",
    "a tensor that is no name": f"{MASK}return (x * 2)[m].view(x.size(0), -1, x.size(-1))[:, -1]",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_the_element_is_read_by_its_index(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == after
    assert fixed(after, arguments=TWO) == after


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_other_code_is_left(body: str) -> None:
    assert fixed(body, arguments=TWO) == body


def outcome(body: str, x: Any, ids: Any) -> list[Any]:
    """What the model gives, and the gradient."""
    namespace: dict[str, Any] = {}
    exec(compile(model(body, TWO), "model.py", "exec"), namespace)
    x = x.detach().clone().requires_grad_()
    result = namespace["Net"]()(x, ids)
    (result * torch.arange(result.numel()).view_as(result)).sum().backward()
    return [result.detach(), x.grad]


@pytest.mark.parametrize("of_each", [1, 2, 5])
@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=WRITTEN)
def test_it_is_the_same_element_where_each_row_has_as_many(before: str, after: str, of_each: int) -> None:
    generator = torch.Generator().manual_seed(of_each)
    for shape in ((3, 5, 4), (1, 5, 1), (5, 5, 5)):
        x = torch.randn(shape, generator=generator)
        places = torch.rand(shape[:2], generator=generator).argsort(1)
        ids = torch.where(places < of_each, 2, 3)
        assert all(map(torch.equal, outcome(before, x, ids), outcome(after, x, ids)))
