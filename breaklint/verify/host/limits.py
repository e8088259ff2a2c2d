"""How long a step of an arm may take, by how long the same took in other arms."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable

FACTOR = 20.0
FLOORS = {"rewritten": 60.0, "compile": 120.0, "round": 30.0, "fresh_values": 30.0, "timed": 30.0, "probes": 90.0}
"""Seconds that a step may take in any case; those that are not named have no other limit than the user's."""
LIKE = {"reference": "rewritten"}
"""The step of the original that takes about as long as one of the others."""


class Limits:
    """Steps that have no equal yet may take as long as the user allows; one that has, a multiple of what that took."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s, self._lock = timeout_s, threading.Lock()
        self._took: dict[str, dict[str, float]] = defaultdict(dict)

    def of(self, arm: str) -> Limit:
        """The limits of one arm, which also notes how long its steps take."""
        return Limit(
            lambda op: self._seconds(arm, op),
            lambda op, seconds: self._note(arm, LIKE.get(op, op), seconds),
        )

    def _note(self, arm: str, op: str, seconds: float) -> None:
        with self._lock:
            self._took[op][arm] = max(seconds, self._took[op].get(arm, 0.0))

    def _seconds(self, arm: str, op: str) -> float:
        with self._lock:
            others = [seconds for name, seconds in self._took[op].items() if name != arm]
        if not others or op not in FLOORS or arm in ("eager", "before"):
            return self._timeout_s
        return min(self._timeout_s, max(FLOORS[op], FACTOR * max(others)))


class Limit:
    """`seconds(op)` is what a step may take as far as is known now, `took` notes what one took."""

    def __init__(self, seconds: Callable[[str], float], took: Callable[[str, float], None]) -> None:
        self.seconds, self.took = seconds, took
