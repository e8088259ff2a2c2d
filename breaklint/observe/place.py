"""The path of the profile. Light, because every check imports it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

PLACE = Path(".breaklint", "observed.json")


def find_profile(start: Path, root: str) -> Path | None:
    """The profile of the configuration's folder, or the nearest one from `start` up."""
    start = start.absolute()
    folders = [*([Path(root)] if root else []), start, *start.parents]
    return next((folder / PLACE for folder in folders if os.path.isfile(folder / PLACE)), None)


def root_of(profile: Path, root: str, files: Iterable[str] = ()) -> Path:
    """The folder that the paths in a profile are relative to: that of its `.breaklint`, else the nearest one, from the
    project's root up, that has a file of the profile."""
    folder, start = profile.absolute().parent, Path(root or Path.cwd())
    if folder.name == PLACE.parent.name:
        return folder.parent
    names = list(files)
    return next((path for path in (start, *start.parents) if any(os.path.isfile(path / file) for file in names)), start)
