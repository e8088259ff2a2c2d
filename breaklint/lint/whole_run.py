"""The result of a whole run, cached until a file or a folder changes on which it rests.

The files are compared by size and time, the folders by the names of their modules. The results of the single files
(cache.py) are not read for this.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from importlib.util import source_hash
from pathlib import Path

from breaklint.lint.cache import STRUCTURE, RestsOn, key_of
from breaklint.lint.cache_files import read_text, to_json, write
from breaklint.lint.calling_files import Work
from breaklint.lint.plain_data import reader
from breaklint.lint.results import RunResult
from breaklint.project.folders import list_modules


class WholeRun:
    """The cached result of some work; `lines` are for the user and part of it."""

    def __init__(self, folder: Path, work: Sequence[Work], lines: Iterable[str]) -> None:
        parts = [[key_of(each.worker), each.files, each.quiet] for each in work]
        self._location = folder / f"{source_hash(json.dumps([parts, [*lines]]).encode()).hex()}.run"

    def read(self) -> RunResult | None:
        """The result; None if there is none or something has changed."""
        rest, _, text = (read_text(self._location) or b"").partition(b"\n")
        try:
            files, folders = json.loads(rest)
            if not all(_stamp(path) == stamp for path, stamp in files.items()):
                return None
            if not all(_names(list_modules(folder)) == names for folder, names in folders.items()):
                return None
            result: RunResult = reader(RunResult)(json.loads(text))
            return result
        except (*STRUCTURE, RecursionError):
            return None

    def write(self, result: RunResult, rests: Sequence[RestsOn | None]) -> None:
        """Store a result, if it is known on which files and folders it rests."""
        files: dict[str, list[int]] = {}
        folders: dict[str, str] = {}
        for each in rests:
            if each is None:
                return
            files |= each[0]
            folders |= {folder: _names(names) for folder, names in each[1].items()}
        write(self._location, [to_json([files, folders]), "\n", to_json(result)])


def _stamp(path: str) -> list[int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _names(names: Iterable[str]) -> str:
    return source_hash("/".join(sorted(names)).encode("utf-8", "surrogateescape")).hex()
