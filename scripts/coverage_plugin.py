"""A plugin of coverage.py: who is about to be killed writes down first what it ran.

Arms of verify, and programs that tests are done with, end by SIGKILL, at which nothing can be written any more. Here
they are asked to write before they get it; one that does not answer within `GRACE_S` is killed as ever.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from coverage import Coverage
from coverage.plugin_support import Plugins

GRACE_S = 3.0
ASKED = getattr(signal, "SIGUSR2", None)
_KILLPG = getattr(os, "killpg", None)
_KILL_PROCESS = subprocess.Popen.kill


def coverage_init(_registry: Plugins, _options: dict[str, Any]) -> None:
    """Called by coverage.py once a process that it measures, and again after a fork."""
    if ASKED is not None and threading.current_thread() is threading.main_thread():
        signal.signal(ASKED, _write_and_stop)
        os.killpg = _killpg
        subprocess.Popen.kill = _kill_process


def _write_and_stop(_number: int, _frame: object) -> None:
    measured = Coverage.current()
    if measured is not None:
        measured.save()
    os.kill(os.getpid(), signal.SIGSTOP)  # tells that it is done


def _killpg(group: int, number: int) -> None:
    if number == signal.SIGKILL:
        _ask_to_write(group)
    assert _KILLPG is not None
    _KILLPG(group, number)


def _kill_process(process: subprocess.Popen[Any]) -> None:
    if process.poll() is None:
        _ask_to_write(process.pid)
    _KILL_PROCESS(process)


def _ask_to_write(pid: int) -> None:
    """Returns when the process has written and stopped, has ended, or after the grace."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGCONT)  # it may have been stopped
        os.kill(pid, ASKED)
    deadline = time.monotonic() + GRACE_S
    while _state(pid) not in "TZX" and time.monotonic() < deadline:
        time.sleep(0.005)


def _state(pid: int) -> str:
    """The letter of its state, as `ps` shows it; X when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "X"
