"""What keeps a copy of the user's process from doing anything outside itself. Standard library only."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Collection
from typing import Any

from breaklint.observe.raw import SYSTEM

WALL = 4  # seconds on the clock for one of processor time: on a busy machine a replay waits for a processor
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ACTIONS = frozenset(
    {
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod"),
        *("os.chown", "os.utime", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.kill"),
        *("os.killpg", "subprocess.Popen", "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"),
        *("shutil.rmtree", "shutil.move", "shutil.copyfile", "shutil.make_archive", "sqlite3.connect", "pty.spawn"),
    }
)


def enter(keep: Collection[int], seconds: float) -> None:
    """Detach this process; it ends by a signal after `seconds` of processor time, or `WALL` times as many on the clock.

    From then on what would write a file, start a program or connect raises PermissionError.
    """
    detach(keep)
    ends = {signal.SIGPROF, signal.SIGALRM}
    for number in ends:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ends)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WALL * seconds)
    logging.raiseExceptions = False
    sys.dont_write_bytecode = True
    sys.addaudithook(_refuse)


def ended_by(number: int, seconds: float) -> str:
    """What the signal that ended such a process says."""
    if number == signal.SIGPROF:
        return f"it took more than {seconds:g} s of processor time"
    if number == signal.SIGALRM:
        return f"it did not end within {WALL * seconds:g} s"
    return f"its process was ended by {signal.Signals(number).name}"


def detach(keep: Collection[int]) -> None:
    """Leave the session of the user's process: no streams, files or connections but those of `keep`."""
    SYSTEM.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    nowhere = SYSTEM.open(os.devnull, os.O_RDWR)
    for descriptor in _open_descriptors():
        if descriptor not in keep and descriptor != nowhere:
            SYSTEM.dup2(nowhere, descriptor)  # what holds it may go on to use it
    sys.stdin = sys.__stdin__ = SYSTEM.fdopen(nowhere, closefd=False)  # type: ignore[misc]
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = SYSTEM.fdopen(nowhere, "w", closefd=False)  # type: ignore[misc]


def _open_descriptors() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return [int(name) for name in SYSTEM.listdir(folder)]
        except OSError:
            continue
    return list(range(256))


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event == "open":
        path, mode, flags = args
        if path == os.devnull or isinstance(path, int):
            return
        if not (set(mode) & set("wax+") if isinstance(mode, str) else isinstance(flags, int) and flags & _WRITES):
            return
    elif event not in _ACTIONS:
        return
    raise PermissionError(f"a replay does nothing outside itself: {event} of {str(args[0])[:80] if args else ''}")
