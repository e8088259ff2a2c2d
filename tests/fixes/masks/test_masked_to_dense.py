"""Masks whose tensors are not all known to have one shape: it is asserted where the code takes it for granted."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from writing import fixed, reason

TWO = "pred: torch.Tensor, target: torch.Tensor"
ASSERTED = {
    "beside a tensor of the mask's shape": (
        "m = target > 0\nd = torch.log(target[m]) - torch.log(pred[m])\nreturn d.mean()",
        "m = target > 0\nassert pred.shape == m.shape\n"
        "d = torch.log(torch.where(m, target, 1)) - torch.log(torch.where(m, pred, 1))\n"
        "return torch.where(m, d, 0).sum() / m.sum()",
    ),
    "in the middle of a function": (
        "m = target > 0\nif m.dim() > 1:\n    return ((pred[m] - target[m]) ** 2).sum()\nreturn pred",
        "m = target > 0\nif m.dim() > 1:\n    assert pred.shape == m.shape\n"
        "    return torch.where(m, (pred - target) ** 2, 0).sum()\nreturn pred",
    ),
    "of a tensor that is made later": (
        "m = target > 0\na = target[m]\nz = pred[:, 0]\nb = z[m]\nreturn (a - b).sum()",
        "m = target > 0\na = target.clone()\nz = pred[:, 0]\nassert z.shape == m.shape\nb = z.clone()\n"
        "return torch.where(m, a - b, 0).sum()",
    ),
    "of a mask that is computed from one of them": (
        "m = (target[:, 0] - pred.mean()).abs() < 1\na = target[:, 0].masked_select(m)\n"
        "b = pred.masked_select(m)\nreturn (a - b).sum()",
        "m = (target[:, 0] - pred.mean()).abs() < 1\nassert target[:, 0].shape == m.shape\n"
        "a = target[:, 0].clone()\nassert pred.shape == m.shape\nb = pred.clone()\n"
        "return torch.where(m, a - b, 0).sum()",
    ),
    "of what is stored in a new tensor": (
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\ny[m] = target[m] - pred[m]\nreturn y",
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\nassert y.shape == m.shape\n"
        "assert target.shape == m.shape\nassert pred.shape == m.shape\n"
        "y.copy_(torch.where(m, target - pred, y))\nreturn y",
    ),
    "of a product, whose other elements have no part": (
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\ny[m] = target[m] * pred[m]\nreturn y",
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\nassert y.shape == m.shape\n"
        "assert target.shape == m.shape\nassert pred.shape == m.shape\n"
        "y.copy_(torch.where(m, torch.where(m, target, 1) * torch.where(m, pred, 1), y))\nreturn y",
    ),
}
OVER = "(target > 0)[(...,) + (None,) * (pred.ndim - target.ndim)]"
SUM = f"return torch.where({OVER}, pred, 0).sum()"
SPREAD = {
    "by itself": ("return pred[target > 0].sum()", SUM),
    "a mask with a name": (
        "m = target > 0\nreturn (pred[m] - pred[m]).sum()",
        "m = target > 0\nreturn torch.where(m[(...,) + (None,) * (pred.ndim - m.ndim)], pred - pred, 0).sum()",
    ),
    "an average": (
        "return pred[target > 0].mean()",
        f"return torch.where({OVER}, pred, 0).sum() / {OVER}.expand_as(pred).sum()",
    ),
    "an average of rows": (
        "return pred[target > 0].mean(dim=0)",
        f"return torch.where({OVER}, pred, 0).flatten(0, target.ndim - 1).sum(dim=0) / (target > 0).sum()",
    ),
    "a sum of rows": (
        "return torch.sum(pred[target > 0], 0)",
        f"return torch.where({OVER}, pred, 0).flatten(0, target.ndim - 1).sum(dim=0)",
    ),
    "of unbounded slope": (
        "return torch.log(pred[target > 0]).sum()",
        f"return torch.where({OVER}, torch.log(torch.where({OVER}, pred, 1)), 0).sum()",
    ),
    "what is stored": (
        "y = pred.float() * 3\ny[target > 0] = y[target > 0] * 0.5\nreturn y",
        f"y = pred.float() * 3\ny = torch.where({OVER.replace('pred', 'y')}, y * 0.5, y)\nreturn y",
    ),
}
ALIKE = {
    "where something else is asserted": "assert target.dim() == pred.shape\n",
    "where only names are asserted": "assert target.names == pred.names\n",
    "where one size is asserted": "assert target.size(0) == pred.size(0)\n",
    "where nothing is measured": "assert target.sum() == pred.shape\n",
}
DECLINED = {
    "that is made of a part of it": "m = target[0] > 0\ny = target.clone()\ny[m] = target[m] * 2\nreturn y",
    "that is made of its sums": "m = target.sum(0) > 0\ny = target.clone()\ny[m] = target[m] * 2\nreturn y",
    "that stores into another": "m = target[0] > 0\ny = torch.zeros(3)\ny[m] = pred[m] * 2\nreturn y",
    "that a name holds": "m = target > 0\ny = pred[m]\nreturn y.sum()",
    "without a name": "m = target > 0\nreturn (pred @ pred)[m].sum()",
}
SHAPES = [((4,), (4,)), ((4,), (4, 3)), ((4,), (4, 3, 2)), ((4, 3), (4, 3)), ((4, 3), (4, 3, 2)), ((2, 2), (2, 2))]


@pytest.mark.parametrize(("before", "after"), ASSERTED.values(), ids=ASSERTED)
def test_the_shapes_are_asserted(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == after


@pytest.mark.parametrize("body", DECLINED.values(), ids=DECLINED)
def test_a_tensor_may_have_more_dimensions_than_its_mask(body: str) -> None:
    assert fixed(body, arguments=TWO) == body
    assert reason(body, arguments=TWO) == "the mask is not known to have the shape of the tensor"


@pytest.mark.parametrize(("before", "after"), SPREAD.values(), ids=SPREAD)
def test_a_mask_of_rows_is_spread_over_their_elements(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == after


@pytest.mark.parametrize("before", ALIKE.values(), ids=ALIKE)
def test_no_other_assert_tells_that_shapes_are_equal(before: str) -> None:
    assert fixed(f"{before}return pred[target > 0].sum()", arguments=TWO) == before + SUM


@pytest.mark.parametrize(("before", "after"), SPREAD.values(), ids=SPREAD)
@pytest.mark.parametrize(("mask", "shape"), SHAPES, ids=str)
def test_spread_masks_select_the_same_elements(
    before: str, after: str, mask: tuple[int, ...], shape: tuple[int, ...]
) -> None:
    torch = pytest.importorskip("torch")
    found = []
    for body in (before, after):
        names: dict[str, Any] = {"torch": torch}
        exec("def f(pred, target):\n" + textwrap.indent(body, "    "), names)
        torch.manual_seed(0)
        pred = torch.rand(shape, requires_grad=True)
        result = names["f"](pred, torch.randn(mask))
        result.sum().backward()
        found.append((result, pred.grad))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("index", [":, n > 1", "n > 1, :", "n > 1, 0", "..., n > 1", "n > 1, n > 1"])
def test_a_mask_along_one_of_several_dimensions_is_left(index: str) -> None:
    body = f"y = torch.zeros(4, 4)\nn = x.sum(0)\ny[{index}] *= 0\nreturn y"
    assert fixed(body) == body
