"""GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from breaklint.lint.fingerprints import fingerprints, relative
from breaklint.model import Finding, Severity
from breaklint.output.wording import message_of

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def render(result: RunResult, color: bool = False) -> str:
    """A JSON list of the findings; a merge request shows those that are new."""
    issues = [
        {
            "description": f"{finding.code}: {_cell(finding)}{message_of(finding)}",
            "check_name": finding.name,
            "fingerprint": name,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": relative(finding.filename),
                "positions": {"begin": _position(finding, 0), "end": _position(finding, 1)},
            },
        }
        for finding, name in zip(result.findings, fingerprints(result.findings), strict=True)
    ]
    return json.dumps(issues, indent=2) + "\n"


def _cell(finding: Finding) -> str:
    return f"cell {finding.cell}, row {finding.span.start.row}: " if finding.cell else ""


def _position(finding: Finding, end: int) -> dict[str, int]:
    """A place in the file; GitLab needs one for a notebook as well, whose cells do not have lines of the file."""
    row, column = (1, 1) if finding.cell else finding.span[end]
    return {"line": row, "column": column}
