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
    return [[*map(number, findings)], [kind.value for kind in doubted], each.question, each.doubt]


def open_from_data(data: list[Any], finding: Callable[[int], Finding], is_answered: bool) -> OpenQuestion:
    """The question that `open_to_data` was given, with its answer where that still holds. KeyError, TypeError or
    ValueError for data of another structure."""
    numbers, doubted, question, doubt = data
    findings = tuple(zip(map(finding, numbers), map(Applicability, doubted), strict=True))
    return OpenQuestion(findings, None, doubt) if is_answered else OpenQuestion(findings, _question(question))


def same_questions(questions: Sequence[OpenQuestion], former: Sequence[list[Any]]) -> list[OpenQuestion]:
    """Questions with the answers of former ones, as JSON data, that ask the same."""
    known: dict[Question | None, str | None] = {_question(data[2]): data[3] for data in former}
    return [each._replace(doubt=known.get(each.question)) for each in questions]


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
    """The indexes of files, each as a line of text, with the names of lists and dicts that the file may change where
    a question needed them."""

    def __init__(self, folder: Path, key: str) -> None:
        self._location, self._began = folder / f"{key}.indexes", time.time_ns()
        self._lines: dict[str, tuple[str, str, str]] = {}  # by path: size and time, the index, the names

    def load(self) -> None:
        """Read what is kept."""
        text = read_text(self._location) or b""
        for line in text.decode().split("\n"):
            path, *kept = line.split("\t")
            if len(kept) == 3:
                self._lines[path] = kept[0], kept[1], kept[2]

    def get(self, path: str) -> tuple[str, str] | None:
        """The index of a file as text, and the names; None where there is none or the file has changed since."""
        stamp, index, names = self._lines.get(path, ("", "", ""))
        return (index, names) if stamp and stamp == self._stamp(path) else None

    def has_names(self, path: str) -> bool:
        """Whether a question needed the names of a file, as it was then."""
        return path in self._lines and self._lines[path][2] != ""

    def save(self, fresh: Mapping[str, tuple[str, str]]) -> None:
        """Write what is kept, with indexes and names that are new."""
        for path, (index, names) in fresh.items():
            if (stamp := self._stamp(path)) and {*"\t\n"}.isdisjoint(path):
                self._lines[path] = stamp, index, names
        write(self._location, ("\t".join((path, *kept)) + "\n" for path, kept in self._lines.items()))

    def _stamp(self, path: str) -> str:
        """The size and time of a file, "" for one that is gone or was written since just before the run."""
        try:
            status = os.stat(path)
        except OSError:
            return ""
        return "" if status.st_mtime_ns >= self._began - TICK else f"{status.st_size}:{status.st_mtime_ns}"
