"""The output of a whole run, cached until a file or a folder changes on which it rests.

The files are compared by size and time, the folders by the names of their modules. The results of the single files
(cache.py) are not read for this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import source_hash
from pathlib import Path

from breaklint.lint.cache import RestsOn
from breaklint.lint.cache_files import STRUCTURE, digest_of, read_text, stamp, to_json, write
from breaklint.lint.cache_key import key_of
from breaklint.lint.calling_files import Work
from breaklint.lint.plain_data import reader
from breaklint.lint.results import Report
from breaklint.project.folders import list_modules


class WholeRun:
    """The cached output of some work; `request` is JSON of all else on which it rests besides files.

    `others` are files that are read after this, besides those of the work.
    """

    def __init__(self, folder: Path, work: Sequence[Work], request: object, others: Sequence[str]) -> None:
        self._others = {path: stamp(path) for path in others}
        parts = [[key_of(each.worker), each.files, each.quiet] for each in work]
        self._location = folder / f"{source_hash(to_json([parts, request]).encode()).hex()}.run"

    def read(self) -> Report | None:
        """The output; None if there is none or something has changed."""
        rest, _, text = (read_text(self._location) or b"").partition(b"\n")
        try:
            files, folders = json.loads(rest)
            if not all(stamp(path) == previous for path, previous in files.items()):
                return None
            for names, words in folders:
                relevant = {*words}
                if not all(digest_of(list_modules(folder), relevant) == digest for folder, digest in names.items()):
                    return None
            result: Report = reader(Report)(json.loads(text))
            return result
        except STRUCTURE:
            return None

    def write(self, report: Report, rests: Sequence[RestsOn | None]) -> None:
        """Store the output, if it is known on which files and folders it rests."""
        files = {**self._others}
        folders = []
        for each in rests:
            if each is None:
                return
            files |= each[0]
            folders.append(each[1:])
        write(self._location, [to_json([files, folders]), "\n", to_json(report)])
