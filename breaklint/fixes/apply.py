"""Fixes into text, again and again until nothing is left to fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from breaklint.errors import RuleBug, SourceError
from breaklint.model import Applicability, Edit, FileResult, Finding, Fix, Span
from breaklint.source.edits import apply_edits
from breaklint.source.source_text import NOTEBOOK
from breaklint.source.syntax import check_compiles, parse

ROUNDS = 10


class Checker(Protocol):
    """What finds; the engine."""

    def check(self, path: str, text: str) -> FileResult:
        """The findings of a text."""


def fix_until_stable(checker: Checker, path: str, text: str, unsafe: bool) -> FileResult:
    """Apply the fixes of this file that may be applied, and those of what they leave, until there are none.

    Raises RuleBug when the fixes do not converge or would write what does not compile.
    """
    fixed: Counter[str] = Counter()
    current, chosen = text, []
    for _ in range(ROUNDS):
        result = checker.check(path, current)
        chosen = choose(result.findings, result.filename, unsafe)
        if not chosen:
            return result._replace(fixed=tuple(sorted(fixed.items())), text=current if current != text else None)
        current = apply_chosen(path, current, chosen)
        fixed.update(finding.code for finding, _ in chosen)
    raise RuleBug(f"{path}: the fixes of {_codes(chosen)} do not converge within {ROUNDS} rounds; please report it")


def choose(findings: Iterable[Finding], path: str, unsafe: bool) -> list[tuple[Finding, Fix]]:
    """The fixes to make at once: allowed, and none in the way of another; of nested ones the outermost."""
    allowed = {Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])}
    candidates = [
        (f, f.fix) for f in findings if f.fix is not None and f.filename == path and f.fix.applicability in allowed
    ]
    taken: list[Span] = []
    made: set[Edit] = set()
    chosen = []
    for finding, fix in sorted(candidates, key=lambda pair: _reach(pair[1]), reverse=True):
        new = [edit for edit in fix.edits if edit not in made or edit.span.start != edit.span.end]
        if any(_meet(edit.span, other) for edit in new for other in taken):
            continue
        taken += [edit.span for edit in new]
        made.update(fix.edits)
        chosen.append((finding, fix))
    return chosen


def apply_chosen(path: str, text: str, chosen: list[tuple[Finding, Fix]]) -> str:
    """The text with these fixes. RuleBug when they would write what does not compile, though `text` does."""
    fixed = apply_edits(text, _edits(fix for _, fix in chosen))
    try:
        _check(path, text, fixed)
    except SourceError as error:
        where = path if error.row is None else f"{path}:{error.row}"
        raise RuleBug(
            f"{where}: the fixes of {_codes(chosen)} would write what does not compile ({error.reason}), "
            "so none was made; please report it"
        ) from error
    return fixed


def _check(path: str, before: str, after: str) -> None:
    """Raise SourceError unless every part of `after` compiles, or parses where the same part of `before` does not
    compile."""
    interactive = path.endswith(NOTEBOOK)
    earlier = _parts(path, before)
    for number, part in _parts(path, after).items():
        try:
            check_compiles(path, part, top_level_await=interactive)
        except SourceError:
            if _compiles(path, earlier.get(number, ""), interactive):
                raise
            parse(path, part)


def _compiles(path: str, text: str, interactive: bool) -> bool:
    try:
        check_compiles(path, text, top_level_await=interactive)
    except SourceError:
        return False
    return True


def _parts(path: str, text: str) -> dict[int, str]:
    """What is compiled by itself: a file, or each cell of a notebook by its number, in the rows where it stands."""
    if not path.endswith(NOTEBOOK):
        return {0: text}
    from breaklint.source.notebooks import by_cell, rows  # few runs need it

    where = rows(text)
    return {number: "\n" * where.mark(number) + cell for number, cell in by_cell(text)} or {0: text}


def _edits(fixes: Iterable[Fix]) -> list[Edit]:
    """Every edit once: two fixes may add the same import."""
    return list(dict.fromkeys(edit for fix in fixes for edit in fix.edits))


def _reach(fix: Fix) -> tuple[int, int]:
    """How much text a fix replaces, in rows and columns: of two nested ones the outer has more."""
    spans = [edit.span for edit in fix.edits]
    return max((span.end.row - span.start.row, span.end.column - span.start.column) for span in spans)


def _meet(a: Span, b: Span) -> bool:
    if a.start == a.end or b.start == b.end:
        return a == b or a.start < b.start < a.end or b.start < a.start < b.end
    return a.start < b.end and b.start < a.end


def _codes(chosen: list[tuple[Finding, Fix]]) -> str:
    return ", ".join(sorted({finding.code for finding, _ in chosen}))
