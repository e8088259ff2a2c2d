"""The milliseconds that a JSON report of `breaklint verify` has for the breaks of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from breaklint.errors import ConfigError
from breaklint.model import Finding

Place = tuple[str, int]


def with_milliseconds(findings: Sequence[Finding], report: Path) -> tuple[Finding, ...]:
    """The findings with the milliseconds of a call that are gained without them: of their own fix, else of all fixes
    of the target. ConfigError if the file is no report."""
    try:
        targets = json.loads(report.read_text("utf-8"))["targets"]
        gains = {place: gain for target in targets for place, gain in _gains(target)}
    except OSError as error:
        raise ConfigError(f"{report}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ConfigError(f"{report}: is no JSON report of `breaklint verify`") from None
    return tuple(finding._replace(cost=finding.cost._replace(milliseconds=_of(finding, gains))) for finding in findings)


def _of(finding: Finding, gains: Mapping[Place, float]) -> float:
    rows = range(finding.span.start.row, finding.span.end.row + 1)
    return max((gains.get((os.path.abspath(finding.filename), row), 0.0) for row in rows), default=0.0)


def _gains(target: Mapping[str, Any]) -> Iterator[tuple[Place, float]]:
    """The places of the breaks and fixes of a target, the gain of a fix after that of its break."""
    arms = target["arms"]
    before, after = ((arms.get(name) or {}).get("median_ms") for name in ("before", "after"))
    if before is None:
        return
    for item in arms["before"]["breaks"] if after is not None else ():
        at = item if item["own"] else item["called_from"] or item
        yield (os.path.abspath(at["filename"]), at["row"]), before - after
    for fix in target["fixes"]:
        if fix["speedup"]:
            yield (os.path.abspath(fix["filename"]), fix["row"]), before - before / fix["speedup"]
