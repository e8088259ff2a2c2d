"""How long a request to an arm may take: as long as the user allows, or a multiple of what it took in other arms."""

from __future__ import annotations

from collections import defaultdict

REFERENCE = ("eager", "before")
"""Arms with the original source, which have no other limit than the user's."""
FACTOR = 20.0
FLOORS = {"rewritten": 60.0, "compile": 120.0, "round": 30.0, "fresh_values": 30.0, "probes": 90.0}
"""Seconds that a request may take in any case; those that are not named have no other limit than the user's."""
LIKE = {"reference": "rewritten"}
"""Requests of the original that take about as long as one of the others."""


class Deadlines:
    """The limits for the arms of one target, by the requests that have been answered so far."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._took: dict[str, dict[str, float]] = defaultdict(dict)

    def note(self, arm: str, op: str, seconds: float) -> None:
        """A request of an arm took so long."""
        took = self._took[LIKE.get(op, op)]
        took[arm] = max(seconds, took.get(arm, 0.0))

    def seconds(self, arm: str, op: str) -> float:
        """How long it may take, as far as is known now."""
        others = [seconds for name, seconds in list(self._took[op].items()) if name != arm]
        if not others or op not in FLOORS or arm in REFERENCE:
            return self._timeout_s
        return min(self._timeout_s, max(FLOORS[op], FACTOR * max(others)))
