"""The clock of a whole run: what its wall time went into."""

from __future__ import annotations

import time

from breaklint.verify.host.schedule import Step

TIMING, COMPILING, CHECKS, REST = "timing", "compile", "checks", "rest"
STEPS = {
    TIMING: ("time", "sweep", "retime"),
    COMPILING: ("compile",),
    CHECKS: ("reference", "twin", "rewritten", "differ", "probe", "inspect", "bisect", "climb", "repro"),
}
KINDS = {name: kind for kind, names in STEPS.items() for name in names}


class Clock:
    """Shares out wall time: to timing while anything is timed, else to compiling, else to checks, else it is rest."""

    def __init__(self) -> None:
        self._beside: dict[Step, int] = {}
        self._seconds = dict.fromkeys((TIMING, COMPILING, CHECKS, REST), 0.0)
        self._since = self._started = time.perf_counter()

    def begun(self, step: Step) -> None:
        """A step has begun."""
        self._advance()
        self._beside[step] = 0
        same = [other for other in self._beside if other.name == step.name]
        for other in same:
            self._beside[other] = max(self._beside[other], len(same) - 1)

    def ended(self, step: Step) -> int:
        """A step has ended; how many others of its name ran at the same time at the most."""
        self._advance()
        return self._beside.pop(step)

    def shares(self) -> dict[str, float]:
        """Seconds by kind, and `wall`, their sum."""
        self._advance()
        return {"wall": self._since - self._started, **self._seconds}

    def _advance(self) -> None:
        now = time.perf_counter()
        kinds = {KINDS.get(step.name, REST) for step in self._beside}
        kind = next((kind for kind in STEPS if kind in kinds), REST)
        self._seconds[kind] += now - self._since
        self._since = now
