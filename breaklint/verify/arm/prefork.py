"""A process that has imported torch, but not started CUDA, and forks an arm's process whenever it is requested.

It is the script `worker` started with arguments. Requests come over a Unix socket, one JSON object a line.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

CUDA_NOT_STARTED = 3


def fork_on_request(channel: socket.socket, ahead: list[str], serve: Callable[[], None]) -> None:
    """Answer until the other side closes the channel, then end the process.

    `{"env": …, "folder": …}` with three descriptors forks an arm that runs `serve` there, with these as its streams;
    `{"poll": pid}` asks for its exit code. `ahead` are modules to import first.
    """
    refusal = _import_ahead(ahead)
    if not refusal and "torch._inductor.compile_fx" in ahead and "BREAKLINT_ON_CPU" in os.environ:
        _know_vector_instructions()
    while request := _receive(channel):
        message, descriptors = request
        if "poll" in message:
            reply: dict[str, Any] = {"code": _exit_code(message["poll"])}
        elif refusal:
            reply = {"refused": refusal}
        else:
            reply = {"pid": _fork(channel, message, descriptors, serve)}
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(json.dumps(reply).encode() + b"\n")
    os._exit(0)


def _import_ahead(modules: list[str]) -> str:
    """Import what arms will need; the answer says why forking would be wrong now, if it would."""
    # torch then asks the driver's monitoring library whether there is a GPU, which leaves CUDA alone.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        return f"{type(error).__name__}: {error}"
    del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]
    gc.collect()
    gc.freeze()  # else the collector would touch, and so copy, every page in every arm
    return "an import started CUDA" if _cuda_started() else ""


def _know_vector_instructions() -> None:
    """Have Inductor find out what the compiler and this processor can do, once for all arms.

    It compiles and loads a program for each set of vector instructions, which takes longer than most models' kernels.
    The arms inherit the answer, which depends on no model; in Inductor's usual cache the programs stay for later runs.
    """
    from torch._inductor.cpu_vec_isa import pick_vec_isa

    with suppress(Exception):  # an arm that needs a C++ compiler tells what is wrong with it
        pick_vec_isa()


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


def _fork(channel: socket.socket, request: dict[str, Any], streams: list[int], serve: Callable[[], None]) -> int:
    """Fork an arm, in a session of its own; returns its process id."""
    ready, leading = os.pipe()
    pid = os.fork()
    if pid:
        os.close(leading)
        os.read(ready, 1)  # ends when the arm leads a group of its own: it is by its group that it can be ended
        os.close(ready)
        return pid
    os.setsid()
    os.close(ready)
    os.close(leading)
    channel.close()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    serve()
    os._exit(0)
