"""The cached results of files, and the files and definitions on which they rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Any, Final

from breaklint.lint.cache_files import FileStates, Rows
from breaklint.lint.cache_modules import CachedModules
from breaklint.lint.parts import REST, Parts, concerns, differing, parts_of
from breaklint.lint.plain_data import fields_from_json, from_json, to_json
from breaklint.lint.workers import Outcome
from breaklint.model import FileResult, Finding
from breaklint.source.shown_paths import absolutes

WHOLE: Final = -1  # in place of the number of a part: the file is not cut at its definitions
_NOTHING: Final = "[[],[],[0,0,0,0,0]]"


class CachedResults:
    """Results by path. JSON of the previous run is decoded as far as a run needs it."""

    def __init__(self, text: str, files: FileStates, modules: CachedModules) -> None:
        self._files, self._modules, self._absolute = files, modules, absolutes()
        head, *lines = (text or _NOTHING).split("\n")
        followed, paths, sizes = json.loads(head)
        tables = [lines[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]
        modules.rows, self._findings = map(Rows, tables[:2])
        self._numbers = {path: number for number, path in enumerate(followed)}  # of the files that imports lead to
        self._layouts = dict(zip(followed, tables[2], strict=True))  # their parts in the previous run
        self._texts = dict(zip(paths, tables[3], strict=True))  # of the previous run, as `_results`
        # By path: the numbers of modules; the number of each file that imports lead to, and those of its parts.
        self._needs = dict(zip(paths, tables[4], strict=True))
        # By path: root, the numbers of the findings, and the other fields of the result that are not empty, by name.
        self._results: dict[str, Sequence[Any]]
        self._results = dict(zip(paths, json.loads(f"[{','.join(tables[3])}]"), strict=True))
        self._new: set[str] = set()  # the paths of results of this run
        self._shared: dict[int, Finding] = {}  # by number
        self._holds = cache(self._compare)
        self._parts = cache(self._current_parts)

    def get(self, path: str, reported: Set[str] | None) -> Outcome | None:
        """The result of the file at a path; None if there is none, something has changed, or it lacks findings in a
        file that is `reported` now (None: all are)."""
        if path not in self._results or not self._holds(path):
            return None
        result = self._result(path)
        lacks = {*result.unreported} if reported is None else reported & {*result.unreported}
        return None if lacks else Outcome(result)

    def put(self, outcome: Outcome) -> Outcome:
        """Store the result of a file, unless it has errors or a file has changed since the run began.

        Returns it alone, with findings shared with other results: many files reach the same lines.
        """
        result, root, path = outcome.result, outcome.root, outcome.result.filename
        self._results.pop(path, None)
        self._files.have_news = True
        place = self._absolute(path)
        followed = sorted({file for file in outcome.imported.values() if file is not None} - {place})
        if result.errors or not all(map(self._files.now, (place, *followed))):
            return Outcome(result)
        self._new.add(path)
        modules = [self._modules.rows.number((root, name, file)) for name, file in outcome.imported.items()]
        self._needs[path] = to_json([modules, [self._follow(file, outcome.reached) for file in followed]])
        return Outcome(self._store(path, root, result))

    def _store(self, path: str, root: str, result: FileResult) -> FileResult:
        """Store a result; returns it with shared findings."""
        self._texts.pop(path, None)
        numbers = [*map(self._findings.number, result.findings)]
        findings = tuple(self._shared.setdefault(*pair) for pair in zip(numbers, result.findings, strict=True))
        others = result._replace(filename="", findings=())._asdict().items()
        self._results[path] = root, numbers, {name: value for name, value in others if value}
        return result._replace(findings=findings)

    def _result(self, path: str) -> FileResult:
        _, findings, data = self._results[path]
        return FileResult(path, tuple(map(self._finding, findings)), **fields_from_json(FileResult, data))

    def _finding(self, number: int) -> Finding:
        if number not in self._shared:
            self._shared[number] = from_json(Finding, json.loads(self._findings.texts[number]))
        return self._shared[number]

    def _compare(self, path: str) -> bool:
        """Whether a check would return the same result now."""
        place, needs, root = self._absolute(path), self._needs[path], self._results[path][0]
        if not self._files.is_same(place) or not self._modules.has_root(place, root):
            return False
        if not self._modules.moved and not any(f"[{number}," in needs for number in self._changes):
            return True
        modules, follows = json.loads(needs)
        if not self._modules.moved.isdisjoint(modules):
            return False
        for number, *parts in follows:
            if number in self._changes:
                needed = None if WHOLE in parts else {*parts}
                if concerns(*self._changes[number], needed, self._result(path)):
                    return False
        return True

    @cached_property
    def _changes(self) -> Mapping[int, tuple[str, Set[int]]]:
        """The files of the previous run that imports lead to and that have changed, by number: the path, and the
        numbers of the parts that differ."""
        changed = [path for path in self._layouts if not self._files.is_same(path)]
        return {self._numbers[path]: (path, self._change(path)) for path in changed}

    def _change(self, path: str) -> Set[int]:
        previous = self._previous_parts(path)
        names = differing(previous, self._parts(path))
        return {number for number, name in enumerate(previous) if name in names}

    def _previous_parts(self, path: str) -> Parts:
        parts: Parts = json.loads(self._layouts[path])
        return parts

    def _current_parts(self, path: str) -> Parts:
        return self._previous_parts(path) if self._has_layout(path) else parts_of(path)

    def _has_layout(self, path: str) -> bool:
        """Whether the parts of a file are as in the previous run."""
        return path in self._layouts and self._files.is_same(path)

    def _follow(self, path: str, reached: Mapping[str, Set[str]] | None) -> list[int]:
        """The number of a file that imports lead to, and those of its parts on which a result rests."""
        number = self._numbers.setdefault(path, len(self._numbers))
        parts = self._parts(path)
        if reached is None or not parts:
            return [number, WHOLE]
        names = {REST, *reached.get(path, ())}
        return [number, *(place for place, name in enumerate(parts) if name in names)]

    def roots(self) -> list[tuple[str, str]]:
        """The paths of the files of this run, and the folders from which their imports are resolved."""
        return [(self._absolute(path), self._results[path][0]) for path in self._new]

    def files(self) -> list[str]:
        """The paths of all files on which results rest."""
        return [*map(self._absolute, self._valid), *self._numbers]

    @cached_property
    def _valid(self) -> list[str]:
        return [path for path in [*self._results] if path in self._new or self._holds(path)]

    def to_write(self) -> Iterator[str]:
        """The text of the results that hold, in pieces."""
        valid = self._valid
        used = {number for path in valid for number in self._results[path][1]}
        findings = [text if number in used else "null" for number, text in enumerate(self._findings.texts)]
        layouts = [
            self._layouts[path] if self._has_layout(path) else to_json(self._parts(path)) for path in self._numbers
        ]
        texts = [self._texts.get(path) or to_json(self._results[path]) for path in valid]
        tables = [self._modules.rows.texts, findings, layouts, texts, [self._needs[path] for path in valid]]
        yield to_json([[*self._numbers], valid, [*map(len, tables)]])
        for table in tables:
            yield "".join(f"\n{text}" for text in table)
