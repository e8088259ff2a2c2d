"""The devices of a run: which targets have a turn on them, and which arms have them alone while they are timed."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from breaklint.verify.host import cores
from breaklint.verify.host.arm_process import Worker
from breaklint.verify.host.processes import Launcher


class StoppedError(Exception):
    """The run was interrupted."""


class Machine:
    """Distributes targets among devices: limits targets of a device, steps, and starts of arms at the same time."""

    def __init__(self, devices: Sequence[str], beside: int, slots: int, starts: int) -> None:
        self._devices, self._beside = devices, beside
        self._change, self._running = threading.Condition(), Counter[str]()
        self._slots, self.starts = threading.Semaphore(slots), threading.Semaphore(starts)
        self._is_stopped = False

    @contextmanager
    def turn(self) -> Iterator[str]:
        """Wait for a device, and run a target on it beside others."""
        with self._change:
            self._change.wait_for(lambda: self._is_stopped or self._running[self._least_used()] < self._beside)
            self.check()
            device = self._least_used()
            self._running[device] += 1
        try:
            yield device
        finally:
            with self._change:
                self._running[device] -= 1
                self._change.notify_all()

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Wait for a slot, and occupy it."""
        self.check()
        with self._slots:
            self.check()
            yield

    def stop(self) -> None:
        """Let no target and no step begin any more."""
        with self._change:
            self._is_stopped = True
            self._change.notify_all()

    def check(self) -> None:
        """Raise StoppedError after `stop`."""
        if self._is_stopped:
            raise StoppedError

    def _least_used(self) -> str:
        return min(self._devices, key=lambda name: self._running[name])


@dataclass
class Place:
    """A device as the user named it (None: the default), and its arms.

    `core` is reserved for the arms that are timed. With `compiles_beside`, other arms compile meanwhile.
    """

    device: str | None
    launcher: Launcher
    core: int | None = None
    compiles_beside: bool = False
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _change: threading.Lock = field(default_factory=threading.Lock)
    _arms: set[Worker] = field(default_factory=set)
    _timed: set[Worker] = field(default_factory=set)
    _gathered_on: set[int] = field(default_factory=set)

    @property
    def kind(self) -> str | None:
        """The device by its name inside an arm."""
        return "cuda" if self.device and self.device.startswith("cuda") else self.device

    @property
    def env(self) -> dict[str, str]:
        """The environment variables with which arms see only this device."""
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
                worker.pause(wholly=not self.compiles_beside)
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
                    arm.pause(wholly=not self.compiles_beside)
            try:
                yield
            finally:
                self._move(set())
                with self._change:
                    for arm in self._arms - self._timed:
                        arm.resume()
                    self._timed = set()

    def stop_others(self) -> None:
        """Inside `alone`, stop those arms as well that still compile."""
        with self._change:
            for arm in self._arms - self._timed:
                arm.pause()

    def gather(self, draw: random.Random, threads: int, on_cuda: bool) -> None:
        """Run the arms that are timed on the reserved core, or on the same cores, drawn again for each round."""
        reserved = {self.core} if on_cuda and self.core is not None else set[int]()
        self._move(reserved or cores.random_cores(1 if on_cuda else threads, draw), on_cuda)

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
