"""Where the files shipped with breaklint lie, in the installed package or a checkout, and where the user's own do."""

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

    None where the home folder is not known, and for relative paths: they would lead into what is being checked.
    """
    named = os.environ.get(variable, "")
    home = os.path.expanduser("~")
    folder = named if os.path.isabs(named) else os.path.join(home, default)
    return Path(folder) if os.path.isabs(folder) else None


def _find(name: str) -> Path:
    # The installed copy comes first: beside an installed package, a folder `rules` would be another package's.
    shipped = _PACKAGE / f"_{name}"
    return shipped if shipped.is_dir() else _PACKAGE.parent / name
