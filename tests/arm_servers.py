"""Arms of many runs of verify, forked from one process that has imported torch, which takes longer than most runs.

What a launcher starts (breaklint/verify/host/processes.py) is kept for the next one that needs the same interpreter,
backend and environment. Its arms are processes of their own in either case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from breaklint.verify.host import processes
from breaklint.verify.host.processes import Process

Key = tuple[object, ...]
# Arms that compile no kernels do not read these.
OF_INDUCTOR = {"TORCHINDUCTOR_COMPILE_THREADS", "PATH", "COLUMNS"}
OF_THE_TEST = {"PYTEST_CURRENT_TEST", "TORCHINDUCTOR_CACHE_DIR"}  # every arm has a cache of its own
start: Callable[..., processes.Server] = processes.Server
kept: dict[Key, processes.Server] = {}


class Borrowed:
    """A kept process, as a launcher uses it; closing it leaves it for the next launcher."""

    def __init__(self, server: processes.Server) -> None:
        self._server = server
        self._process = server._process

    def fork(self, env: dict[str, str], said: Any, whole: bool) -> Process | None:
        return self._server.fork(env, said, whole)

    def ask(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        return self._server.ask(request, descriptors)

    def close(self) -> None:
        """Leave it running."""


def key_of(python: str, backend: str, device: str, env: dict[str, str]) -> Key:
    other = OF_THE_TEST if backend == "inductor" else OF_THE_TEST | OF_INDUCTOR
    rest = frozenset((name, value) for name, value in env.items() if name not in other)
    return python, backend == "inductor", device, rest


def keep(python: str, backend: str, device: str, env: dict[str, str]) -> Borrowed:
    """The process kept for these, started where there is none or it has ended."""
    key = key_of(python, backend, device, env)
    if key not in kept or kept[key]._process.poll() is not None:
        kept[key] = start(python, backend, device, env)
    return Borrowed(kept[key])


def borrow(python: str, backend: str, device: str, env: dict[str, str]) -> Borrowed | processes.Server:
    """The process kept for these, or one that ends with its launcher."""
    server = kept.get(key_of(python, backend, device, env))
    return Borrowed(server) if server else start(python, backend, device, env)


def keep_all(servers: Callable[..., Any] = keep) -> None:
    """From now on, launchers in this process share what they start."""
    processes.Server = servers  # type: ignore[assignment, misc]


def close() -> None:
    """End all that are kept."""
    processes.Server = start  # type: ignore[misc]
    while kept:
        kept.popitem()[1].close()


def keep_for_eager() -> None:
    """Start what runs on the CPU with a backend that compiles nothing borrow from now on."""
    keep_all()
    with processes.Launcher("", "eager", on_cpu=True):
        keep_all(borrow)
