"""Fixes of many files: applied in memory, checked again with all files that they may affect, then written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from importlib.util import source_hash

from breaklint.errors import BreaklintError, SourceError
from breaklint.fixes.apply import fix_files
from breaklint.lint.parts import REST, Parts, concerns, cut_parts, differing
from breaklint.lint.results import Change
from breaklint.lint.workers import Outcome
from breaklint.model import FileResult
from breaklint.source.decoding import read_source
from breaklint.source.source_text import SourceText
from breaklint.source.writing import CHANGED, write_source

FileChange = tuple[Change, tuple[tuple[str, int], ...]]  # a change with its fixes, counted by rule code
Look = Callable[[Set[str], Mapping[str, str]], Iterable[Outcome]]  # checks some files again, with new texts by path


class Fixing:
    """The fixes of a run: `outcomes` are the current results of the files, `changes` the texts to write.

    The files in `beside` are checked and not changed. `errors` are lines for the user.
    """

    def __init__(self, outcomes: Iterable[Outcome], look: Look, beside: Iterable[str] = ()) -> None:
        self.outcomes = {outcome.result.filename: outcome for outcome in outcomes}
        self.changes: list[FileChange] = []
        self.errors: list[str] = []
        self._look = look
        self._closed = {*beside, *(path for path, outcome in self.outcomes.items() if outcome.result.errors)}
        self._sources: dict[str, SourceText] = {}
        self._parts: dict[str, Parts] = {}  # of the texts with which files were checked last, if they have changed

    def run(self, unsafe: bool) -> None:
        """Fix the files until nothing is left to fix. Nothing is written."""
        results = [outcome.result for outcome in self.outcomes.values()]
        fixed = fix_files(results, self._text, self._recheck, unsafe, self._closed)
        self.errors += fixed.errors.values()
        for path, text in fixed.texts.items():
            if text != self._sources[path].text:
                self.changes.append((Change(self._sources[path], text), tuple(sorted(fixed.counts[path].items()))))

    def write(self, paths: Sequence[str]) -> None:
        """Write the changes. A file that cannot be written is checked as it is."""
        changes = write_changes(self.changes, paths, self.errors)
        missing = {change.source.path for change, _ in self.changes} - {change.source.path for change, _ in changes}
        self.changes = changes
        if missing:
            self._recheck({change.source.path: change.text for change, _ in changes}, missing)

    def _text(self, path: str) -> str:
        source = self._sources[path] = read_source(path)
        if source_hash(source.data) != self.outcomes[path].digest:
            raise SourceError(path, CHANGED)
        return source.text

    def _recheck(self, texts: Mapping[str, str], changed: Set[str]) -> list[FileResult]:
        """Check the files that changed, and those that follow one of them and may be concerned."""
        changes: dict[str, Set[str]] = {}  # by path: the names of the parts that differ
        for path in changed & self._sources.keys():
            old = self._parts.get(path) or cut_parts(self._sources[path].text)
            self._parts[path] = cut_parts(texts.get(path, self._sources[path].text))
            changes |= dict.fromkeys((os.path.abspath(path), os.path.realpath(path)), differing(old, self._parts[path]))
        stale = changed | {path for path, outcome in self.outcomes.items() if _is_stale(outcome, changes)}
        self.outcomes |= {outcome.result.filename: outcome for outcome in self._look(stale, texts)}
        return [outcome.result for outcome in self.outcomes.values()]


def _is_stale(outcome: Outcome, changes: Mapping[str, Set[str]]) -> bool:
    """Whether changes of other files may concern the result of a file."""
    places = changes.keys() & {path for path in outcome.imported.values() if path is not None}
    reached = outcome.reached
    needed = {path: None if reached is None else {REST, *reached.get(path, ())} for path in places}
    return any(concerns(path, changes[path], needed[path], outcome.result) for path in places)


def write_changes(changes: Sequence[FileChange], paths: Sequence[str], errors: list[str]) -> list[FileChange]:
    """The changes that are written; `errors` gets a line for each other."""
    roots, result = [os.path.realpath(path) for path in paths], []
    contents: dict[str, bytes] = {}  # by real path: the previous content; a link to a written file is not written again
    for change, counts in changes:
        try:
            _refuse_to_leave(change.source.path, roots)
            if contents.get(real := os.path.realpath(change.source.path)) == change.source.data:
                continue
            write_source(change.source, change.text)
        except BreaklintError as error:
            errors.append(str(error))
        else:
            result.append((change, counts))
            contents[real] = change.source.data
    return result


def _refuse_to_leave(path: str, roots: Sequence[str]) -> None:
    """SourceError if a file found in a folder is a link to one outside `roots`: the folder may not be trusted."""
    real = os.path.realpath(path)
    if not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
        raise SourceError(path, f"not written: it is a link to {real}, outside of what was given; name that file")
