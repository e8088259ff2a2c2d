"""Fixes of many files: applied in memory, checked again with all files that they may affect, then written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from importlib.util import source_hash

from breaklint.errors import BreaklintError, SourceError
from breaklint.fixes.apply import fix_files
from breaklint.lint.parts import altered_names
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
        self._checked_texts: dict[str, str] = {}  # the texts with which files were checked last, if they have changed

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
        moved: dict[str, Set[str] | None] = {}
        for path in changed & self._sources.keys():
            old, new = self._sources[path].text, texts.get(path, self._sources[path].text)
            names = altered_names(self._checked_texts.get(path, old), new)
            moved |= dict.fromkeys((os.path.abspath(path), os.path.realpath(path)), names)
            self._checked_texts[path] = new
        stale = changed | {path for path, outcome in self.outcomes.items() if _may_concern(moved, outcome)}
        self.outcomes |= {outcome.result.filename: outcome for outcome in self._look(stale, texts)}
        return [outcome.result for outcome in self.outcomes.values()]


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


def _may_concern(moved: Mapping[str, Set[str] | None], outcome: Outcome) -> bool:
    """Whether the findings of a file may differ after changes of files: `moved` has the changed names by path."""
    places = moved.keys() & {path for path in outcome.imported.values() if path is not None}
    return any(_reaches(outcome, place, moved[place]) for place in places)


def _reaches(outcome: Outcome, place: str, names: Set[str] | None) -> bool:
    """Whether the findings of a file depend on names of another file, or are in it."""
    if names is None or outcome.reached is None or not names.isdisjoint(outcome.reached.get(place, ())):
        return True
    result = outcome.result
    filenames = {finding.filename for finding in result.findings} | {name for name, _ in result.silenced}
    texts = [*result.notices, *(text for item in result.findings for text in (item.message, item.when, item.no_fix))]
    return place in map(os.path.abspath, filenames) or any(os.path.basename(place) in text for text in texts)
