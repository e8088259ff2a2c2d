"""Fixes in functions that other files call: no single file knows all callers, so that these are made at the end."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from breaklint.errors import RuleBug, SourceError
from breaklint.model import FileResult, Finding
from breaklint.source.decoding import read_source
from breaklint.source.source_text import SourceText


@dataclass(frozen=True, slots=True)
class SharedFix:
    """A file with its new text, and how often which rule was fixed in it."""

    source: SourceText
    text: str
    fixed: tuple[tuple[str, int], ...]


def shared_fixes(
    results: Sequence[FileResult],
    files: Sequence[str],
    unsafe: bool,
    done: Set[str],
    say: Callable[[str], None],
    read: Callable[[str], SourceText] = read_source,
) -> list[SharedFix]:
    """The fixes of findings that other files led to, in `files` that are not `done`; what goes wrong is said."""
    from breaklint.fixes.apply import apply_chosen, choose

    made = []
    for path, findings in sorted(_agreed(results, files).items()):
        chosen = choose(findings, path, unsafe) if path not in done else []
        if not chosen:
            continue
        try:
            source = read(path)
            text = apply_chosen(path, source.text, chosen)
        except (SourceError, RuleBug) as error:
            say(str(error))
            continue
        counts = Counter(finding.code for finding, _ in chosen)
        made.append(SharedFix(source, text, tuple(sorted(counts.items()))))
    return made


def _agreed(results: Sequence[FileResult], files: Sequence[str]) -> dict[str, list[Finding]]:
    """By file, the findings for which all files that lead to them have the same fix: callers may differ in what they
    pass."""
    spelled = {os.path.abspath(file): file for file in files}
    seen: dict[tuple[str, object, str], list[Finding]] = defaultdict(list)
    for result in results:
        for finding in result.findings:
            place = os.path.abspath(finding.filename)
            if place in spelled:
                seen[spelled[place], finding.span, finding.code].append(finding)
    agreed: dict[str, list[Finding]] = defaultdict(list)
    for (path, _, _), found in seen.items():
        if found[0].fix is not None and all(finding.fix == found[0].fix for finding in found):
            agreed[path].append(found[0]._replace(filename=path))  # the name by which the run knows the file
    return agreed
