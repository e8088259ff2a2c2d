"""Which targets run beside each other, and when one of them has the whole machine for itself."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

WAITING = 4
"""So many targets of a device may wait, arms and all, to be timed alone; no other begins then before they were."""


class Turns:
    """Shared by all devices of a machine.

    Args:
        beside: how many targets of one device run at the same time.
        targets: how many there are in all.
        waiting: how many may wait to be timed alone before no other begins.
    """

    def __init__(self, beside: int = 1, targets: int = 1, waiting: int = WAITING) -> None:
        self._beside, self._left, self._most = beside, targets, waiting
        self._running, self._waiting = Counter[str](), Counter[str]()
        self._changed, self._stopped, self._taken = threading.Condition(), False, False
        self._draining = False

    @contextmanager
    def target(self, device: str) -> Iterator[None]:
        """Run one more target, once there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._has_room(device))
            self._running[device] += 1
            self._left -= 1
        try:
            yield
        finally:
            with self._changed:
                self._running[device] -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self, device: str) -> Iterator[None]:
        """Inside of `target`: wait until no other target runs on the machine, and keep it so.

        All that wait then have their turn, one after the other, before the first of them goes on.
        """
        with self._changed:
            self._running[device] -= 1
            self._waiting[device] += 1
            self._draining = self._draining or self._waiting[device] >= self._most
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._stopped or self._is_quiet())
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._waiting[device] -= 1
                self._draining = self._draining and self._waiting.total() > 0
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._stopped or not self._waiting.total())
                self._running[device] += 1

    def stop(self) -> None:
        """Let nobody wait any longer."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _has_room(self, device: str) -> bool:
        return self._running[device] < self._beside and not self._taken and not self._draining

    def _is_quiet(self) -> bool:
        return not self._running.total() and not self._taken and (self._left <= 0 or self._draining)
