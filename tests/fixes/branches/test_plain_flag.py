"""Truth values that NumPy computes in a constructor and a branch asks for."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

MODEL = """\
import numpy as np
import torch


class Net(torch.nn.Module):
    def __init__(self, pads):
        super().__init__()
        {made}

    def forward(self, x: torch.Tensor):
        if {test}:
            x = x * 2
        return x
"""
KEPT = {
    "set twice": ("self.flag = np.sum(pads) != 0\n        self.flag = np.sum(pads) > 1", "self.flag"),
    "a plain bool": ("self.flag = bool(np.sum(pads) != 0)", "self.flag"),
    "a tensor": ("self.flag = torch.tensor(pads) > 0", "self.flag.any()"),
    "part of a larger condition": ("self.total = np.sum(pads)", "self.total > x.shape[0]"),
}


def test_the_constructor_makes_a_plain_bool() -> None:
    before, after = (
        MODEL.format(made=f"self.flag = {made}  # any", test="self.flag")
        for made in ("np.sum(pads) != 0", "bool(np.sum(pads) != 0)")
    )
    assert fix_source(before, "model.py", Settings(), unsafe=True).text == after


@pytest.mark.parametrize(("made", "test"), KEPT.values(), ids=KEPT)
def test_others_stay(made: str, test: str) -> None:
    text = fix_source(MODEL.format(made=made, test=test), "model.py", Settings(), unsafe=True).text
    assert text is None or f"        {made}\n" in text
