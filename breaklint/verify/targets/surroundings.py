"""Which folders code may be imported from because recorded data says so."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

MARKS = (".git", "pyproject.toml", "breaklint.toml")


@dataclass(frozen=True)
class Surroundings:
    """The project in which verify runs and its Python environment, without the folder that a recording lies in.

    What a recording names may have been written by its sender.
    """

    project: Path
    recordings: Path
    environment: tuple[Path, ...]

    @classmethod
    def of(cls, recording: Path) -> Surroundings:
        """Those of one recorded target, seen from the current folder."""
        here = Path.cwd()
        project = next((folder for folder in (here, *here.parents) if any((folder / m).exists() for m in MARKS)), here)
        entries = [*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *sys.path[1:]]
        environment = [Path(entry).resolve() for entry in (*entries, sys.prefix, sys.base_prefix)]
        return cls(project.resolve(), recording.resolve().parent, tuple(environment))

    def has(self, path: str) -> bool:
        """May code at this path, or below it, be imported?"""
        place = Path(path).resolve()
        if self._is_in(place, self.recordings):
            return False
        return any(self._is_in(place, folder) for folder in (self.project, *self.environment))

    @staticmethod
    def _is_in(place: Path, folder: Path) -> bool:
        return folder in (place, *place.parents)
