"""Arms of many runs of verify, forked from one process that has imported torch, which takes longer than most runs.

What a launcher starts (breaklint/verify/host/launch.py) is kept for the next one that needs the same interpreter,
modules and environment. Its arms are processes of their own in either case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from breaklint.verify.host import launch
from breaklint.verify.host.launch import Process

Key = tuple[object, ...]
INDUCTOR = "torch._inductor.compile_fx"
# Arms that compile no kernels do not read these.
OF_INDUCTOR = {"TORCHINDUCTOR_COMPILE_THREADS", "PATH", "COLUMNS"}
OF_THE_TEST = {"PYTEST_CURRENT_TEST", "TORCHINDUCTOR_CACHE_DIR"}  # every arm has a cache of its own
start: Callable[..., launch._Server] = launch._Server
kept: dict[Key, launch._Server] = {}


class Borrowed:
    """A kept process, as a launcher uses it; closing it leaves it for the next launcher."""

    def __init__(self, server: launch._Server) -> None:
        self._server = server
        self._process = server._process

    def fork(self, env: dict[str, str], said: Any, whole: bool) -> Process | None:
        return self._server.fork(env, said, whole)

    def ask(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        return self._server.ask(request, descriptors)

    def close(self) -> None:
        """Leave it running."""


def key_of(python: str, ahead: tuple[str, ...], env: dict[str, str]) -> Key:
    other = OF_THE_TEST if INDUCTOR in ahead else OF_THE_TEST | OF_INDUCTOR
    return python, ahead, frozenset((name, value) for name, value in env.items() if name not in other)


def keep(python: str, ahead: tuple[str, ...], env: dict[str, str]) -> Borrowed:
    """The process kept for these, started where there is none or it has ended."""
    key = key_of(python, ahead, env)
    if key not in kept or kept[key]._process.poll() is not None:
        kept[key] = start(python, ahead, env)
    return Borrowed(kept[key])


def borrow(python: str, ahead: tuple[str, ...], env: dict[str, str]) -> Borrowed | launch._Server:
    """The process kept for these, or one that ends with its launcher."""
    server = kept.get(key_of(python, ahead, env))
    return Borrowed(server) if server else start(python, ahead, env)


def keep_all(servers: Callable[..., Any] = keep) -> None:
    """From now on, launchers in this process share what they start."""
    launch._Server = servers  # type: ignore[assignment, misc]


def close() -> None:
    """End all that are kept."""
    launch._Server = start  # type: ignore[misc]
    while kept:
        kept.popitem()[1].close()


def keep_for_eager() -> None:
    """Start what runs on the CPU with a backend that compiles nothing borrow from now on."""
    keep_all()
    with launch.Launcher("", "eager", on_cpu=True):
        keep_all(borrow)
