"""Fixes into text, again and again until nothing is left to fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from breaklint.errors import RuleBug, SourceError
from breaklint.model import Applicability, Edit, FileResult, Finding, Fix, Span
from breaklint.project.parsing import parse
from breaklint.source.edits import apply_edits

ROUNDS = 10


class Checker(Protocol):
    """What finds; the engine."""

    def check(self, path: str, text: str) -> FileResult:
        """The findings of a text."""


def fix_until_stable(checker: Checker, path: str, text: str, unsafe: bool) -> FileResult:
    """Apply the fixes of this file that may be applied, and those of what they leave, until there are none.

    Raises RuleBug when the fixes do not come to rest or would write what is no Python.
    """
    fixed: Counter[str] = Counter()
    current, chosen = text, []
    for _ in range(ROUNDS):
        result = checker.check(path, current)
        chosen = choose(result.findings, result.filename, unsafe)
        if not chosen:
            return replace(result, fixed=tuple(sorted(fixed.items())), text=current if current != text else None)
        current = apply_chosen(path, current, chosen)
        fixed.update(finding.code for finding, _ in chosen)
    raise RuleBug(f"{path}: the fixes of {_codes(chosen)} do not come to rest after {ROUNDS} rounds; please report it")


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
    """The text with these fixes. RuleBug when they would write what is no Python."""
    return _parsed(path, apply_edits(text, _edits(fix for _, fix in chosen)), chosen)


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


def _parsed(path: str, text: str, chosen: list[tuple[Finding, Fix]]) -> str:
    try:
        parse(path, text)
    except SourceError as error:
        raise RuleBug(
            f"{path}:{error.row}: the fixes of {_codes(chosen)} would write what is no Python; please report it"
        ) from error
    return text


def _codes(chosen: list[tuple[Finding, Fix]]) -> str:
    return ", ".join(sorted({finding.code for finding, _ in chosen}))
