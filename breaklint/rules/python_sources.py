"""The files of rules in Python. Finding them does not load them."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PYTHON = ".py"
GROUP = "breaklint.rules"
NO_RULES = ("_", "test_", "conftest.")  # prefixes of names of files without rules


def python_files(places: Iterable[Path]) -> list[Path]:
    """The files with Python rules at some places: themselves, or those right in a folder."""
    return [path for place in places for path in _python_files(place)]


def _python_files(place: Path) -> list[Path]:
    if os.path.isdir(place):
        return sorted(path for path in place.glob(f"*{PYTHON}") if not path.name.startswith(NO_RULES))
    return [place] if place.suffix == PYTHON else []


@cache
def installed_rules() -> tuple[str, ...]:
    """The values of the entry point group `breaklint.rules` in installed packages: `module` or `module:Class`.

    Only folders count in which packages are installed: the current folder is not searched, though Python may import
    from there.
    """
    folders = [folder for folder in _site_folders() if folder in sys.path]
    if not any(map(_may_name_rules, folders)):
        return ()
    from importlib.metadata import distributions  # slow to import, and needed only for such packages

    points = (
        point
        for distribution in distributions(path=folders)
        for point in distribution.entry_points
        if point.group == GROUP
    )
    return tuple(sorted({point.value for point in points}))


def _site_folders() -> list[str]:
    return [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]


def _may_name_rules(folder: str) -> bool:
    """Whether a package installed in a folder mentions the group; reads a few small files."""
    try:
        with os.scandir(folder) as entries:
            result = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return False
    return any(_mentions_group(os.path.join(path, "entry_points.txt")) for path in result)


def _mentions_group(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:
        return False
