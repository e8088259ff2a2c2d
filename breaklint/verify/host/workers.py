"""The parent's side of an arm's process: start it, ask it, and end it with all it started."""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breaklint.source.shown_paths import shown_in
from breaklint.verify.arm.device_lock import CAN_LOCK, DeviceLock
from breaklint.verify.host.launch import Launcher
from breaklint.verify.judge.results import ArmFailure


class ArmError(Exception):
    """An arm gave no answer; `failure` says why."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.failure = ArmFailure(kind, message)


def caches_in(folder: Path) -> dict[str, str]:
    """The environment that makes compilers keep their caches in this folder."""
    return {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}


class Worker:
    """One arm's process.

    Args:
        launcher: starts it.
        folder: a private folder for what the user's code says and for the compiler's caches, so that every arm
            compiles cold.
        timeout_s: seconds that one request may take.
        env: what else its environment has to hold.
        compiles: will it compile anything?
    """

    def __init__(
        self,
        launcher: Launcher,
        folder: Path,
        timeout_s: float,
        env: Mapping[str, str],
        compiles: bool = True,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = DeviceLock(folder / "device.lock") if CAN_LOCK else None
        self._timeout_s, self._said = timeout_s, folder / "stderr.txt"
        self._kept_off: list[_Span] = []
        with self._said.open("wb") as said:
            self._process = launcher.start({**caches_in(folder), **env}, said, compiles)
        self._replies: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def load(self, location: Mapping[str, Any], setup: Mapping[str, Any]) -> dict[str, Any]:
        """Have it build the model, which every other request needs; raises as `ask` does."""
        return self.ask("load", location=location, setup=setup, lock=str(self._lock.path) if self._lock else "")

    def ask(self, op: str, within_s: float = math.inf, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer, no longer than the timeout or `within_s`.

        Raises:
            ArmError: user code raised or ended the process, the process crashed, or time ran out (which ends it).
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"op": op, **fields}).encode() + b"\n")
            self._process.stdin.flush()
            line = self._next_reply(min(self._timeout_s, within_s))
        except queue.Empty:
            self.close()
            raise ArmError("timeout", f"{op} took longer than {min(self._timeout_s, within_s):g} s") from None
        except (ValueError, OSError):  # the pipe is broken, or closed on this side
            line = b""
        if not line:
            raise ArmError("crash", self._death(op))
        reply: dict[str, Any] = json.loads(line)
        if error := reply.get("error"):
            raise ArmError(error["kind"], shown_in(error["message"]))
        return reply

    def _next_reply(self, seconds: float) -> bytes:
        """Wait for a line; time in which the process was kept off the device does not count."""
        started = time.monotonic()
        while (left := started + seconds + self._kept_off_since(started) - time.monotonic()) > 0:
            with suppress(queue.Empty):
                return self._replies.get(timeout=min(left, 1.0))
        raise queue.Empty

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def paused_between(self, start: float, end: float) -> float:
        """Seconds for which it was stopped between two readings of `time.monotonic`, here or in the process."""
        return sum(span.within(start, end) for span in self._kept_off if span.is_stopped)

    def _kept_off_since(self, start: float) -> float:
        """Seconds for which it was stopped, or would have had to wait had it not been compiling."""
        return sum(span.within(start, math.inf) for span in self._kept_off)

    def pause(self, even_compiling: bool = False) -> None:
        """Keep the process off the device until `resume`.

        One that compiles goes on until it needs the device, unless `even_compiling`; any other is stopped, with all it
        started.
        """
        is_stopped = even_compiling or self._lock is None or not self._lock.try_acquire()
        self._kept_off.append(_Span(is_stopped))
        if is_stopped:
            self._signal("SIGSTOP")

    def resume(self) -> None:
        """Let it go on, if it was paused."""
        span = self._kept_off[-1] if self._kept_off else None
        if span is None or span.end is not None:
            return
        span.end = time.monotonic()
        if span.is_stopped:
            self._signal("SIGCONT")
        elif self._lock is not None:
            self._lock.release()

    def kill(self) -> None:
        """Have the process end, and every process it started; one that has used CUDA takes a while to."""
        self._signal("SIGKILL")

    def close(self) -> None:
        """End the process and every process it started."""
        self.kill()
        self._process.wait()
        if self._lock is not None:
            self._lock.close()
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def _signal(self, name: str) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, getattr(signal, name))
            elif name == "SIGKILL":
                os.kill(self._process.pid, signal.SIGTERM)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as replies:
            for line in replies:
                self._replies.put(line)
        self._replies.put(b"")

    def _death(self, op: str) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:  # it closed the pipe but lives on
            self.close()
            code = self._process.wait()
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        said: list[str] = []
        with suppress(FileNotFoundError):  # its target has been judged meanwhile, and the folder is gone
            said = self._said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f": {said[-1].strip()}" if said else ""
        return f"the process ended during {op} ({how}){last}"


@dataclass
class _Span:
    """A time for which a process is kept off the device, until now if it has no end yet."""

    is_stopped: bool
    start: float = field(default_factory=time.monotonic)
    end: float | None = None

    def within(self, start: float, end: float) -> float:
        """How much of it lies between two moments."""
        last = time.monotonic() if self.end is None else self.end
        return max(0.0, min(end, last) - max(start, self.start))
