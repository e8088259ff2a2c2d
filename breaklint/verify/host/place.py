"""Where arms run: a device, which those being timed have for themselves, and the clock of the whole run."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from breaklint.verify.host import cores
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.turns import Turns
from breaklint.verify.host.workers import Worker, caches_in

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


@dataclass
class Place:
    """A device. `slots` bounds how many arms of the machine are prepared at a time, `starts` how many start CUDA.

    `turns` are those of all targets of the machine. `device` is what the user requested: None, `cpu`, `cuda` or
    `cuda:1`; of the last, its arms see no other. `core` is where arms that are timed on a GPU run, if one is kept free.
    """

    device: str | None
    launcher: Launcher
    slots: threading.Semaphore
    starts: threading.Semaphore
    clock: Clock
    turns: Turns = field(default_factory=Turns)
    memory_gib: float | None = None
    core: int | None = None
    _timing: threading.Lock = field(default_factory=threading.Lock)
    _change: threading.Lock = field(default_factory=threading.Lock)
    _arms: set[Worker] = field(default_factory=set)
    _timed: set[Worker] = field(default_factory=set)

    @property
    def kind(self) -> str | None:
        """The device by its name inside an arm."""
        return "cuda" if self.device and self.device.startswith("cuda") else self.device

    @property
    def env(self) -> dict[str, str]:
        """What arms need in their environment to see this device alone."""
        _, _, index = (self.device or "").partition(":")
        if not index:
            return {}
        visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
        return {"CUDA_VISIBLE_DEVICES": visible[int(index)] if int(index) < len(visible) else index}

    @contextmanager
    def arm(self, folder: Path, timeout_s: float, caches: Path | None = None) -> Iterator[Worker]:
        """An arm's process on this device, cold unless it gets another's caches."""
        env = self.env | (caches_in(caches) if caches else {})
        worker = Worker(self.launcher, folder, timeout_s, env, self.memory_gib)
        with self._change:
            self._arms.add(worker)
            if self._timed:
                worker.pause()
        try:
            yield worker
        finally:
            with self._change:
                self._arms.discard(worker)
            worker.close()

    @contextmanager
    def alone(self, workers: Iterable[Worker], on_cuda: bool = False) -> Iterator[None]:
        """Keep every other arm off this device, so that `workers` can be timed; on CUDA, all on one core."""
        with self._timing:
            with self._change:
                self._timed = set(workers)
                for arm in self._arms - self._timed:
                    arm.pause()
            try:
                if on_cuda and self.core is not None:
                    for arm in self._timed:
                        cores.move(arm.pid, self.core)
                yield
            finally:
                if on_cuda and self.core is not None:
                    for arm in self._timed:
                        cores.move_back(arm.pid)
                with self._change:
                    for arm in self._arms - self._timed:
                        arm.resume()
                    self._timed = set()

    def abandon(self) -> None:
        """End all arms, whatever they are doing."""
        for arm in list(self._arms):
            arm.close()
