"""Which files belong to Python or to installed libraries, and where in the user's own code something was raised."""

from __future__ import annotations

import glob
import os
import sys
import sysconfig
import traceback
from functools import cache
from pathlib import Path

_OF_PYTHON = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
_NOT_THE_USERS = (str(Path(__file__).resolve().parent.parent), "<")


def user_line(error: BaseException) -> str:
    """File and row of the innermost line that belongs to no library, "" when there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_users(frame.filename)]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def in_one_line(error: BaseException) -> str:
    """The class of an error, and the first line of its text."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


def is_users(filename: str) -> bool:
    """Does this file belong to no library?"""
    return not (is_installed(filename) or filename.startswith(_NOT_THE_USERS))


def is_installed(path: str) -> bool:
    """Does the file, or folder, lie in Python's own folders, or in one of the search path that libraries are put into?

    Of the latter, metadata tells, which `pip install --target` leaves there as well.
    """
    return (path + os.sep).startswith(_roots(tuple(sys.path)))


@cache
def _roots(search_path: tuple[str, ...]) -> tuple[str, ...]:
    filled = (entry for entry in search_path if entry and glob.glob(os.path.join(glob.escape(entry), "*.dist-info")))
    return tuple(entry.rstrip(os.sep) + os.sep for entry in (*_OF_PYTHON, *filled))
