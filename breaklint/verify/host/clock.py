"""The clock of a whole run: what its wall time went into."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

TIMING, COMPILING, CHECKS, REST = "timing", "compile", "checks", "rest"


@dataclass(eq=False)
class Span:
    """One stretch of work; `beside` is how many others of its kind ran at the same time at the most."""

    kind: str
    beside: int = 0


class Clock:
    """Shares out wall time: to timing while anything is timed, else to compiling, else to checks, else it is rest."""

    def __init__(self) -> None:
        self._lock, self._active = threading.Lock(), list[Span]()
        self._seconds = dict.fromkeys((TIMING, COMPILING, CHECKS, REST), 0.0)
        self._since = self._started = time.perf_counter()

    @contextmanager
    def doing(self, kind: str) -> Iterator[Span]:
        """Count what happens inside as `kind`."""
        span = Span(kind)
        with self._lock:
            self._advance()
            self._active.append(span)
            same = [other for other in self._active if other.kind == kind]
            for other in same:
                other.beside = max(other.beside, len(same) - 1)
        try:
            yield span
        finally:
            with self._lock:
                self._advance()
                self._active.remove(span)

    def shares(self) -> dict[str, float]:
        """Seconds by kind, and `wall`, their sum."""
        with self._lock:
            self._advance()
            return {"wall": self._since - self._started, **self._seconds}

    def _advance(self) -> None:
        now = time.perf_counter()
        kinds = {span.kind for span in self._active}
        kind = next((kind for kind in (TIMING, COMPILING, CHECKS) if kind in kinds), REST)
        self._seconds[kind] += now - self._since
        self._since = now
