"""GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from breaklint.model import Severity
from breaklint.output.fingerprints import fingerprints, relative

if TYPE_CHECKING:
    from breaklint.run import RunResult

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def render(result: RunResult, color: bool = False) -> str:
    """A JSON list of the findings; a merge request shows those that are new."""
    issues = [
        {
            "description": f"{finding.code}: {finding.message}",
            "check_name": finding.name,
            "fingerprint": name,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": relative(finding.filename),
                "positions": {
                    "begin": {"line": finding.span.start.row, "column": finding.span.start.column},
                    "end": {"line": finding.span.end.row, "column": finding.span.end.column},
                },
            },
        }
        for finding, name in zip(result.findings, fingerprints(result.findings), strict=True)
    ]
    return json.dumps(issues, indent=2) + "\n"
