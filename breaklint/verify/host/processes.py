"""Arms' processes: forked from one that has imported torch if the system can, else started one by one."""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from breaklint.source.shown_paths import shown_in
from breaklint.verify.judge.results import ArmFailure

_SCRIPT = Path(__file__).parent.with_name("arm") / "worker.py"
_CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
_STARTING = "start"
_BESIDE = (_STARTING, "trace", "compile")
"""Requests that hardly need the device: on a GPU they disturb no arm that is timed there."""


class ArmError(Exception):
    """An arm did not answer; `failure` is the reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.failure = ArmFailure(kind, message)


class Launcher:
    """Context manager that starts arms' processes under one interpreter."""

    def __init__(self, python: str, backend: str, compile_threads: int = 0, on_cpu: bool = False) -> None:
        # Spinning threads occasionally make a busy machine a hundred times slower, and hide other effects.
        self._env = {**os.environ, "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "PASSIVE")}
        if compile_threads:
            self._env.setdefault("TORCHINDUCTOR_COMPILE_THREADS", str(compile_threads))
        if not on_cpu:  # else each arm compiles programs to look for vector instructions
            self._env.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
        self._python = python or sys.executable
        self._server = Server(self._python, backend, "cpu" if on_cpu else "cuda", self._env) if _CAN_FORK else None

    def start(self, env: dict[str, str], stderr: IO[bytes], compiles: bool = True) -> Process:
        """Start a process; one that never `compiles` need not wait until the modules of compilers are imported."""
        forked = self._server.fork(env, stderr, compiles) if self._server else None
        return forked or subprocess.Popen(
            [self._python, str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**self._env, **env},
            start_new_session=True,
        )

    def __enter__(self) -> Launcher:
        """The launcher itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process that forks; the arms it forked live on."""
        if self._server:
            self._server.close()


class Server:
    """The process from which arms are forked: this side of `worker.fork_on_request`."""

    def __init__(self, python: str, backend: str, device: str, env: dict[str, str]) -> None:
        self._lock = threading.Lock()
        self._channel, theirs = socket.socketpair()
        self._answers = self._channel.makefile()
        with theirs:
            self._process = subprocess.Popen(
                [python, str(_SCRIPT), str(theirs.fileno()), backend, device],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def fork(self, env: dict[str, str], stderr: IO[bytes], whole: bool) -> Forked | None:
        """A forked arm; None if the server refuses or has ended."""
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        streams = [request_end, reply_end, stderr.fileno()]
        answer = self.ask({"env": env, "folder": os.getcwd(), "whole": whole}, streams)
        os.close(request_end)
        os.close(reply_end)
        if "pid" in answer:
            return Forked(answer["pid"], os.fdopen(requests, "wb"), os.fdopen(replies, "rb"), self)
        os.close(requests)
        os.close(replies)
        return None

    def ask(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Its answer, or an empty one if it has ended."""
        with self._lock, suppress(OSError, ValueError):  # it is closed, or ended within a line
            socket.send_fds(self._channel, [json.dumps(request).encode() + b"\n"], descriptors)
            answer: dict[str, Any] = json.loads(self._answers.readline() or "{}")
            return answer
        return {}

    def close(self) -> None:
        """End the process."""
        self._answers.close()
        self._channel.close()
        self._process.kill()
        self._process.wait()


class Forked:
    """A process that is the server's child, as much of `subprocess.Popen` as a worker needs."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], server: Server) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self._server = server
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once it has ended; TimeoutExpired if it has not ended in time."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._code is None:
            self._code = self._server.ask({"poll": self.pid}, []).get("code", 0 if self._is_gone() else None)
            if self._code is not None:
                break
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("arm", timeout or 0.0)
            time.sleep(0.005)
        return self._code

    def _is_gone(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False


Process = subprocess.Popen[bytes] | Forked
"""The process of an arm; its id is also the id of its session and process group."""


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
