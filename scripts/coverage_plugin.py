"""A plugin of coverage.py: who is about to be killed is asked to end first, so that what it ran is counted.

Arms of verify, and programs that tests are done with, end by SIGKILL, at which nothing can be written any more. With
`sigterm = true` coverage.py writes at SIGTERM. One that does not answer within `GRACE_S` is killed as ever.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from coverage.plugin_support import Plugins

GRACE_S = 3.0


def coverage_init(_registry: Plugins, _options: dict[str, Any]) -> None:
    """Called once a process that is measured, and again after a fork."""
    if hasattr(os, "killpg") and os.killpg is not _killpg:
        os.killpg = _killpg
        subprocess.Popen.kill = _kill_process


_KILLPG = getattr(os, "killpg", None)
_KILL_PROCESS = subprocess.Popen.kill


def _killpg(group: int, number: int) -> None:
    if number == signal.SIGKILL:
        _ask_to_end(group)
    assert _KILLPG is not None
    _KILLPG(group, number)


def _kill_process(process: subprocess.Popen[Any]) -> None:
    if process.poll() is None:
        _ask_to_end(process.pid)
    _KILL_PROCESS(process)


def _ask_to_end(pid: int) -> None:
    """Returns when the process has ended, or after the grace."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGCONT)  # it may have been stopped
    deadline = time.monotonic() + GRACE_S
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.005)


def _runs(pid: int) -> bool:
    """Whether it is there, and not only as the entry that waits for its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"
