"""Arms' processes: forked from one that has imported torch if the system can, else started one by one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

_SCRIPT = Path(__file__).parent.with_name("arm") / "worker.py"
_CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")


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
