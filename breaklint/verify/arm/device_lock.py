"""The lock of an arm on its device: the arm holds it while it may use the device, its parent while others are timed."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: arms are then stopped where there is a way to, and never share the time
    fcntl = None  # type: ignore[assignment]

CAN_LOCK = fcntl is not None


class DeviceLock:
    """A lock on `path`, a file of its own for every arm; both processes open it, and either may hold it.

    `waited_s` is how many seconds `acquire` has waited so far.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._file = path, path.open("a")
        self.waited_s = 0.0

    def acquire(self) -> None:
        """Wait until the other process does not hold it, and hold it."""
        started = time.monotonic()
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self.waited_s += time.monotonic() - started

    def try_acquire(self) -> bool:
        """Hold it if the other process does not, and it is not closed."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, ValueError):
            return False
        return True

    def release(self) -> None:
        """Hold it no longer."""
        with suppress(ValueError):  # it is closed, and so released already
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file, which releases the lock."""
        self._file.close()
