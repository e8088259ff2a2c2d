"""Fixes into text, again and again until nothing is left to fix."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple, Protocol

from breaklint.errors import RuleBug, SourceError
from breaklint.model import Applicability, Edit, FileResult, Finding, Fix, Span
from breaklint.source.edits import apply_edits
from breaklint.source.source_text import NOTEBOOK
from breaklint.source.syntax import check_compiles, parse

ROUNDS = 10
DIVERGE = f"do not converge within {ROUNDS} rounds; please report it"


class Checker(Protocol):
    """The check of one text; the engine implements it."""

    def check(self, path: str, text: str) -> FileResult:
        """The findings of a text."""


class FixedFiles(NamedTuple):
    """The result of the fixes: new texts by path, counts of fixes by rule, errors, and remaining findings."""

    texts: dict[str, str]
    counts: dict[str, Counter[str]]
    errors: dict[str, str]
    results: Sequence[FileResult]


# Gives the results of all files again, for the new texts by path and the paths of those that changed since.
Recheck = Callable[[Mapping[str, str], Set[str]], Sequence[FileResult]]


def fix_files(
    results: Sequence[FileResult],
    text_of: Callable[[str], str],
    recheck: Recheck,
    unsafe: bool,
    closed: Set[str] = frozenset(),
) -> FixedFiles:
    """Apply the fixes on which all files agree, and check again, until no fix remains.

    A file gets none of its fixes if they do not converge, or if the result does not compile. The files in
    `closed` get no fixes.
    """
    texts: dict[str, str] = {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    errors: dict[str, str] = {}
    for number in range(ROUNDS + 1):
        changed = set[str]()
        for path, findings in sorted(_same_in_all_callers(results).items()):
            chosen = [] if path in closed or path in errors else choose(findings, path, unsafe)
            if not chosen:
                continue
            changed.add(path)
            try:
                if number == ROUNDS:
                    raise RuleBug(f"{path}: the fixes of {_codes(chosen)} {DIVERGE}")
                texts[path] = apply_chosen(path, texts[path] if path in texts else text_of(path), chosen)
                counts[path].update(finding.code for finding, _ in chosen)
            except (SourceError, RuleBug) as error:
                errors[path] = str(error)
                texts.pop(path, None)
                counts.pop(path, None)
        if not changed:
            break
        results = recheck(texts, changed)
    return FixedFiles(texts, counts, errors, results)


def _same_in_all_callers(results: Sequence[FileResult]) -> dict[str, list[Finding]]:
    """By file, the findings with the same fix in every file that reaches them: callers may pass different values."""
    display_paths = {os.path.abspath(result.filename): result.filename for result in results}
    captured = {(os.path.abspath(name), span, code) for result in results for name, span, code in result.captured}
    seen: dict[tuple[str, Span, str], list[Finding]] = defaultdict(list)
    for finding in (item for result in results for item in result.findings):
        place = os.path.abspath(finding.filename)
        if place in display_paths and (place, finding.span, finding.code) not in captured:
            seen[display_paths[place], finding.span, finding.code].append(finding)
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for (path, _, _), match in seen.items():
        if match[0].fix is not None and all(item.fix == match[0].fix for item in match):
            by_file[path].append(match[0]._replace(filename=path))  # the name of the file in the run
    return by_file


def fix_until_stable(checker: Checker, path: str, text: str, unsafe: bool) -> FileResult:
    """One file with its fixes. Raises RuleBug if they do not converge or do not compile."""

    def recheck(texts: Mapping[str, str], _: Set[str]) -> list[FileResult]:
        return [checker.check(path, texts.get(path, text))]

    fixed = fix_files(recheck({}, {path}), lambda _: text, recheck, unsafe)
    if path in fixed.errors:
        raise RuleBug(fixed.errors[path])
    new = fixed.texts.get(path, text)
    counts = tuple(sorted(fixed.counts.get(path, Counter()).items()))
    return fixed.results[0]._replace(fixed=counts, text=None if new == text else new)


def choose(findings: Iterable[Finding], path: str, unsafe: bool) -> list[tuple[Finding, Fix]]:
    """The fixes to apply at once: allowed, without overlaps; of nested ones the outermost."""
    allowed = {Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])}
    candidates = [
        (f, f.fix) for f in findings if f.fix is not None and f.filename == path and f.fix.applicability in allowed
    ]
    spans: list[Span] = []
    result: set[Edit] = set()
    chosen = []
    for finding, fix in sorted(candidates, key=lambda pair: _reach(pair[1]), reverse=True):
        new = [edit for edit in fix.edits if edit not in result or edit.span.start != edit.span.end]
        if any(_meet(edit.span, other) for edit in new for other in spans):
            continue
        spans += [edit.span for edit in new]
        result.update(fix.edits)
        chosen.append((finding, fix))
    return chosen


def apply_chosen(path: str, text: str, chosen: list[tuple[Finding, Fix]]) -> str:
    """The text with these fixes. RuleBug when they do not compile, though `text` does."""
    fixed = apply_edits(text, _edits(fix for _, fix in chosen))
    try:
        _check(path, text, fixed)
    except SourceError as error:
        where = path if error.row is None else f"{path}:{error.row}"
        raise RuleBug(
            f"{where}: the fixes of {_codes(chosen)} do not compile ({error.reason}), "
            "so that none was applied; please report this"
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
    """The separately compiled parts of a text: the file, or each cell of a notebook by its number and lines."""
    if not path.endswith(NOTEBOOK):
        return {0: text}
    from breaklint.source.notebooks import by_cell, rows  # few runs need it

    where = rows(text)
    return {number: "\n" * where.mark(number) + cell for number, cell in by_cell(text)} or {0: text}


def _edits(fixes: Iterable[Fix]) -> list[Edit]:
    """Every edit once: two fixes may add the same import."""
    return list(dict.fromkeys(edit for fix in fixes for edit in fix.edits))


def _reach(fix: Fix) -> tuple[int, int]:
    """The amount of text that a fix replaces, in lines and columns: the outer of two nested fixes is larger."""
    spans = [edit.span for edit in fix.edits]
    return max((span.end.row - span.start.row, span.end.column - span.start.column) for span in spans)


def _meet(a: Span, b: Span) -> bool:
    if a.start == a.end or b.start == b.end:
        return a == b or a.start < b.start < a.end or b.start < a.start < b.end
    return a.start < b.end and b.start < a.end


def _codes(chosen: list[tuple[Finding, Fix]]) -> str:
    return ", ".join(sorted({finding.code for finding, _ in chosen}))
