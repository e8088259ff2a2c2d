"""What breaks cost in time, as a saved report of verify measured it: by file and row, for the page of coverage."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.source.decoding import read_source
from breaklint.verify.judge.results import TargetReport, VerifyReport

Costs = dict[tuple[str, int], list[str]]


def costs_of(report: VerifyReport, root: Path) -> Costs:
    """A sentence for each fix that removed its break, left the results equal and was timed.

    Rows are those of the sources as they were measured: a file that has changed since has none.
    """
    found: Costs = {}
    for target in report.targets:
        for name, row, told in _of_target(target, root):
            found.setdefault((name, row), []).append(told)
    return found


def _of_target(target: TargetReport, root: Path) -> Iterator[tuple[str, int, str]]:
    texts = {each.filename: each.text for arm, each in target.sources.items() if arm.partition(":")[0] == "before"}
    before = target.arms["before"].median_ms if "before" in target.arms else None
    for fix in target.fixes:
        place = os.path.realpath(os.path.join(root, fix.finding.filename))
        after = target.arms[fix.arm].median_ms if fix.arm in target.arms else None
        if not (fix.break_removed and fix.equal and fix.speedup and before and after):
            continue
        if _text(place) == texts.get(fix.finding.filename):
            times = f"{before:.3g} ms a call, {after:.3g} ms without this break ({fix.speedup.ratio:.2f} times as fast)"
            device = f" on {target.ran_on}" if target.ran_on else ""
            yield place, fix.finding.span.start.row, f"verify: {times}{device}: {target.target}"


def _text(path: str) -> str | None:
    try:
        return read_source(path).text
    except SourceError:
        return None
