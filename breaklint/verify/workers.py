"""The parent's side of an arm's process: start it, ask it, and end it with all it started."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from breaklint.verify.paths import shown_in
from breaklint.verify.results import ArmFailure

_SCRIPT = Path(__file__).with_name("worker.py")


class ArmError(Exception):
    """An arm gave no answer; `failure` says why."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.failure = ArmFailure(kind, message)


class Worker:
    """One arm's process. It imports torch from the start, so that several can do so at the same time.

    Args:
        python: the interpreter ("" for this one).
        folder: a private folder for what the user's code says and for the compiler's caches, so that every arm
            compiles cold.
        timeout_s: seconds that one request may take.
    """

    def __init__(self, python: str, folder: Path, timeout_s: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._timeout_s, self._said = timeout_s, folder / "stderr.txt"
        caches = {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}
        # Threads that spin while they wait make a busy machine a hundred times slower now and then, and hide the rest.
        waiting = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "PASSIVE")}
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [python or sys.executable, str(_SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                env={**os.environ, **caches, **waiting},
                start_new_session=True,
            )
        self._replies: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for its answer.

        Raises:
            ArmError: user code raised or ended the process, the process crashed, or time ran out (which ends it).
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"op": op, **fields}).encode() + b"\n")
            self._process.stdin.flush()
            line = self._replies.get(timeout=self._timeout_s)
        except queue.Empty:
            self.close()
            raise ArmError("timeout", f"{op} took longer than {self._timeout_s:g} s") from None
        except (BrokenPipeError, OSError):
            line = b""
        if not line:
            raise ArmError("crash", self._death(op))
        reply: dict[str, Any] = json.loads(line)
        if error := reply.get("error"):
            raise ArmError(error["kind"], shown_in(error["message"]))
        return reply

    def close(self) -> None:
        """End the process and every process it started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def __enter__(self) -> Worker:
        """The worker itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # the pipe was closed under us
            for line in self._process.stdout:
                self._replies.put(line)
        self._replies.put(b"")

    def _death(self, op: str) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:  # it closed the pipe but lives on
            self.close()
            code = self._process.returncode
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        said = self._said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f": {said[-1].strip()}" if said else ""
        return f"the process ended during {op} ({how}){last}"
