"""Runs of the command line, forked from a process that has imported it: the imports take most of a run's time.

A run is a process of its own, with its folder, its streams and its exit code. Tests that are about starting (streams,
signals, environments, what is imported) start `python -m breaklint` themselves.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
MODEL = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n        return x\n"
READ_LATE = {"XDG_CONFIG_HOME", "BREAKLINT_FILE_SECONDS"}  # by each run, not when modules are imported
# Modules of processes that commands start, which need torch, and of extras that need not be there.
ELSEWHERE = (
    "breaklint.__main__",
    "breaklint.editor.",
    "breaklint.pytest_plugin",
    "breaklint.testing",
    "breaklint.verify.arm.",
    "breaklint.calls",
    "breaklint.dynamo.rows_ahead",
    "breaklint.dynamo.traced_rows",
    "breaklint.recompiles.calls",
    "breaklint.verify.prove.",
)
# Commands that leave nothing to end: taking apart what their process has imported would take longer than they did.
ALONE = ("clean", "config", "new-rule", "report", "rule", "test", "why")
CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")


class CommandLine:
    """This side: starts the process that forks, asks it for runs, and ends it."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env={**_environment(), "PYTHONPATH": str(PROJECT)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def can_run(self, arguments: Sequence[str]) -> bool:
        """Whether a forked run would be what a started one is: not for a page of help, which another library prints."""
        return bool(arguments) and {"-h", "--help"}.isdisjoint(arguments)

    def run(
        self, arguments: Sequence[str], folder: Path, stdin: str = "", merged: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run `breaklint` with these arguments in a folder; `merged` streams are both the standard output."""
        done = self.run_on_bytes(arguments, folder, stdin.encode(), merged, **environment)
        texts = [out.decode().replace("\r\n", "\n").replace("\r", "\n") for out in (done.stdout, done.stderr)]
        return subprocess.CompletedProcess(done.args, done.returncode, *texts)

    def run_on_bytes(
        self, arguments: Sequence[str], folder: Path, stdin: bytes, merged: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it, and leave what it reads and prints as it is."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            streams = [given.fileno(), out.fileno(), (out if merged else err).fileno()]
            self.begin(arguments, folder, streams, **environment)
            code = self.ended()
            printed = []
            for stream in (out, err):
                stream.seek(0)
                printed.append(stream.read())
        return subprocess.CompletedProcess(["breaklint", *arguments], code, *printed)

    def begin(
        self, arguments: Sequence[str], folder: Path, streams: Sequence[int], prelude: str = "", **environment: str
    ) -> None:
        """Begin a run with these descriptors as its standard streams; no other can begin before it has ended.

        `prelude` is executed in it first.
        """
        whole = {**_environment(), "PYTHONPATH": str(PROJECT), **environment}  # a library may have changed it since
        request = json.dumps([whole, str(folder), prelude, *arguments]).encode() + b"\n"
        socket.send_fds(self._channel, [request[:1]], streams)
        self._channel.sendall(request[1:])

    def ended(self) -> int:
        """The exit code of the run, once it has ended."""
        return int(self._channel.makefile().readline())

    def close(self) -> None:
        """End the process that forks."""
        self._channel.close()
        self._process.wait()


def breaklint(
    folder: Path, *arguments: str | Path, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `breaklint` in a folder: forked, or started for another environment and where the system cannot fork."""
    given = [*map(str, arguments)]
    if environment.keys() <= READ_LATE and (server := forking()) and server.can_run(given):
        return server.run(given, folder, stdin, **environment)
    return subprocess.run(
        [sys.executable, "-m", "breaklint", *given],
        cwd=folder,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        check=False,
    )


@cache
def forking() -> CommandLine | None:
    """The process that forks the runs of tests; None where nothing forks."""
    return CommandLine() if CAN_FORK else None


@cache
def for_editors() -> CommandLine | None:
    """One more, whose runs are sessions of an editor, beside which a test may run others; None where nothing forks."""
    return CommandLine() if CAN_FORK else None


def close() -> None:
    """End the processes that fork runs, if any were needed."""
    for editor in (forking, for_editors):
        if editor.cache_info().currsize and (server := editor()):
            server.close()
        editor.cache_clear()


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def _import_ahead() -> None:
    """Import what commands import, then check and fix a model, which reads what every run needs."""
    import breaklint
    from breaklint.cli import cli

    for module in pkgutil.walk_packages(breaklint.__path__, "breaklint."):
        if not module.name.startswith(ELSEWHERE):
            importlib.import_module(module.name)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "breaklint.toml").write_text("")
        path = Path(folder, "model.py")
        path.write_text(MODEL)
        for options in (["--cache-dir", folder], ["--no-cache", "--unsafe-fixes", "--diff"]):
            sys.argv[1:] = ["check", *options, str(path)]
            with suppress(SystemExit):
                cli.main(sys.argv[1:], prog_name="breaklint", standalone_mode=False)
    gc.collect()
    gc.freeze()


def _serve(channel: socket.socket) -> list[str]:
    """Fork a run for every request; returns its arguments in the run, and ends when the other side closes."""
    with channel:
        while request := _receive(channel):
            (environment, folder, prelude, *arguments), streams = request
            os.environ.clear()
            os.environ.update(environment)
            if arguments[0] == "verify" or (arguments[0] == "test" and "--static" not in arguments):
                _keep_torch()
            if arguments[0] == "server":
                importlib.import_module("breaklint.editor.features")
            pid = os.fork()
            if not pid:
                for number, descriptor in enumerate(streams):
                    os.dup2(descriptor, number)
                    os.close(descriptor)
                sys.stdin, sys.stdout, sys.stderr = (
                    os.fdopen(n, "r" if n == 0 else "w", closefd=False) for n in range(3)
                )
                os.chdir(folder)
                exec(prelude, {**globals()})
                return arguments
            for descriptor in streams:
                os.close(descriptor)
            _, status = os.waitpid(pid, 0)
            channel.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _keep_torch() -> None:
    """Have runs of verify that compile nothing fork their arms from one process, too."""
    from arm_servers import keep_for_eager

    keep_for_eager()


def _receive(channel: socket.socket) -> tuple[list[Any], list[int]] | None:
    data, streams, _, _ = socket.recv_fds(channel, 1, 3)
    while data and not data.endswith(b"\n"):
        data += channel.recv(65536)
    return (json.loads(data), streams) if data else None


if __name__ == "__main__":
    sys.path.append(sys.path.pop(0))
    asked = socket.socket(fileno=int(sys.argv[1]))
    _import_ahead()
    sys.argv = [str(PROJECT / "breaklint/__main__.py"), *_serve(asked)]

    from breaklint.cli import main

    try:
        main()
    except SystemExit as ended:
        if sys.argv[1] in ALONE:
            os._exit(int(ended.code or 0))
        raise
