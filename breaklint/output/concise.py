"""One line a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breaklint.output.wording import headline, summary

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """The findings, a line each, and the summary."""
    return "".join(f"{headline(finding, color)}\n" for finding in result.findings) + summary(result)
