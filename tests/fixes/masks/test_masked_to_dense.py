"""Masks whose tensors are not all known to have one shape: it is asserted where the code takes it for granted."""

from __future__ import annotations

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
DECLINED = {
    "by itself": "return pred[target > 0].sum()",
    "beside one whose shape is not known either": "m = target[0] > 0\nreturn (pred[m] - pred[m]).sum()",
    "where something else is asserted": "assert target.dim() == pred.shape\nreturn pred[target > 0].sum()",
    "where only names are asserted": "assert target.names == pred.names\nreturn pred[target > 0].sum()",
    "where one size is asserted": "assert target.size(0) == pred.size(0)\nreturn pred[target > 0].sum()",
    "that stores into another": "m = target[0] > 0\ny = torch.zeros(3)\ny[m] = pred[m] * 2\nreturn y",
    "where nothing is measured": "assert target.sum() == pred.shape\nreturn pred[target > 0].sum()",
}


@pytest.mark.parametrize(("before", "after"), ASSERTED.values(), ids=ASSERTED)
def test_the_shapes_are_asserted(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == after


@pytest.mark.parametrize("body", DECLINED.values(), ids=DECLINED)
def test_a_tensor_may_have_more_dimensions_than_its_mask(body: str) -> None:
    assert fixed(body, arguments=TWO) == body
    assert reason(body, arguments=TWO) == "the mask is not known to have the shape of the tensor"
