"""The paths of files shipped with breaklint, in the installed package or a checkout, and of user files."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def rules_dir() -> Path:
    """The folder of the built-in rule cards."""
    return _find("rules")


def fixtures_dir() -> Path:
    """The folder of the runnable example models."""
    return _find("fixtures")


def user_folder(variable: str, default: str) -> Path | None:
    """The user's folder that a variable of the environment names, else `default` in the home folder.

    None without a home folder, and for relative paths: they would be inside the checked project.
    """
    value = os.environ.get(variable, "")
    home = os.path.expanduser("~")
    folder = value if os.path.isabs(value) else os.path.join(home, default)
    return Path(folder) if os.path.isabs(folder) else None


def user_cache() -> Path | None:
    """The folder of breaklint's caches that belong to no project; None without a home folder."""
    folder = user_folder("XDG_CACHE_HOME", ".cache")
    return folder / "breaklint" if folder else None


def _find(name: str) -> Path:
    # The installed copy comes first: beside an installed package, a folder `rules` would be another package's.
    shipped = _PACKAGE / f"_{name}"
    return shipped if shipped.is_dir() else _PACKAGE.parent / name
