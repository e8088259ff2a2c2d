"""Masks: a selection is written if the mask has the shape of one of the tensors, and shown if that is not known."""

from __future__ import annotations

import pytest
from writing import body_of, findings, fixed, model

from breaklint.model import Applicability
from breaklint.source.edits import apply_edits

TWO = "pred: torch.Tensor, target: torch.Tensor"
TOGETHER = {
    "beside a tensor of the mask's shape": (
        "m = target > 0\nd = torch.sin(target[m]) - torch.sin(pred[m])\nreturn d.mean()",
        "m = target > 0\nd = torch.sin(target) - torch.sin(pred)\nreturn torch.where(m, d, 0).sum() / m.sum()",
    ),
    "in the middle of a function": (
        "m = target > 0\nif m.dim() > 1:\n    return ((pred[m] - target[m]) ** 2).sum()\nreturn pred",
        "m = target > 0\nif m.dim() > 1:\n    return torch.where(m, (pred - target) ** 2, 0).sum()\nreturn pred",
    ),
    "of a tensor that is made later": (
        "m = target > 0\na = target[m]\nz = pred[:, 0]\nb = z[m]\nreturn (a - b).sum()",
        "m = target > 0\na = target.clone()\nz = pred[:, 0]\nb = z.clone()\nreturn torch.where(m, a - b, 0).sum()",
    ),
    "of a mask that is computed from one of them": (
        "m = (target[:, 0] - pred.mean()).abs() < 1\na = target[:, 0].masked_select(m)\n"
        "b = pred.masked_select(m)\nreturn (a - b).sum()",
        "m = (target[:, 0] - pred.mean()).abs() < 1\n"
        "a = target[:, 0].clone()\nb = pred.clone()\n"
        "return torch.where(m, a - b, 0).sum()",
    ),
    "of what is stored in a new tensor": (
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\ny[m] = target[m] - pred[m]\nreturn y",
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\n"
        "y.copy_(torch.where(m, target - pred, y))\nreturn y",
    ),
    "of a product, whose other elements have no part": (
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\ny[m] = target[m] * pred[m]\nreturn y",
        "m = (target > 0) * (pred > 0)\ny = torch.zeros(pred.size())\n"
        "y.copy_(torch.where(m, target * pred, y))\nreturn y",
    ),
}
SHOWN = {
    "a mask of another tensor": ("return pred[target > 0].sum()", "return torch.where(target > 0, pred, 0).sum()"),
    "an average": (
        "return pred[target > 0].mean()",
        "return torch.where(target > 0, pred, 0).sum() / (target > 0).sum()",
    ),
    "what is stored": (
        "y = pred.float() * 3\ny[target > 0] = y[target > 0] * 0.5\nreturn y",
        "y = pred.float() * 3\ny = torch.where(target > 0, y * 0.5, y)\nreturn y",
    ),
    "a mask of rows": (
        "m = target[0] > 0\ny = target.clone()\ny[m] = target[m] * 2\nreturn y",
        "m = target[0] > 0\ny = target.clone()\ny = torch.where(m, target * 2, y)\nreturn y",
    ),
}


@pytest.mark.parametrize(("before", "after"), TOGETHER.values(), ids=TOGETHER)
def test_a_mask_of_one_of_the_tensors_fits_the_others(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == after


@pytest.mark.parametrize(("before", "after"), SHOWN.values(), ids=SHOWN)
def test_a_mask_that_is_not_known_to_fit_is_shown(before: str, after: str) -> None:
    assert fixed(before, arguments=TWO) == before
    fix = next(finding.fix for finding in findings(before, arguments=TWO) if finding.fix)
    assert fix.applicability is Applicability.DISPLAY
    assert body_of(apply_edits(model(before, TWO), list(fix.edits))) == after


@pytest.mark.parametrize("index", [":, n > 1", "n > 1, :", "n > 1, 0", "..., n > 1", "n > 1, n > 1"])
def test_a_mask_along_one_of_several_dimensions_is_left(index: str) -> None:
    body = f"y = torch.zeros(4, 4)\nn = x.sum(0)\ny[{index}] *= 0\nreturn y"
    assert fixed(body) == body
