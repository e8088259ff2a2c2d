"""Two arms of one program are never called faster, whatever disturbs the machine; what is faster is, on a quiet one."""

from __future__ import annotations

import pytest
from noisy_machine import NOISES, Machine

from breaklint.verify.judge.results import Verdict

PAIRS = 100
"""So many are timed here of each kind; `benchmarks/verify/equal_programs.py` takes twenty times as many."""


@pytest.mark.parametrize("noise", NOISES)
def test_equal_programs_are_not_called_faster(noise: str) -> None:
    verdicts = [Machine(1.0, NOISES[noise], seed).timed() for seed in range(PAIRS)]
    assert verdicts.count(Verdict.CONFIRMED) <= 1


def test_processes_that_differ_by_themselves_are_not_called_faster() -> None:
    verdicts = [Machine(1.0, NOISES["quiet"], seed, apart=0.01).timed() for seed in range(PAIRS)]
    assert Verdict.CONFIRMED not in verdicts


def test_processes_that_are_stuck_on_a_slow_core_are_told_from_slow_programs() -> None:
    machines = [[Machine(1.0, NOISES["quiet"], n, slow_cores=True, gathered=g) for n in range(PAIRS)] for g in (0, 1)]
    claims = [[machine.timed() for machine in each].count(Verdict.CONFIRMED) for each in machines]
    assert claims[0] > PAIRS / 10
    assert claims[1] <= 1
    assert {Machine(1.1, NOISES["quiet"], n, slow_cores=True).timed() for n in range(PAIRS)} == {Verdict.CONFIRMED}


@pytest.mark.parametrize("gain", [1.1, 1.3])
@pytest.mark.parametrize("noise", ["quiet", "drifting"])
def test_what_is_faster_is_called_so(noise: str, gain: float) -> None:
    verdicts = {Machine(gain, NOISES[noise], seed).timed() for seed in range(PAIRS)}
    assert verdicts == {Verdict.CONFIRMED}


@pytest.mark.parametrize("noise", ["autocorrelated", "bursts", "outliers"])
def test_what_is_much_faster_is_called_so_beside_other_work(noise: str) -> None:
    verdicts = [Machine(1.3, NOISES[noise], seed).timed() for seed in range(PAIRS)]
    assert verdicts.count(Verdict.CONFIRMED) >= 0.9 * PAIRS
