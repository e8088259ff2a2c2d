"""What the targets of a run share: their turns on a machine, and its slots for work."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


class StoppedError(Exception):
    """The run was interrupted."""


class Turns:
    """A lock that targets share while they run, and that one takes for itself to be timed again.

    Args:
        devices: the devices among which targets are distributed.
        beside: how many targets of one device run at the same time.
        waiting: how many targets may wait to be timed alone; then none begins before they were.
    """

    def __init__(self, devices: Sequence[str], beside: int, waiting: int) -> None:
        self._devices, self._beside, self._most = devices, beside, waiting
        self._change = threading.Condition()
        self._running, self._waiting = Counter[str](), 0
        self._is_alone = self._drains = self._is_stopped = False

    @contextmanager
    def shared(self) -> Iterator[str]:
        """Run beside other targets, on the device that is given."""
        with self._change:
            self._wait_until(self._has_room)
            device = self._least_used()
            self._running[device] += 1
        try:
            yield device
        finally:
            self._give_back(device)

    @contextmanager
    def alone(self, device: str) -> Iterator[None]:
        """Inside the turn of a target: let all others end or wait as well, and run with nothing beside."""
        with self._change:
            self._running[device] -= 1
            self._waiting += 1
            self._drains |= self._waiting >= self._most
            self._change.notify_all()
            try:
                self._wait_until(lambda: not self._is_alone and not self._running.total())
            finally:
                self._waiting -= 1
                self._running[device] += 1
            self._is_alone, self._drains = True, self._waiting > 0
            self._running[device] -= 1
        try:
            yield
        finally:
            with self._change:
                self._is_alone = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._is_stopped or not (self._drains or self._is_alone))
                self._running[device] += 1

    def stop(self) -> None:
        """Let no target begin any more."""
        with self._change:
            self._is_stopped = True
            self._change.notify_all()

    def check(self) -> None:
        """Raise StoppedError after `stop`."""
        if self._is_stopped:
            raise StoppedError

    def _wait_until(self, is_possible: Callable[[], bool]) -> None:
        self._change.wait_for(lambda: self._is_stopped or is_possible())
        self.check()

    def _has_room(self) -> bool:
        return not (self._drains or self._is_alone) and self._running[self._least_used()] < self._beside

    def _least_used(self) -> str:
        return min(self._devices, key=lambda name: self._running[name])

    def _give_back(self, device: str) -> None:
        with self._change:
            self._running[device] -= 1
            self._change.notify_all()


class Machine:
    """The turns of targets, `slots` for steps that compute, and `starts` for arms that start."""

    def __init__(self, turns: Turns, slots: int, starts: int) -> None:
        self.turns = turns
        self._slots, self.starts = threading.Semaphore(slots), threading.Semaphore(starts)

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Wait for a slot, and hold it."""
        self.turns.check()
        with self._slots:
            self.turns.check()
            yield
