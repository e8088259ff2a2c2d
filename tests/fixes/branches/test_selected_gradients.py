"""A safe selection has the gradients of the choice: asked for twice, shared with what comes in, of complex numbers."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {body}
"""
SAVING = [
    "return x * 2 if x.mean() > 0 else x * 3",
    "return x / 2 + 1 if x.mean() > 0 else 1 - x * 3",
    "y = torch.tanh(x) - 0.5\n        return y if y.mean() > 0 else -y",
    "y = x * 2\n        if y.mean() > 0:\n            y = y * 3\n        return y",
]
PASSING = [
    "return x + 1 if x.mean() > 0 else x - 1",
    "return x * 2 if x.mean() > 0 else -x",
    "return x if x.mean() > 0 else x * 2",
    "y = x + 1\n        return y if y.mean() > 0 else y * 2",
    "x = x + 1\n        if x.mean() > 0:\n            x = x * 3\n        return x",
]
OF_COMPLEX = ["return x * 2 if x.std() > 0 else x * 3", "return x * 2 if x.abs().mean() > 0 else x * 3"]


def fixed(body: str, unsafe: bool) -> str:
    return fix_source(MODEL.format(body=body), "model.py", Settings(), unsafe=unsafe).text or ""


def seen(text: str, x: torch.Tensor, seed: torch.Tensor) -> list[Any]:
    """The gradient, whether it is the one that came in, and what a second backward does."""
    names: dict[str, Any] = {}
    exec(text, names)
    leaf, coming = x.clone().requires_grad_(), seed.clone()
    y = names["Net"]()(leaf)
    (gradient,) = torch.autograd.grad(y, leaf, coming, retain_graph=False)
    shared = gradient.data_ptr() == coming.data_ptr()
    try:
        torch.autograd.grad(y, leaf, coming)
    except RuntimeError as error:
        return [str(gradient), shared, str(error)]
    return [str(gradient), shared, ""]


@pytest.mark.parametrize("body", SAVING)
def test_a_side_that_saves_for_backward_is_selected_safely(body: str) -> None:
    text = fixed(body, unsafe=False)
    assert "torch.where" in text
    for x in (torch.ones(3), -torch.ones(3)):
        assert seen(text, x, torch.ones(3)) == seen(MODEL.format(body=body), x, torch.ones(3))


@pytest.mark.parametrize("body", PASSING)
def test_a_side_that_passes_its_gradient_on_is_not_selected_safely(body: str) -> None:
    assert fixed(body, unsafe=False) == ""
    text, differs = fixed(body, unsafe=True), False
    for x in (torch.ones(3), -torch.ones(3)):
        differs |= seen(text, x, torch.ones(3)) != seen(MODEL.format(body=body), x, torch.ones(3))
    assert differs


@pytest.mark.parametrize("body", OF_COMPLEX)
def test_what_may_be_complex_is_not_selected_safely(body: str) -> None:
    assert fixed(body, unsafe=False) == ""
    x, seed = torch.tensor([1 + 1j, 2 + 1j]), torch.full((2,), complex(float("inf"), 0))
    assert seen(fixed(body, unsafe=True), x, seed) != seen(MODEL.format(body=body), x, seed)


def test_a_condition_that_may_warn_is_not_computed_safely_for_every_name() -> None:
    body = "if {}:\n            y = x * 2\n            z = x * 3\n        else:\n            y = x * 3\n"
    body += "            z = x * 4\n"
    assert fixed(body.format("x.mean() > 0") + "        return y, z", unsafe=False)
    assert not fixed(body.format("x.mean() > x.var()") + "        return y, z", unsafe=False)


def test_a_name_that_locals_shows_is_not_assigned_before_the_choice() -> None:
    body = "if x.mean() > 0:\n            k = 2.0\n            y = x * k\n        else:\n            y = x * 3\n"
    assert "k = 2.0\n        y = torch.where" in fixed(f"{body}        return y", unsafe=True)
    assert not fixed(f"{body}        return y, locals()", unsafe=True)
