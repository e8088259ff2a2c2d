"""A process that has imported torch, but not started CUDA, and forks an arm's process whenever it is requested.

It is the script `worker` started with arguments. Requests come over a Unix socket, one JSON object a line.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import select
import socket
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from unittest.mock import patch

CUDA_NOT_STARTED = 3
LATER = "--later"
MOMENT_S = 0.02
"""Requests that follow each other do not wait for a module to be imported between them."""
INDUCTOR = "torch._inductor.compile_fx"


def fork_on_request(channel: socket.socket, modules: list[str], serve: Callable[[bool], None]) -> None:
    """Answer until the other side closes the channel, then end the process.

    `{"env": …, "folder": …, "whole": …}` with three descriptors forks an arm that runs `serve` there, with these as its
    streams; `{"poll": pid}` asks for its exit code. `modules` are to be imported first; after `LATER` come those that
    only arms which compile need (`whole`), and which are imported while no request waits.
    """
    gc.disable()  # looking at what is imported, again and again, takes a fifth of the time; arms collect again
    at = modules.index(LATER) if LATER in modules else len(modules)
    prepared = _Preparation(modules[:at], modules[at + 1 :])
    while True:
        if prepared.is_open and not _waits(channel, MOMENT_S):
            prepared.step()
            continue
        request = _receive(channel)
        if not request:
            os._exit(0)
        message, descriptors = request
        if message.get("whole"):
            prepared.finish()
        if "poll" in message:
            reply: dict[str, Any] = {"code": _exit_code(message["poll"])}
        elif prepared.refusal:
            reply = {"refused": prepared.refusal}
        else:
            reply = {"pid": _fork(channel, message, descriptors, serve)}
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(json.dumps(reply).encode() + b"\n")


class _Preparation:
    """What arms inherit, made step by step; `refusal` says why forking would be wrong, if it would."""

    def __init__(self, first: list[str], later: list[str]) -> None:
        self.refusal = _import_all(first)
        self._instructions: _Instructions | None = None
        self._steps = deque[Callable[[], None]](partial(self._import, name) for name in later)
        if later and "BREAKLINT_ON_CPU" in os.environ:  # on a GPU these would start CUDA
            own = [self._find_instructions, self._adopt_instructions] if INDUCTOR in later else []
            self._steps += [*own, partial(_compile_once, "inductor" if own else "eager")]

    @property
    def is_open(self) -> bool:
        """Is there something left to do?"""
        return bool(self._steps) and not self.refusal

    def step(self) -> None:
        """Do the next thing."""
        self._steps.popleft()()

    def finish(self) -> None:
        """Do all that arms which compile need."""
        while self.is_open:
            self.step()

    def _import(self, name: str) -> None:
        self.refusal = _import_all([name])

    def _find_instructions(self) -> None:
        self._instructions = _Instructions()

    def _adopt_instructions(self) -> None:
        assert self._instructions is not None
        self._instructions.adopt()


def _compile_once(backend: str) -> None:
    """Have the compiler trace a small graph, and lower it up to the kernel that would have to be built.

    What it imports and sets up when it first runs takes longer than many a model; arms inherit it, and there are two at
    least.
    """
    import torch._dynamo

    no_gpu = patch.object(torch.cuda, "is_available", lambda: False)  # to read its random state would start CUDA
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait do not survive a fork
    try:
        with suppress(Exception), warnings.catch_warnings(), torch.no_grad(), no_gpu, _nothing_built(backend):
            warnings.simplefilter("ignore")
            # The first call of torch.nn.functional imports most of what is left.
            with torch.random.fork_rng(devices=[]):
                model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Softmax(-1))
            torch.compile(model, backend=backend)(torch.ones(2, 2))
    finally:
        torch.set_num_threads(threads)
        torch._dynamo.reset()
        gc.freeze()


@contextmanager
def _nothing_built(backend: str) -> Iterator[None]:
    """Inside, Inductor builds no kernels, and counts none in the end."""
    if backend != "inductor":
        yield
        return
    from torch._inductor import config, cpp_builder, metrics

    try:
        with patch.object(cpp_builder.CppBuilder, "build", side_effect=OSError), config.patch(fx_graph_cache=False):
            yield
    finally:
        metrics.reset()


def _waits(channel: socket.socket, seconds: float) -> bool:
    """Does a request come within this time, or has the other side closed the channel?"""
    return bool(select.select([channel], [], [], seconds)[0])


def _import_all(modules: list[str]) -> str:
    """Import what arms will need; the answer says why forking would be wrong now, if it would."""
    # torch then asks the driver's monitoring library whether there is a GPU, which leaves CUDA alone.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        return f"{type(error).__name__}: {error}"
    del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]
    gc.freeze()  # else the collector would touch, and so copy, every page in every arm
    return "an import started CUDA" if _cuda_started() else ""


class _Instructions:
    """Finds out which vector instructions the compiler and this processor can use, in a process beside this one.

    Inductor compiles and loads a program for each set of them, which takes longer than most models' kernels. All arms
    inherit the answer, which depends on no model; in Inductor's usual cache the programs stay for later runs.
    """

    def __init__(self) -> None:
        self._answer, answer = os.pipe()
        self._pid = os.fork()
        if self._pid:
            os.close(answer)
            return
        os.setsid()
        with suppress(Exception):  # an arm that needs a C++ compiler tells what is wrong with it
            from torch._inductor import cpu_vec_isa

            # torch has a process load it, since that may crash; this one may, too.
            cpu_vec_isa.VecISA._probe_load = _loads  # type: ignore[method-assign,assignment,attr-defined,unused-ignore]
            os.write(answer, "\n".join(map(str, cpu_vec_isa.valid_vec_isa_list())).encode() + b"\n")
        os._exit(0)

    def adopt(self) -> None:
        """Have Inductor take the answer for its own; without one, every arm finds out for itself."""
        told = b""
        while part := os.read(self._answer, 65536):
            told += part
        os.close(self._answer)
        os.waitpid(self._pid, 0)
        if not told:
            return
        from torch._inductor import cpu_vec_isa

        usable, check = told.decode().splitlines(), cpu_vec_isa.VecISA.check_build
        try:
            cpu_vec_isa.VecISA.check_build = lambda self, code: str(self) in usable  # type: ignore[method-assign]
            cpu_vec_isa.valid_vec_isa_list()
        finally:
            cpu_vec_isa.VecISA.check_build = check  # type: ignore[method-assign]


def _loads(_: object, library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _cuda_started() -> bool:
    """Has anything in this process initialised CUDA, which does not survive a fork?"""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return bool(driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) != CUDA_NOT_STARTED)


def _receive(channel: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    data, descriptors = b"", list[int]()
    while not data.endswith(b"\n"):
        part, received, _, _ = socket.recv_fds(channel, 65536, 3)
        if not part:
            return None
        data, descriptors = data + part, descriptors + received
    return json.loads(data), descriptors


def _exit_code(pid: int) -> int | None:
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return 0
    return os.waitstatus_to_exitcode(status) if ended else None


def _fork(channel: socket.socket, request: dict[str, Any], streams: list[int], serve: Callable[[bool], None]) -> int:
    """Fork an arm, in a session of its own; returns its process id."""
    ready, leading = os.pipe()
    pid = os.fork()
    if pid:
        os.close(leading)
        os.read(ready, 1)  # ends when the arm leads a group of its own: it is by its group that it can be ended
        os.close(ready)
        return pid
    os.setsid()
    gc.enable()
    os.close(ready)
    os.close(leading)
    channel.close()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    serve(bool(request.get("whole")))
    os._exit(0)
