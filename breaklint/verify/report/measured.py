"""Findings with the milliseconds that a JSON report has for their lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from breaklint.model import Finding
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.report.json import read

Place = tuple[str, int]


def with_milliseconds(findings: Sequence[Finding], file: str) -> tuple[Finding, ...]:
    """The findings with the milliseconds per call that their own fix saves, else all fixes of the target.
    UsageError if the file is not a report."""
    gains = {place: gain for target in read(file).targets for place, gain in _gains(target)}
    return tuple(finding._replace(cost=finding.cost._replace(milliseconds=_of(finding, gains))) for finding in findings)


def _of(finding: Finding, gains: Mapping[Place, float]) -> float:
    return max(gains.get((os.path.abspath(finding.filename), row), 0.0) for row in finding.span.rows)


def _gains(target: TargetReport) -> Iterator[tuple[Place, float]]:
    """The places of the breaks and fixes of a target, the gain of a fix after that of its break."""
    before, after = target.arms.get("before"), target.arms.get("after")
    if before is None or before.median_ms is None:
        return
    if after is not None and after.median_ms is not None:
        for item in before.breaks:
            filename, row = item.called_from or (item.filename, item.row)
            yield (os.path.abspath(filename), row), before.median_ms - after.median_ms
    for fix in target.fixes:
        if fix.speedup:
            yield (os.path.abspath(fix.filename), fix.row), before.median_ms - before.median_ms / fix.speedup
