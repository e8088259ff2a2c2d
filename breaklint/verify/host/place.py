"""Where arms run: a device, and which of its arms have it while they are timed."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from breaklint.verify.host import cores
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.workers import Worker


@dataclass
class Place:
    """A device: what the user requested, None, `cpu`, `cuda` or `cuda:1`; of the last, its arms see no other.

    `core` is where arms that are timed on a GPU run, if one is kept free; else they share cores, see `gather`.
    """

    device: str | None
    launcher: Launcher
    core: int | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _change: threading.Lock = field(default_factory=threading.Lock)
    _arms: set[Worker] = field(default_factory=set)
    _timed: set[Worker] = field(default_factory=set)
    _gathered_on: set[int] = field(default_factory=set)
    _is_quiet: bool = False

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
    def arm(self, folder: Path, timeout_s: float, compiles: bool = True) -> Iterator[Worker]:
        """An arm's process on this device, with empty caches."""
        worker = Worker(self.launcher, folder, timeout_s, self.env, compiles)
        with self._change:
            self._arms.add(worker)
            if self._timed:
                worker.pause(even_compiling=self._is_quiet)
        try:
            yield worker
        finally:
            with self._change:
                self._arms.discard(worker)
            worker.close()

    @contextmanager
    def alone(self, workers: Iterable[Worker]) -> Iterator[None]:
        """Wait for the turn of `workers` to be timed, and keep every other arm off this device meanwhile."""
        with self._turn:
            with self._change:
                self._timed = set(workers)
                for arm in self._arms - self._timed:
                    arm.pause()
            try:
                yield
            finally:
                self._move(set())
                with self._change:
                    for arm in self._arms - self._timed:
                        arm.resume()
                    self._timed, self._is_quiet = set(), False

    def stop_others(self) -> None:
        """Inside `alone`, stop those arms as well that still compile."""
        with self._change:
            self._is_quiet = True
            for arm in self._arms - self._timed:
                arm.resume()
                arm.pause(even_compiling=True)

    def gather(self, draw: random.Random, threads: int, on_cuda: bool) -> None:
        """Run all arms that are timed on the same cores, enough for their threads and drawn again for each round.

        One thread feeds a GPU; it has the core that is kept free, where there is one.
        """
        kept = {self.core} if on_cuda and self.core is not None else set[int]()
        self._move(kept or cores.drawn(1 if on_cuda else threads, draw), on_cuda)

    def _move(self, chosen: set[int], feeding: bool = False) -> None:
        """Run them on these cores, or (none) wherever this thread may run."""
        if chosen != self._gathered_on:
            self._gathered_on = chosen
            for arm in self._timed:
                cores.move(arm.pid, chosen or os.sched_getaffinity(0), feeding)

    def abandon(self) -> None:
        """End all arms, whatever they are doing."""
        for arm in list(self._arms):
            arm.close()
