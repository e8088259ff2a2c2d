"""The lock of an arm on its device: the arm holds it while it may use the device, its parent while others are timed."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: arms are then stopped where there is a way to, and never share the time
    fcntl = None  # type: ignore[assignment]

CAN_LOCK = fcntl is not None
NEED_NO_DEVICE = ("eager", "aot_eager", "inductor")
_COMPILING = ("DYNAMO", "LAZY_BACKWARD")


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


class YieldingLock(DeviceLock):
    """Held from the beginning, and after `while_compiling` released whenever the compiler runs."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._able = self._given = False
        self.acquire()

    def while_compiling(self, backend: str, mode: str | None) -> None:
        """Give way from now on, save where the compiler measures kernels on the device or its backend is not known."""
        self._able = backend in NEED_NO_DEVICE and not (mode or "").startswith("max-autotune")
        self.install()

    def install(self) -> None:
        """Have the compiler, where it is loaded, call when it starts and when it is done; `reset` undoes that."""
        if self._able and "torch._dynamo" in sys.modules:
            from torch._dynamo.callback import callback_handler

            callback_handler.register_start_callback(self._started)
            callback_handler.register_end_callback(self._ended)

    def _started(self, args: Any) -> None:
        if args.callback_trigger.name in _COMPILING and not _autotunes():
            self.release()
            self._given = True

    def _ended(self, _: Any) -> None:
        if self._given:
            self.acquire()
            self._given = False


def _autotunes() -> bool:
    """Does the model's own code have Inductor measure kernels while it compiles?"""
    from torch._inductor import config

    return bool(config.max_autotune or config.max_autotune_gemm or config.max_autotune_pointwise)
