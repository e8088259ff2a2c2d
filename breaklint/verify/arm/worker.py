"""The script of an arm's process: JSON requests in, one JSON reply a line out.

It is started by path, and imports torch and the standard library only: breaklint need not be installed there.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import select
import socket
import sys
import types
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Any, TextIO

HERE = Path(__file__).resolve().parent.parent
REMEDY = "pip install torch, or name an interpreter that has it with --python"
CUDA_SUCCESS = 0
MOMENT_S = 0.02
"""Requests that follow each other do not wait for a module to be imported between them."""
Operations = dict[str, Callable[..., Any]]

# Modules that are imported before arms fork. After a colon: a function to call, whose answer all arms inherit; such a
# module may be missing.
AHEAD = ("torch", "breaklint.verify.arm.arm")
OF_DYNAMO = (
    "torch._dynamo",
    "torch._dynamo.backends.debugging",
    "torch._dynamo.backends.registry:list_backends",
    "torch.export._trace:",
    "torch.distributed.tensor.experimental:",
)
OF_INDUCTOR = (
    "torch._inductor.compile_fx",
    "torch._inductor.codegen.cpp",
    "torch._inductor.codegen.triton",
    "torch._inductor.codecache:torch_key",
    "triton.runtime.cache:triton_key",
    "triton.compiler.compiler:triton_key",
)
OF_INDUCTOR_ON = {
    "cpu": ("torch._inductor.cpu_vec_isa:pick_vec_isa",),  # compiles and loads a program for each set of instructions
    "cuda": (
        "triton.testing:",
        "triton.runtime.driver:driver.active",  # builds a library
        "sympy.tensor.tensor:",
        "torch.utils.cpp_extension:",
        "torch._inductor.codegen.common:init_backend_registration",
        "torch._inductor.choices:",
        "torch._inductor.fx_passes.freezing_patterns:",
        "torch._inductor.fx_passes.fuse_attention:",
        "torch._inductor.fx_passes.mkldnn_fusion:",
        "torch._inductor.fx_passes.pad_mm:",
    ),
}


def main() -> None:
    """Be an arm's process; with a socket's descriptor, a backend and a device, be the process that arms fork from."""
    _adopt_package()
    if len(sys.argv) == 1:
        serve()
        return
    descriptor, backend, device = sys.argv[1:]
    of_backend = (*OF_INDUCTOR, *OF_INDUCTOR_ON[device]) if backend == "inductor" else ()
    fork_on_request(socket.socket(fileno=int(descriptor)), AHEAD, (*OF_DYNAMO, *of_backend))


def serve(compiles: bool = True) -> None:
    """Answer requests until the other side closes the pipe."""
    sys.dont_write_bytecode = sys.pycache_prefix is None  # the folders of targets stay as they are
    pid = os.getpid()
    requests, replies = _claim_streams()
    operations: Operations = {}
    for line in requests:
        request = json.loads(line)
        try:
            operations = operations or _operations(compiles)
            reply = operations[request.pop("op")](**request)
        except BaseException as error:  # noqa: BLE001 - user code may raise anything, SystemExit included
            reply = {"error": _describe(error)}
        if os.getpid() != pid:  # user code forked: the child must not answer for its parent
            os._exit(1)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
    os._exit(0)  # exit handlers of user code and compile pools may hang


def _claim_streams() -> tuple[TextIO, TextIO]:
    """Keep stdin and stdout for the protocol; user code reads nothing and prints into the void."""
    requests, replies = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return requests, replies


def _adopt_package() -> None:
    """Make the folder above `breaklint.verify` without touching the module search path, which belongs to the target."""
    sys.path[0] = str(Path.cwd())
    for name, folder in (("breaklint", HERE.parent), ("breaklint.verify", HERE)):
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


def _operations(compiles: bool) -> Operations:
    """The requests by name: the methods of an arm."""
    if compiles:
        importlib.import_module("torch._dynamo")
    from breaklint.verify.arm.arm import Arm

    arm = Arm()
    return {name: getattr(arm, name) for name in vars(Arm) if not name.startswith("_")}


def _describe(error: BaseException) -> dict[str, str]:
    """An error in one line that ends with the user's own line, if there is one."""
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return {"kind": "load", "message": f"torch is not installed for {sys.executable}: {REMEDY}"}
    from breaklint.verify.arm.process import user_line

    own = getattr(error, "breaklint_kind", None)
    kind = own or _kind(error)
    lines = str(error).strip().splitlines() or ["no message"]
    message = lines[0] if own else f"{type(error).__name__}: {lines[0]}"
    place = user_line(error)
    return {"kind": kind, "message": f"{message} ({place})" if place else message}


def _kind(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return "exit"
    if isinstance(error, ImportError):
        return "missing"
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return "oom"
    if "DefaultCPUAllocator: can't allocate memory" in str(error):
        return "oom"
    module = type(error).__module__
    return "compile" if module.startswith(("torch._dynamo", "torch._inductor", "torch._functorch")) else "exception"


def fork_on_request(channel: socket.socket, first: Sequence[str], later: Sequence[str]) -> None:
    """Answer until the other side closes the channel, then end the process.

    `{"env": …, "folder": …, "whole": …}` with three descriptors forks an arm, with these as its streams; `{"poll":
    pid}` is a query of its exit code. The modules of `later`, which `whole` arms need, are imported while no request
    waits.
    """
    gc.disable()  # repeated collection of imported objects takes a fifth of the time; arms enable it
    refusal, waiting = _preload(first), deque(later)
    while True:
        if waiting and not refusal and not _waits(channel, MOMENT_S):
            refusal = _preload([waiting.popleft()])
            continue
        request = _receive(channel)
        if not request:
            os._exit(0)
        message, descriptors = request
        if message.get("whole") and not refusal:
            refusal = _preload(waiting)
            waiting.clear()
        if "poll" in message:
            reply: dict[str, Any] = {"code": _exit_code(message["poll"])}
        elif reason := refusal or (_cuda_started() and "CUDA was started"):
            reply = {"refused": reason}
        else:
            reply = {"pid": _fork(channel, message, descriptors)}
        for descriptor in descriptors:
            os.close(descriptor)
        channel.sendall(json.dumps(reply).encode() + b"\n")


def _preload(modules: Iterable[str]) -> str:
    """Import the modules of arms; the answer is the reason if an import fails."""
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # torch then counts GPUs without starting CUDA
    try:
        for module, is_optional, name in (entry.partition(":") for entry in modules):
            with suppress(*([Exception] if is_optional else [])):
                imported = importlib.import_module(module)
                if name:
                    attrgetter(name)(imported)()
    except ImportError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]
    gc.freeze()  # else the collector would touch, and so copy, every page in every arm
    return ""


def _waits(channel: socket.socket, seconds: float) -> bool:
    """Whether a request arrives within this time, or the other side closes the channel."""
    return bool(select.select([channel], [], [], seconds)[0])


def _cuda_started() -> bool:
    """Whether CUDA is initialised in this process; it does not survive a fork."""
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


def _fork(channel: socket.socket, request: dict[str, Any], streams: list[int]) -> int:
    """Fork an arm, in a session of its own; returns its process id."""
    ready, leading = os.pipe()
    pid = os.fork()
    if pid:
        os.close(leading)
        os.read(ready, 1)  # ends when the arm has a process group of its own, by which it can be killed
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


if __name__ == "__main__":
    main()
