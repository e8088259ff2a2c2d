"""The findings in a text of the editor, saved or not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from breaklint.editor.engines import Engines, read_open
from breaklint.editor.observed import observed
from breaklint.errors import RuleBug, SourceError
from breaklint.fixes.apply import Checker, fix_until_stable
from breaklint.lint.calling_files import Calling, calling_files
from breaklint.lint.engine import Engine
from breaklint.lint.file_guard import guard_file
from breaklint.lint.merging import merge
from breaklint.lint.time_limit import seconds_per_file
from breaklint.model import PUBLIC_FUNCTION, FileResult, Finding, Settings, Span
from breaklint.project.screen import may_matter
from breaklint.source.decoding import read_bytes
from breaklint.source.ignoring import IgnoreTree
from breaklint.source.magics import is_python
from breaklint.source.notebooks import Joined, Rows, by_cell, in_cells, join_cells, rows, together
from breaklint.source.syntax import parse

CALLERS = 8  # files that are checked because they call another, each time that one changes
Cells = Sequence[tuple[str, str]]  # the uri and the source of every cell


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The settings of a text, the folders of the editor, the other open texts by absolute path, who calls the text, and
    the engines that check it.

    Imports are read from open documents before files.
    """

    settings: Settings
    roots: Sequence[str] = ()
    others: Mapping[str, str] = field(default_factory=dict)
    calling: Sequence[Calling] = ()
    engines: Engines = field(default_factory=Engines)


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a document. `unfinished` are the uris of texts that could not be checked, such as one that does
    not parse while it is written; `errors` are lines for the user. `needs_callers`: it has no region of its own, or
    other findings without the files that call it."""

    findings: tuple[Finding, ...] = ()
    unfinished: frozenset[str] = frozenset()
    errors: tuple[str, ...] = ()
    needs_callers: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """A text with the file it is for."""

    uri: str
    path: str
    text: str
    around: Surroundings

    def texts(self) -> Mapping[str, str]:
        """The texts of the editor, by uri."""
        return {self.uri: self.text}

    def place(self, finding: Finding) -> tuple[str, Span]:
        """The uri of the text with a finding, and its position in that text."""
        return self.uri, finding.span

    def split(self, text: str) -> Mapping[str, str]:
        """The new value of `texts` after a change to `text`; raises SourceError if the change is not possible."""
        return {self.uri: text}

    def report(self) -> Report:
        """The findings of `check`, within its time limit; empty for an excluded file."""
        if self._is_excluded():
            return Report()
        unfinished = self._unfinished()
        if self.uri in unfinished:
            return Report((), unfinished)
        try:
            matters = may_matter(self.text, self.around.settings.entry_points)
            results = [self._check(self.path, self.text, self.around.roots)] if matters else []
        except (SourceError, RuleBug) as error:
            return Report((), frozenset(self.texts()), (str(error),))
        errors = tuple(error for result in results for error in result.errors)
        findings = merge([*results, *self._caller_results()], [self.path])
        is_compiled = any(each.kind != PUBLIC_FUNCTION for result in results for each in result.entries)
        needs_callers = findings != merge(results, [self.path]) or not is_compiled
        return Report(observed(findings, self.path, self.text, self.around.settings), unfinished, errors, needs_callers)

    @property
    def follows_callers(self) -> bool:
        """Whether files are looked for that call this one."""
        return self.around.settings.follow_callers and self.path.endswith(".py") and os.path.isfile(self.path)

    def find_callers(self) -> list[Calling]:
        """The files that call this one, as they were saved, except for this one itself."""
        text = {os.path.abspath(self.path): self.text.encode()}
        return calling_files([self.path], self.around.settings, lambda path: text.get(path) or read_bytes(path))

    def _caller_results(self) -> Iterator[FileResult]:
        """The findings of the callers of this file; a caller that cannot be checked has none."""
        for roots, callers in self.around.calling:
            for path in callers.files[:CALLERS]:
                with suppress(SourceError, RuleBug):
                    yield self._check(path, read_open(path, self.around.others), roots)

    def _check(self, path: str, text: str, roots: Sequence[str]) -> FileResult:
        with guard_file(path, seconds_per_file(), self.around.engines.forget):
            return self._engine(roots).check(path, text)

    def fixed_text(self, uri: str) -> str:
        """The text after all safe fixes of the document `uri`, and of no other.

        SourceError when that takes longer than `check` may, RuleBug when a fix do not compile.
        """
        with guard_file(self.path, seconds_per_file(), self.around.engines.forget):
            result = fix_until_stable(self._fixer(uri), self.path, self.text, unsafe=False)
        return self.text if result.text is None else result.text

    def _fixer(self, uri: str) -> Checker:
        return self._engine()

    def _unfinished(self) -> frozenset[str]:
        """The uris of texts that do not parse."""
        try:
            parse(self.path, self.text)
        except SourceError:
            return frozenset({self.uri})
        return frozenset()

    def _is_excluded(self) -> bool:
        settings = self.around.settings
        return IgnoreTree(settings.exclude, settings.root).hides(os.path.abspath(self.path))

    def _engine(self, roots: Sequence[str] | None = None) -> Engine:
        folders = self.around.roots if roots is None else roots
        return self.around.engines.engine(self.around.settings, folders, self.around.others)


@dataclass(frozen=True, slots=True)
class Notebook(Document):
    """A notebook: `cells` has all cells, counted from 1, `text` those that parse as Python, `where` their lines.

    `unfinished` are the uris of those that do not parse.
    """

    cells: Cells
    joined: Joined
    where: Rows
    unfinished: frozenset[str]

    def texts(self) -> Mapping[str, str]:
        """The source of every cell."""
        return dict(self.cells)

    def place(self, finding: Finding) -> tuple[str, Span]:
        """The cell of a finding, and its position there."""
        place_in_cell = in_cells(finding, self.where)
        return self._uri(place_in_cell.cell), place_in_cell.span

    def split(self, text: str) -> Mapping[str, str]:
        """The sources of the cells; cells that are not Python do not change."""
        cells = by_cell(self.joined.shown(self.path, text))
        return {**self.texts(), **{self._uri(number): source for number, source in cells}}

    def _unfinished(self) -> frozenset[str]:
        return self.unfinished

    def _fixer(self, uri: str) -> Checker:
        number = next((number for number, cell in enumerate(self.cells, 1) if cell[0] == uri), 0)
        return WithinCell(self._engine(), number) if number else self._engine()

    def _uri(self, number: int) -> str:
        return self.cells[number - 1][0]


@dataclass(frozen=True, slots=True)
class WithinCell:
    """Finds the fixes that change only one cell."""

    engine: Engine
    number: int

    def check(self, path: str, text: str) -> FileResult:
        """The findings that are fixed so."""
        result, where = self.engine.check(path, text), rows(text)

        def within(finding: Finding) -> bool:
            edits = finding.fix.edits if finding.fix is not None else ()
            return all(where.cell(row)[0] == self.number for edit in edits for row in _reach(edit.span))

        return result._replace(findings=tuple(filter(within, result.findings)))


def _reach(span: Span) -> tuple[int, int]:
    """The first and the last line of a span; a span that ends before the first character of a line excludes it."""
    last = span.end.row - (span.end.column == 1)
    return span.start.row, max(span.start.row, last)


def notebook(uri: str, path: str, cells: Cells, enclosing: Surroundings) -> Notebook:
    """A notebook of these cells; cells that do not parse as Python are skipped."""
    unfinished: set[str] = set()
    whole = together([*_python(path, cells, unfinished)])
    return Notebook(uri, path, whole.text, enclosing, cells, whole, rows(whole.text), frozenset(unfinished))


def _python(path: str, cells: Cells, unfinished: set[str]) -> Iterable[Joined]:
    for number, (uri, source) in enumerate(cells, 1):
        if is_python(source):
            try:
                yield join_cells(path, number, source)
            except SourceError:
                unfinished.add(uri)
