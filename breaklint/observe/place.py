"""Where a profile is. Light, for every check asks."""

from __future__ import annotations

import os
from pathlib import Path

PLACE = Path(".breaklint", "observed.json")


def find_profile(start: Path, root: str) -> Path | None:
    """The profile of the configuration's folder, or the nearest one from `start` up."""
    start = start.absolute()
    folders = [*([Path(root)] if root else []), start, *start.parents]
    return next((folder / PLACE for folder in folders if os.path.isfile(folder / PLACE)), None)
