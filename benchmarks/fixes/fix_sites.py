"""The known breaks of a corpus, each with its outcome: removed, offered, or the reason why not."""

from __future__ import annotations

import difflib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breaklint.model import Effect, Finding

ROWS = 12  # a finding is taken for the cause of a break on this many rows at most, as in accuracy.py
NOT_FOUND = "not found by check"
STRENGTH = {"none": 0, "display": 1, "unsafe": 2, "safe": 3}


@dataclass
class Site:
    """A row that breaks the graph. `fix` is the best fix its findings offer; `measured` tells whether it broke here."""

    file: str
    row: int
    code: str = NOT_FOUND
    fix: str = "none"
    reason: str = ""
    measured: bool = False
    removed: dict[str, bool] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """The outcome as text."""
        if self.fix == "display":
            return "shown by hand" if self.measured else "shown by hand, not measured"
        if not self.measured:
            return "not measured" if self.fix in ("safe", "unsafe") else "no fix, not measured"
        if self.removed.get("safe"):
            return "removed by safe fixes"
        if self.removed.get("all"):
            return "removed by unsafe fixes"
        return "offered, breaks still" if self.fix in ("safe", "unsafe") else "no fix"


def labelled_rows(paths: Iterable[Path]) -> dict[str, list[int]]:
    """The rows that break (perhaps none), by file, of label files: a JSON object a line with `file` and `breaks`."""
    rows: dict[str, list[int]] = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            label = json.loads(line)
            rows[label["file"]] = sorted({entry["line"] for entry in label["breaks"] if not entry.get("mock")})
    return rows


def sites_of(file: str, rows: Sequence[int], findings: Iterable[Finding]) -> list[Site]:
    """A site for every row, with the fixes of the findings on it."""
    breaks = [finding for finding in findings if finding.effect is Effect.BREAK]
    return [_site(Site(file, row), [finding for finding in breaks if _covers(finding, row)]) for row in rows]


def _covers(finding: Finding, row: int) -> bool:
    first = finding.span.start.row
    return first <= row <= min(finding.span.end.row, first + ROWS)


def _site(site: Site, findings: list[Finding]) -> Site:
    if findings:
        best = max(findings, key=lambda finding: STRENGTH[_applicability(finding)])
        site.code, site.fix = f"{best.code} {best.name}", _applicability(best)
        site.reason = best.fix.message if best.fix else best.no_fix
    return site


def _applicability(finding: Finding) -> str:
    return finding.fix.applicability.value if finding.fix else "none"


def judge(sites: Iterable[Site], texts: dict[str, str], broken: dict[str, set[int]]) -> None:
    """Note which sites broke in the original, and which of them no longer do in the other versions."""
    for site in sites:
        site.measured = site.row in broken["before"]
        for version in ("safe", "all"):
            rows = new_rows(texts["before"], texts[version], site.row)
            site.removed[version] = site.measured and not rows & broken[version]


def new_rows(before: str, after: str, row: int) -> set[int]:
    """Where a row of a text is after a change: one row where it is unchanged, those that took its place otherwise."""
    if before == after:
        return {row}
    blocks = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n")).get_opcodes()
    for tag, first, last, new_first, new_last in blocks:
        if first < row <= last:
            return {row - first + new_first} if tag == "equal" else set(range(new_first + 1, new_last + 1))
    return set()


def table(sites: Sequence[Site]) -> dict[str, Any]:
    """The sites by rule: how many broke here, how many are gone, and why the others are not."""
    by_code: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        by_code[site.code].append(site)
    return {
        code: {
            "sites": len(group),
            "states": dict(Counter(site.state for site in group)),
            "no_fix": dict(
                Counter(site.reason for site in group if site.fix == "none" and not any(site.removed.values()))
            ),
        }
        for code, group in sorted(by_code.items())
    }


def shares(sites: Sequence[Site]) -> dict[str, Any]:
    """Of the sites that broke here, how many are gone with safe fixes and with all."""
    measured = [site for site in sites if site.measured]
    removed = {version: sum(site.removed[version] for site in measured) for version in ("safe", "all")}
    return {
        "labelled": len(sites),
        "measured": len(measured),
        "removed": removed,
        "share": {version: round(number / max(len(measured), 1), 3) for version, number in removed.items()},
    }
