"""One result from the results of many files, which may have been checked in different processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import TypeVar

from breaklint.model import (
    PUBLIC_FUNCTION,
    UNUSED_SUPPRESSION,
    Cause,
    EagerCall,
    Entry,
    FileResult,
    Finding,
    Forward,
    Span,
)
from breaklint.source.shown_paths import absolutes

_Function = TypeVar("_Function", Entry, Forward, EagerCall)

UNCERTAIN = (PUBLIC_FUNCTION, "forward")  # kinds of entries, the least certain first
FOLLOWED = (
    "; breaklint cannot infer values that other files import from it"  # after an error of a file that imports led to
)


def merge(results: Sequence[FileResult], files: Sequence[str]) -> tuple[Finding, ...]:
    """The findings of the checked `files` in order, each once.

    Several files may reach one line and spell its path differently. A comment that one file did not need may have
    silenced a finding of another. A public function or method has no findings of its own if an entry point of another
    file that is compiled in any case reaches it.
    """
    absolute, display_paths = _spelling(tuple(files), absolutes())
    reached = _reached(results, absolute)
    suppressions = {(absolute(filename), span) for result in results for filename, span in result.silenced}
    captured = {(absolute(name), span, code) for result in results for name, span, code in result.captured}
    merged: dict[tuple[str, Span, str], Finding] = {}

    def respelled(cause: Cause | None) -> Cause | None:
        return cause and cause._replace(filename=display_paths.get(absolute(cause.filename), cause.filename))

    def is_reached(result: FileResult, finding: Finding) -> bool:
        return bool(finding.public_function) and (absolute(result.filename), finding.public_function) in reached

    for finding in (item for result in results for item in result.findings if not is_reached(result, item)):
        place = absolute(finding.filename)
        if place not in display_paths or (finding.code == UNUSED_SUPPRESSION and (place, finding.span) in suppressions):
            continue
        if (place, finding.span, finding.code) in captured:
            continue
        filename = display_paths[place]
        key = (filename, finding.span, finding.code)
        if key not in merged or _doubts(finding) < _doubts(merged[key]):
            cause = respelled(finding.cause)
            is_spelled = filename == finding.filename and cause == finding.cause
            merged[key] = finding if is_spelled else finding._replace(filename=filename, cause=cause)
    return tuple(merged[key] for key in sorted(merged))


def _reached(results: Sequence[FileResult], absolute: Callable[[str], str]) -> Set[tuple[str, str]]:
    """The functions that entry points of other files reach, by absolute path and name."""
    return {(absolute(filename), name) for result in results for filename, name in result.reached}


def _doubts(finding: Finding) -> tuple[int, int]:
    """The order of equal findings: from code that is compiled in any case, without a condition, and as an error."""
    if finding.public_function:
        return 2, len(finding.when)
    return bool(finding.when), -len(finding.message)


def merge_entries(results: Sequence[FileResult], files: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of the checked files in order, each once: of several kinds, the one that does compile."""
    absolute, _ = _spelling(tuple(files), absolutes())
    reached = _reached(results, absolute)
    entries = (
        each
        for result in results
        for each in result.entries
        if each.kind != PUBLIC_FUNCTION or (absolute(each.filename), each.name) not in reached
    )
    return _merge(entries, files, lambda each: UNCERTAIN.index(each.kind) if each.kind in UNCERTAIN else len(UNCERTAIN))


def merge_forwards(results: Sequence[FileResult], files: Sequence[str]) -> tuple[Forward, ...]:
    """The entry points of the checked `files` that a break splits, each once, with the most graphs."""
    return _merge((each for result in results for each in result.forwards), files, lambda forward: forward.most)


def merge_eager_calls(results: Sequence[FileResult], files: Sequence[str]) -> tuple[EagerCall, ...]:
    """The helpers of the checked `files` that are better disabled, each once: as the entry point that gains most."""
    calls = (each for result in results for each in result.eager_calls)
    return _merge(calls, files, lambda call: call.before - call.after)


def _merge(
    functions: Iterable[_Function], files: Sequence[str], rank: Callable[[_Function], int]
) -> tuple[_Function, ...]:
    """The functions of the checked `files`, each once: the first with the highest rank."""
    absolute, display_paths = _spelling(tuple(files), absolutes())
    merged: dict[tuple[str, int, str], _Function] = {}
    for function in functions:
        filename = display_paths.get(absolute(function.filename))
        if filename is not None:
            key = (filename, function.row, function.name)
            if key not in merged or rank(merged[key]) < rank(function):
                merged[key] = function if function.filename == filename else function._replace(filename=filename)
    return tuple(merged[key] for key in sorted(merged))


def total(counts: Iterable[tuple[tuple[str, int], ...]]) -> tuple[tuple[str, int], ...]:
    """The sum of counts by rule code."""
    sums: Counter[str] = Counter()
    for fixed in counts:
        for code, count in fixed:
            sums[code] += count
    return tuple(sorted(sums.items()))


def unique(*groups: Iterable[str]) -> tuple[str, ...]:
    """All lines in order, each once."""
    return tuple(dict.fromkeys(line for group in groups for line in group))


@lru_cache(maxsize=1)
def _spelling(files: tuple[str, ...], absolute: Callable[[str], str]) -> tuple[Callable[[str], str], Mapping[str, str]]:
    """A function that makes paths absolute, and the user's spelling by absolute path."""
    return absolute, {absolute(file): file for file in files}
