"""A JSON object a line, in the shape of the format `json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from breaklint.output.json import as_object

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """The findings, a line each."""
    return "".join(json.dumps(as_object(finding)) + "\n" for finding in result.findings)
