"""One result from the results of many files, which may have been checked in different processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from breaklint.model import Cause, EagerCall, Entry, FileResult, Finding, Forward, Span
from breaklint.source.shown_paths import absolutes

_Function = TypeVar("_Function", Entry, Forward, EagerCall)

UNUSED_SUPPRESSION = "BRK901"
FORWARD = "forward"
PUBLIC_FUNCTION = " is compiled"  # in the condition of its findings
FOLLOWED = (
    "; breaklint cannot infer values that other files import from it"  # after an error of a file that imports led to
)


def merge(results: Sequence[FileResult], files: Sequence[str]) -> tuple[Finding, ...]:
    """The findings of the checked `files` in order, each once.

    Several files may reach one line and spell its path differently. A comment that one file did not need may have
    silenced a finding of another.
    """
    absolute, display_paths = _spelling(tuple(files), absolutes())
    suppressions = {(absolute(filename), span) for result in results for filename, span in result.silenced}
    captured = {(absolute(name), span, code) for result in results for name, span, code in result.captured}
    merged: dict[tuple[str, Span, str], Finding] = {}

    def respelled(cause: Cause | None) -> Cause | None:
        return cause and cause._replace(filename=display_paths.get(absolute(cause.filename), cause.filename))

    for finding in (finding for result in results for finding in result.findings):
        place = absolute(finding.filename)
        if place not in display_paths or (finding.code == UNUSED_SUPPRESSION and (place, finding.span) in suppressions):
            continue
        if (place, finding.span, finding.code) in captured:
            continue
        filename = display_paths[place]
        key = (filename, finding.span, finding.code)
        if key not in merged or _says_more(finding, merged[key]):
            cause = respelled(finding.cause)
            is_spelled = filename == finding.filename and cause == finding.cause
            merged[key] = finding if is_spelled else finding._replace(filename=filename, cause=cause)
    return tuple(merged[key] for key in sorted(merged))


def _says_more(finding: Finding, other: Finding) -> bool:
    """Whether another file reaches it without a condition or from code that is an entry point in any case, or compiles
    it so that the break is an error."""
    doubts, other_doubts = _doubts(finding), _doubts(other)
    return len(finding.message) > len(other.message) if doubts == other_doubts else doubts < other_doubts


def _doubts(finding: Finding) -> int:
    """0 without a condition, 2 if only users of the package may compile the code, else 1."""
    return 0 if not finding.when else 1 + (PUBLIC_FUNCTION in finding.when)


def merge_entries(results: Sequence[FileResult], files: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of the checked files in order, each once: of several kinds, the one that does compile."""
    return _merge((each for result in results for each in result.entries), files, lambda entry: entry.kind != FORWARD)


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
