"""The script an arm's process runs: JSON requests in, one JSON reply a line out.

It is started by path, so that it also works under an interpreter in which breaklint is not installed: the package is
taken from the folder above, and nothing but torch and the standard library is imported.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

HERE = Path(__file__).resolve().parent.parent
REMEDY = "pip install torch, or name an interpreter that has it with --python"
Operations = dict[str, Callable[..., Any]]


def main() -> None:
    """Be an arm's process; with a socket's descriptor and modules as arguments, be the process that arms fork from."""
    _adopt_package()
    if len(sys.argv) == 1:
        serve()
        return
    from breaklint.verify.arm.prefork import fork_on_request

    fork_on_request(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:], serve)


def serve(compiles: bool = True) -> None:
    """Answer requests until the other side closes the pipe."""
    sys.dont_write_bytecode = True  # the folders of targets stay as they are
    pid = os.getpid()
    requests, replies = _claim_streams()
    operations: Operations = {}
    for line in requests:
        request = json.loads(line)
        try:
            operations = operations or _operations(compiles)
            record = request.pop("recorded_in", None)
            reply = operations[request.pop("op")](**request)
            reply = _recorded(record, *reply) if record else reply
        except BaseException as error:  # noqa: BLE001 - user code may raise anything, SystemExit included
            reply = {"error": _describe(error)}
        if "replaced" in operations and (replaced := operations["replaced"]()["replaced"]):
            reply["replaced"] = replaced
        if os.getpid() != pid:  # user code forked: the child must not answer for its parent
            os._exit(1)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
    os._exit(0)  # exit handlers of user code and compile pools may hang


def _recorded(path: str, reply: dict[str, Any], seen: Any) -> dict[str, Any]:
    """The reply to a request that records what it has seen."""
    import torch

    torch.save(seen, path)
    return reply


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
    """The requests by name: each method of what arms and their comparison do, and what was replaced meanwhile."""
    if compiles:
        importlib.import_module("torch._dynamo")
    from breaklint.verify.arm.arm import Arm
    from breaklint.verify.arm.comparer import Comparer
    from breaklint.verify.arm.guard import replaced, watched

    arm, comparer, measured_with = Arm(), Comparer(), watched()
    operations = {name: getattr(arm, name) for name in vars(Arm) if not name.startswith("_")}
    compared = {f"compare_{name}": getattr(comparer, name) for name in vars(Comparer) if not name.startswith("_")}
    return operations | compared | {"replaced": lambda: {"replaced": replaced(measured_with)}}


def _describe(error: BaseException) -> dict[str, str]:
    """What happened, in one line that ends with the user's own line where there is one."""
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return {"kind": "load", "message": f"torch is not installed for {sys.executable}: {REMEDY}"}
    from breaklint.verify.arm.user_lines import user_line

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


if __name__ == "__main__":
    main()
