"""The machine that an arm runs on, the files that are the user's own, and how long a call may take."""

from __future__ import annotations

import glob
import os
import platform
import re
import signal
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

_OF_PYTHON = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
_NOT_THE_USERS = (str(Path(__file__).resolve().parents[2]), "<")
LEAST_S, FACTOR = 1.0, 20.0
"""Seconds of processor time for a call in any case, and how many times as long as the given one it may take."""


def describe(device: str) -> dict[str, Any]:
    """Versions and hardware that a measurement on `device` depends on; nothing is imported for it."""
    on_cuda = device.startswith("cuda")
    return {
        "torch": torch.__version__,
        "triton": _triton() if on_cuda else None,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "device": torch.cuda.get_device_name(device) if on_cuda else _processor(),
        "cuda": torch.version.cuda if on_cuda else None,
        "driver": _driver() if on_cuda else None,
        "threads": torch.get_num_threads(),
        "cpus": os.cpu_count(),
        "omp_wait_policy": os.environ.get("OMP_WAIT_POLICY"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _triton() -> str | None:
    for name in ("triton", "pytorch-triton"):
        with suppress(PackageNotFoundError):
            return version(name)
    return None


@cache
def _driver() -> str | None:
    with suppress(OSError):
        text = Path("/proc/driver/nvidia/version").read_text(encoding="ascii", errors="replace")
        if match := re.search(r"Module .*?(\d+\.\d[\d.]*)", text):
            return match[1]
    return None


def user_line(error: BaseException) -> str:
    """File and row of the innermost line outside of libraries, "" if there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_users(frame.filename)]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def in_one_line(error: BaseException) -> str:
    """The class of an error, and the first line of its text."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


def is_users(filename: str) -> bool:
    """Whether a file belongs to no library."""
    return not (is_installed(filename) or filename.startswith(_NOT_THE_USERS))


def is_installed(path: str) -> bool:
    """Whether a path is in Python's own folders, or in a folder of the search path with metadata of packages."""
    return (path + os.sep).startswith(_roots(tuple(sys.path)))


@cache
def _roots(search_path: tuple[str, ...]) -> tuple[str, ...]:
    filled = (entry for entry in search_path if entry and glob.glob(os.path.join(glob.escape(entry), "*.dist-info")))
    return tuple(entry.rstrip(os.sep) + os.sep for entry in (*_OF_PYTHON, *filled))


class OutOfTime(BaseException):
    """No `Exception`, which the code might handle."""


@contextmanager
def time_limit(given_s: float) -> Iterator[None]:
    """Inside, the code may use `FACTOR` times the processor time of the first call; then OutOfTime is raised."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    usual = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(LEAST_S, FACTOR * given_s))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def _end(*_: object) -> None:
    raise OutOfTime
