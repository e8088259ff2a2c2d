"""Start arms' processes: forked from one that has imported torch where the system can, else each on its own."""

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

from breaklint.verify.arm.worker import LATER

_SCRIPT = Path(__file__).parent.with_name("arm") / "worker.py"
_CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
# Modules that arms need, imported before the process forks. After a colon: what keeps its answer, which all arms
# inherit; such a module may be missing.
_AHEAD = ("torch", "breaklint.verify.arm.arm")
# Modules that arms which compile need, too.
_AHEAD_OF_DYNAMO = (LATER, "torch._dynamo", "torch._dynamo.backends.debugging")
# Those that arms need with the backend Inductor.
_AHEAD_OF_INDUCTOR = (
    "torch._inductor.compile_fx",
    "torch._inductor.codegen.cpp",
    "torch._inductor.codegen.triton",
    "torch._inductor.codecache:torch_key",
    "triton.runtime.cache:triton_key",
    "triton.compiler.compiler:triton_key",
)
# On a CPU Inductor compiles and loads a program for each set of vector instructions, once in its own cache.
_AHEAD_ON_CPU = ("torch._inductor.cpu_vec_isa:pick_vec_isa",)
# What the first compilation on a GPU takes besides.
_AHEAD_ON_GPU = (
    "triton.testing:",
    "triton.runtime.driver:driver.active",  # builds a library
    "sympy.tensor.tensor:",
    "torch.utils.cpp_extension:",
    "torch.export._trace:",
    "torch.distributed.tensor.experimental:",
    "torch._dynamo.backends.registry:list_backends",
    "torch._inductor.codegen.common:init_backend_registration",
    "torch._inductor.choices:",
    "torch._inductor.fx_passes.freezing_patterns:",
    "torch._inductor.fx_passes.fuse_attention:",
    "torch._inductor.fx_passes.mkldnn_fusion:",
    "torch._inductor.fx_passes.pad_mm:",
)


class Launcher:
    """Context manager that starts arms' processes under one interpreter.

    Args:
        python: the interpreter ("" for this one).
        backend: the backend of torch.compile, whose modules are imported ahead.
        compile_threads: how many kernels an arm may compile at the same time (0: as many as Inductor likes).
        on_cpu: do arms run on the CPU?
    """

    def __init__(self, python: str, backend: str, compile_threads: int = 0, on_cpu: bool = False) -> None:
        # Threads that spin while they wait make a busy machine a hundred times slower now and then, and hide the rest.
        self._env = {**os.environ, "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "PASSIVE")}
        if compile_threads:
            self._env.setdefault("TORCHINDUCTOR_COMPILE_THREADS", str(compile_threads))
        if not on_cpu:  # else each arm compiles programs to look for vector instructions
            self._env.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
        self._python = python or sys.executable
        of_inductor = (*_AHEAD_OF_INDUCTOR, *(_AHEAD_ON_CPU if on_cpu else _AHEAD_ON_GPU))
        ahead = (*_AHEAD, *_AHEAD_OF_DYNAMO, *(of_inductor if backend == "inductor" else ()))
        self._server = _Server(self._python, ahead, self._env) if _CAN_FORK else None

    def start(self, env: dict[str, str], said: IO[bytes], compiles: bool = True) -> Process:
        """Start a process with `env` on top of this one's environment; what it says on stderr goes to `said`.

        One that never `compiles` need not wait until all that compiling takes has been imported.
        """
        forked = self._server.fork(env, said, compiles) if self._server else None
        return forked or subprocess.Popen(
            [self._python, str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
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


class _Server:
    """This side of `worker.fork_on_request`."""

    def __init__(self, python: str, ahead: tuple[str, ...], env: dict[str, str]) -> None:
        self._lock = threading.Lock()
        self._channel, theirs = socket.socketpair()
        self._answers = self._channel.makefile()
        with theirs:
            self._process = subprocess.Popen(
                [python, str(_SCRIPT), str(theirs.fileno()), *ahead],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=env,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def fork(self, env: dict[str, str], said: IO[bytes], whole: bool) -> _Forked | None:
        """A forked arm; None where the server refuses or is gone, so that one has to be started plainly."""
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        answer = self.ask({"env": env, "folder": os.getcwd(), "whole": whole}, [request_end, reply_end, said.fileno()])
        os.close(request_end)
        os.close(reply_end)
        if "pid" in answer:
            return _Forked(answer["pid"], os.fdopen(requests, "wb"), os.fdopen(replies, "rb"), self)
        os.close(requests)
        os.close(replies)
        return None

    def ask(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Its answer, or an empty one when it is gone."""
        with self._lock, suppress(OSError, ValueError):  # it is closed, or ended within a line
            socket.send_fds(self._channel, [json.dumps(request).encode() + b"\n"], descriptors)
            answer: dict[str, Any] = json.loads(self._answers.readline() or "{}")
            return answer
        return {}

    def close(self) -> None:
        self._answers.close()
        self._channel.close()
        self._process.kill()
        self._process.wait()


class _Forked:
    """A process that is the server's child, not ours."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], server: _Server) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self._server = server
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
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


Process = subprocess.Popen[bytes] | _Forked
"""What an arm runs in; its id is also that of its session and process group."""
