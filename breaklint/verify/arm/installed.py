"""Which files belong to Python or to installed libraries, wherever these lie. Runs inside an arm's process."""

from __future__ import annotations

import glob
import os
import sys
import sysconfig
from functools import cache

_OF_PYTHON = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))


def is_installed(path: str) -> bool:
    """Does the file, or folder, lie in Python's own folders, or in one of the search path that libraries are put into?

    Of the latter, metadata tells, which `pip install --target` leaves there as well.
    """
    return (path + os.sep).startswith(_roots(tuple(sys.path)))


@cache
def _roots(search_path: tuple[str, ...]) -> tuple[str, ...]:
    filled = (entry for entry in search_path if entry and glob.glob(os.path.join(glob.escape(entry), "*.dist-info")))
    return tuple(entry.rstrip(os.sep) + os.sep for entry in (*_OF_PYTHON, *filled))
