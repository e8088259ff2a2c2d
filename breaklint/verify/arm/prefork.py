"""A process that has imported torch, but not started CUDA, and forks an arm's process whenever it is requested.

It is the script `worker` started with arguments. Requests come over a Unix socket, one JSON object a line.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import socket
from collections.abc import Callable
from typing import Any

from breaklint.verify.arm.preparation import Preparation

CUDA_SUCCESS = 0
LATER = "--later"
MOMENT_S = 0.02
"""Requests that follow each other do not wait for a module to be imported between them."""


def fork_on_request(channel: socket.socket, modules: list[str], serve: Callable[[bool], None]) -> None:
    """Answer until the other side closes the channel, then end the process.

    `{"env": …, "folder": …, "whole": …}` with three descriptors forks an arm that runs `serve` there, with these as its
    streams; `{"poll": pid}` asks for its exit code. `modules` are to be imported first; after `LATER` come those that
    only arms which compile need (`whole`), and which are imported while no request waits.
    """
    gc.disable()  # looking at what is imported, again and again, takes a fifth of the time; arms collect again
    at = modules.index(LATER) if LATER in modules else len(modules)
    prepared = Preparation(modules[:at], modules[at + 1 :])
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
        elif refusal := prepared.refusal or (_cuda_started() and "CUDA was started"):
            reply = {"refused": refusal}
        else:
            reply = {"pid": _fork(channel, message, descriptors, serve)}
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(json.dumps(reply).encode() + b"\n")


def _waits(channel: socket.socket, seconds: float) -> bool:
    """Does a request come within this time, or has the other side closed the channel?"""
    return bool(select.select([channel], [], [], seconds)[0])


def _cuda_started() -> bool:
    """Has anything in this process initialised CUDA, which does not survive a fork?"""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return bool(driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == CUDA_SUCCESS)


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
