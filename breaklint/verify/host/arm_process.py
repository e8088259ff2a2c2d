"""One arm's process: requests, pauses and its end."""

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
from pathlib import Path
from typing import Any

from breaklint.source.shown_paths import shown_in
from breaklint.verify.host.processes import Launcher
from breaklint.verify.judge.results import ArmFailure

_STARTING = "start"
_BESIDE = (_STARTING, "trace", "compile")
"""Requests that hardly need the device: on a GPU they disturb no arm that is timed there."""


class ArmError(Exception):
    """An arm did not answer; `failure` is the reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.failure = ArmFailure(kind, message)


def caches_in(folder: Path) -> dict[str, str]:
    """The environment variables that put the compilers' caches into this folder."""
    return {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}


class Worker:
    """One arm's process; `folder` is for its standard error and the caches of compilers, which begin empty."""

    def __init__(
        self, launcher: Launcher, folder: Path, timeout_s: float, env: Mapping[str, str], compiles: bool = True
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._timeout_s, self._stderr = timeout_s, folder / "stderr.txt"
        with self._stderr.open("wb") as stderr:
            self._process = launcher.start({**caches_in(folder), **env}, stderr, compiles)
        self._change, self._request = threading.Lock(), _STARTING
        self._is_paused = False
        self._stops: list[tuple[float, float]] = []
        self._replies: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, op: str, within_s: float = math.inf, **fields: Any) -> dict[str, Any]:
        """Send a request, and wait for its answer; ArmError if the code failed, or the process crashed or took too
        long.
        """
        assert self._process.stdin is not None
        with self._change:
            self._request = op
            if self._is_paused and op not in _BESIDE:
                self._stop()
        try:
            self._process.stdin.write(json.dumps({"op": op, **fields}).encode() + b"\n")
            self._process.stdin.flush()
            line = self._next_reply(min(self._timeout_s, within_s))
        except queue.Empty:
            self.close()
            raise ArmError("timeout", f"{op} took longer than {min(self._timeout_s, within_s):g} s") from None
        except (ValueError, OSError):  # the pipe is broken, or closed on this side
            line = b""
        self._request = ""
        if not line:
            raise ArmError("crash", self._death(op))
        reply: dict[str, Any] = json.loads(line)
        if error := reply.get("error"):
            raise ArmError(error["kind"], shown_in(error["message"]))
        return reply

    def _next_reply(self, seconds: float) -> bytes:
        """Wait for a line; time for which the process was stopped does not count."""
        started = time.monotonic()
        while (remaining := started + seconds + self.stopped_between(started, math.inf) - time.monotonic()) > 0:
            with suppress(queue.Empty):
                return self._replies.get(timeout=min(remaining, 1.0))
        raise queue.Empty

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def pause(self, wholly: bool = True) -> None:
        """Stop the process, with all it started, until `resume`; unless `wholly`, it may start and compile."""
        with self._change:
            self._is_paused = True
            if wholly or self._request not in _BESIDE:
                self._stop()

    def resume(self) -> None:
        """Let it go on, if it was paused."""
        with self._change:
            self._is_paused = False
            if self._is_stopped:
                self._stops[-1] = self._stops[-1][0], time.monotonic()
                self._signal("SIGCONT")

    def stopped_between(self, start: float, end: float) -> float:
        """Seconds for which it was stopped between two readings of `time.monotonic`, here or in the process."""
        now = time.monotonic()
        return sum(max(0.0, min(end, last, now) - max(start, first)) for first, last in self._stops)

    @property
    def _is_stopped(self) -> bool:
        return bool(self._stops) and self._stops[-1][1] == math.inf

    def _stop(self) -> None:
        if not self._is_stopped:
            self._stops.append((time.monotonic(), math.inf))
            self._signal("SIGSTOP")

    def kill(self) -> None:
        """End the process, and every process that it started, without waiting: after a use of CUDA this takes time."""
        self._signal("SIGKILL")

    def close(self) -> None:
        """End the process and every process it started."""
        self.kill()
        self._process.wait()
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
        lines: list[str] = []
        with suppress(FileNotFoundError):  # its target has been judged meanwhile, and the folder is gone
            lines = self._stderr.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f": {lines[-1].strip()}" if lines else ""
        return f"the process ended during {op} ({how}){last}"
