"""Open questions as JSON, and back; the indexes of files, by which they are answered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from breaklint.analysis.questions import Question, Read
from breaklint.lint.cache_files import TICK, read_text, write
from breaklint.lint.open_questions import OpenQuestion
from breaklint.model import Applicability, Finding


def open_to_data(each: OpenQuestion, number: Callable[[Finding], int]) -> list[Any]:
    """A question that is decoded, as JSON data, with numbers for its findings."""
    findings, doubted = zip(*each.findings, strict=True)
    return [[*map(number, findings)], [kind.value for kind in doubted], each.question, each.doubts]


def open_from_data(data: list[Any], finding: Callable[[int], Finding], is_answered: bool) -> OpenQuestion:
    """The question that `open_to_data` was given, with its answer where that still holds. KeyError, TypeError or
    ValueError for data of another structure."""
    numbers, doubted, question, doubts = data
    findings = tuple(zip(map(finding, numbers), map(Applicability, doubted), strict=True))
    return OpenQuestion(findings, None, tuple(doubts)) if is_answered else OpenQuestion(findings, _question(question))


def same_questions(questions: Sequence[OpenQuestion], former: Sequence[list[Any]]) -> list[OpenQuestion]:
    """Questions with the answers of former ones, as JSON data, that ask the same."""
    known: dict[Question | None, tuple[str, ...] | None] = {
        _question(data[2]): None if data[3] is None else tuple(data[3]) for data in former
    }
    return [each._replace(doubts=known.get(each.question)) for each in questions]


def _question(data: list[Any]) -> Question:
    path, cls, above, makers, reads, of_values, written, held, concerns, heads, added = data
    return Question(
        path, cls, _pairs(above), _pairs(makers), tuple(map(_read, reads)), of_values, tuple(written), _pairs(held),
        tuple(concerns), tuple(heads), tuple(added),
    )  # fmt: skip


def _read(data: list[Any]) -> Read:
    read = Read._make(data)
    return read._replace(bindings=_pairs(read.bindings), contents=_pairs(read.contents))


def _pairs(data: Iterable[Iterable[Any]]) -> tuple[Any, ...]:
    return tuple(map(tuple, data))


class IndexCache:
    """The indexes of files, each as a line of text."""

    def __init__(self, folder: Path, key: str) -> None:
        self._location, self._began = folder / f"{key}.indexes", time.time_ns()
        self._lines: dict[str, tuple[str, str]] = {}  # by path: size and time, the index

    def load(self) -> None:
        """Read what is kept."""
        text = read_text(self._location) or b""
        for line in text.decode().split("\n"):
            path, *kept = line.split("\t")
            if len(kept) == 2:
                self._lines[path] = kept[0], kept[1]

    def get(self, path: str) -> str:
        """The index of a file as text; "" where there is none or the file has changed since."""
        stamp, index = self._lines.get(path, ("", ""))
        return index if stamp and stamp == self._stamp(path) else ""

    def save(self, fresh: Mapping[str, str]) -> None:
        """Write what is kept, with indexes that are new."""
        for path, index in fresh.items():
            if (stamp := self._stamp(path)) and {*"\t\n"}.isdisjoint(path):
                self._lines[path] = stamp, index
        write(self._location, ("\t".join((path, *kept)) + "\n" for path, kept in self._lines.items()))

    def _stamp(self, path: str) -> str:
        """The size and time of a file, "" for one that is gone or was written since just before the run."""
        try:
            status = os.stat(path)
        except OSError:
            return ""
        return "" if status.st_mtime_ns >= self._began - TICK else f"{status.st_size}:{status.st_mtime_ns}"
