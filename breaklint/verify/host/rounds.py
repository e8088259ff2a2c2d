"""How many rounds of samples a target gets: as many as its verdict needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from breaklint.verify.host.measurements import Measurements
from breaklint.verify.host.place import Place
from breaklint.verify.host.timing import Timer
from breaklint.verify.judge.settling import EARLY_DOUBT, early_rounds, is_open, rounds_worth, seems_to_keep, settle
from breaklint.verify.judge.verdict import Doubts
from breaklint.verify.options import VerifyOptions

Progress = Callable[[str, str], None]


class Rounds:
    """Half of the rounds, where they decide beyond doubt; all of them; then more, with nothing else on the machine.

    Args:
        timer: takes the samples.
        measured: what the arms gave, and where the samples go.
        options: the user's demands.
        alone: holds the device for the arms of this target.
        progress: is told what goes on.
    """

    def __init__(
        self,
        timer: Timer,
        measured: Measurements,
        options: VerifyOptions,
        alone: Callable[[], AbstractContextManager[None]],
        progress: Progress,
    ) -> None:
        self._timer, self._measured, self._options = timer, measured, options
        self._alone, self._progress = alone, progress

    def take(self, place: Place) -> None:
        """Take the samples of all arms at `place`."""
        rounds, budget_s = self._options.rounds, self._options.retime_s
        self._progress("timing", f"{rounds} rounds")
        early = early_rounds(rounds)
        a_round_s = self._some(early) / early
        if early < rounds and self._is_open(EARLY_DOUBT):
            self._some(rounds - early)
        with self._alone():
            self._timer.beside()
        is_doubtful = self._is_open() or seems_to_keep(self._measured.arms)
        if not is_doubtful or not rounds_worth(0, rounds, a_round_s, budget_s):
            return
        self._progress("timing", f"noise leaves it undecided; once more, alone, for {budget_s:g} s at most")
        with place.turns.alone(place.device or ""), self._alone():
            self._timer.forget()
            self._timer.beside()
            settled = settle(self._timer.take, self._is_open, time.perf_counter, rounds, a_round_s, budget_s)
        self._measured.settled = settled

    def _some(self, rounds: int) -> float:
        """Seconds that so many rounds took."""
        with self._alone():
            began = time.perf_counter()
            self._timer.take(rounds)
            return time.perf_counter() - began

    def _is_open(self, doubt: float = 1.0) -> bool:
        measured, seed = self._measured, self._options.seed
        noise = measured.noise(seed)
        speeds = {name: measured.speedup("before", name, seed) for name in measured.arms if name != "eager"}
        return is_open(
            measured.arms, Doubts(measured.unstable, measured.incomparable), speeds, noise, self._options, doubt
        )
