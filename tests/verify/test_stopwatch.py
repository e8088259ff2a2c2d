"""What timing leaves behind."""

from __future__ import annotations

import itertools
import time

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.calls import Case  # noqa: E402 - needs torch
from breaklint.verify.arm.stopwatch import SAMPLE_ON_CUDA_S, Stopwatch  # noqa: E402


def test_a_sample_on_a_gpu_has_as_many_calls_as_fill_it_though_the_first_ones_are_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls, clock = itertools.count(), [0.0]

    def call(x: object) -> object:
        clock[0] += SAMPLE_ON_CUDA_S / (5 if next(calls) < 10 else 1000)
        return x

    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    stopwatch = Stopwatch(call, Case(None, (torch.ones(2),), {}), "cuda", train=False, cuda_graphs=False)
    monkeypatch.setattr(stopwatch, "wait", lambda: None)
    stopwatch.sample()
    assert stopwatch.calls == pytest.approx(1000, abs=1)


def test_a_model_that_takes_things_out_of_its_arguments_can_be_called_again() -> None:
    given = {"x": torch.ones(2)}
    seen = []
    case = Case(None, (given,), {})
    stopwatch = Stopwatch(lambda batch: seen.append(batch.pop("x")), case, "cpu", train=False, cuda_graphs=False)
    for _ in range(3):
        stopwatch.step()
    assert len(seen) == 3
    assert "x" in given
