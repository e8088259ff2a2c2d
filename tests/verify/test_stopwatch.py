"""What timing leaves behind."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.observe import Case  # noqa: E402 - needs torch
from breaklint.verify.arm.stopwatch import Stopwatch  # noqa: E402


def test_the_output_that_is_compared_is_that_of_the_last_sample_whatever_else_is_called() -> None:
    calls = []

    def call(x: object) -> object:
        calls.append(x)
        return torch.tensor([float(len(calls))])

    stopwatch = Stopwatch(call, Case(None, (torch.ones(2),), {}), "cpu", train=False, cuda_graphs=False)
    stopwatch.sample()
    sampled = float(stopwatch.last)
    with stopwatch.keeping_last():
        stopwatch.step()
    stopwatch.fresh_values()
    assert len(calls) > sampled == float(stopwatch.last)
