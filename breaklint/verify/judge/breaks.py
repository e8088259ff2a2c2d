"""Join the lines on which Dynamo breaks the graph with findings, before and after a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher

from breaklint.dynamo.breaks import covers, same_file
from breaklint.dynamo.events import Break, GivenUp
from breaklint.errors import SourceError
from breaklint.model import Effect, Finding
from breaklint.source.shown_paths import shown
from breaklint.verify.targets.region import innermost

NO_BREAK_HERE = "its line does not break with these inputs"
NOT_REACHED = "these inputs do not reach its line"


def join(
    findings: Iterable[Finding], breaks: Sequence[Break]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...], tuple[Break, ...]]:
    """The findings of effect break that are real, those that are not, and the own breaks that no finding covers."""
    claims = [f for f in findings if f.effect is Effect.BREAK]
    real = tuple(f for f in claims if any(covers(f, b) for b in breaks))
    missed = tuple(b for b in breaks if b.own and not any(covers(f, b) for f in claims))
    return real, tuple(f for f in claims if f not in real), missed


Texts = Callable[[str], tuple[str, str]]
"""The texts of a file before and after, by its path."""


def giving_up(finding: Finding, text: str, breaks: Iterable[Break]) -> tuple[GivenUp, Break] | None:
    """The place at which Dynamo skipped the frame of the finding's function before its line, and the break."""
    row = finding.span.start.row
    function = innermost(text, row)
    for broken in breaks if function is not None else ():
        for frame in broken.gave_up:
            is_above = frame.row < row and same_file(frame.filename, finding.filename)
            if is_above and innermost(text, frame.row) == function:
                return frame, broken
    return None


def still_broken(finding: Finding, before: str, after: str, breaks: Iterable[Break]) -> list[Break]:
    """The breaks of the fixed source on rows that replace the finding's, or on its unchanged rows, including breaks in
    a dependency that such a row calls."""
    origins = row_origins(before, after)

    def is_its_own(path: str, row: int) -> bool:
        _, stood_on = origins.get(row, (False, ()))
        return not set(finding.span.rows).isdisjoint(stood_on) and same_file(path, finding.filename)

    return [b for b in breaks if is_its_own(b.filename, b.row) or (b.called_from and is_its_own(*b.called_from))]


def newly_broken(old: Iterable[Break], new: Iterable[Break], texts: Texts) -> list[Break]:
    """The breaks of the fixed source on rows that did not break before, in any file; rows are mapped by the diff."""
    places = {(b.filename, b.row) for b in old}
    kinds = {(b.filename, b.row, b.gb) for b in old}
    new_breaks = []
    for b in new:
        try:
            before, after = texts(b.filename)
        except SourceError:  # generated code
            before = after = ""
        is_kept, rows = row_origins(before, after).get(b.row, (True, (b.row,)))
        if not any((b.filename, row) in places if is_kept else (b.filename, row, b.gb) in kinds for row in rows):
            new_breaks.append(b)
    return new_breaks


def changed_rows(before: str, after: str) -> list[tuple[int, int]]:
    """The rows of `before` that `after` does not contain: first and last of every run."""
    matcher = SequenceMatcher(a=before.splitlines(), b=after.splitlines(), autojunk=False)
    return [(start + 1, end) for tag, start, end, _, _ in matcher.get_opcodes() if tag in ("replace", "delete")]


def row_origins(before: str, after: str) -> dict[int, tuple[bool, Sequence[int]]]:
    """For every row of `after`: whether `before` has it, and the rows that it equals or replaces, if stripped."""
    one, other = ([line.strip() for line in text.splitlines()] for text in (before, after))
    origins: dict[int, tuple[bool, Sequence[int]]] = {}
    for tag, start, end, new_start, new_end in SequenceMatcher(a=one, b=other, autojunk=False).get_opcodes():
        for row in range(new_start, new_end):
            is_kept = tag == "equal"
            origins[row + 1] = is_kept, (start + row - new_start + 1,) if is_kept else range(start + 1, end + 1)
    return origins


def given_up_at(frame: GivenUp, broken: Break) -> str:
    """The reason why a line has no break: Dynamo ran its function in eager mode because of another line."""
    of = f"the frame of {frame.function}" if frame.function else "its whole frame"
    is_here = (frame.filename, frame.row) in ((broken.filename, broken.row), broken.called_from)
    where = broken.summary if is_here else f"{shown(frame.filename)}:{frame.row}, for the break at {broken.summary}"
    return f"Dynamo gave {of} up at {where}, so that this line was never traced"
