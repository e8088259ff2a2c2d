"""What timing leaves behind."""

from __future__ import annotations

import itertools
import time

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.observe import Case  # noqa: E402 - needs torch
from breaklint.verify.arm.stopwatch import SAMPLE_ON_CUDA_S, Stopwatch  # noqa: E402


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


def test_a_sample_on_a_gpu_has_as_many_calls_as_fill_it_though_the_first_ones_are_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = itertools.count()

    def call(x: object) -> object:
        if next(calls) < 10:
            time.sleep(SAMPLE_ON_CUDA_S / 5)
        return x

    stopwatch = Stopwatch(call, Case(None, (torch.ones(2),), {}), "cuda", train=False, cuda_graphs=False)
    monkeypatch.setattr(stopwatch, "wait", lambda: None)
    stopwatch.sample()
    assert stopwatch.calls > 30


def test_a_model_that_takes_things_out_of_its_arguments_can_be_called_again() -> None:
    given = {"x": torch.ones(2)}
    stopwatch = Stopwatch(lambda batch: batch.pop("x"), Case(None, (given,), {}), "cpu", train=False, cuda_graphs=False)
    for _ in range(3):
        stopwatch.step()
    assert stopwatch.last.tolist() == [1, 1]
    assert "x" in given
