"""Workflow commands: GitHub shows them as annotations on the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breaklint.lint.places import place
from breaklint.model import Finding
from breaklint.output.wording import message_of, nothing_compiled

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """A command a finding, and one for every file that could not be checked."""
    lines = [_command(finding) for finding in result.findings]
    if nothing := nothing_compiled(result):
        lines.append(f"::warning title=breaklint::{_data(nothing)}")
    lines += [f"::error title=breaklint::{_data(error)}" for error in result.errors]
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding) -> str:
    (row, column), (end_row, end_column) = finding.span
    properties = {
        "title": f"breaklint {finding.code}",
        "file": finding.filename,
    }
    if not finding.cell:  # rows of a cell are none of the file's
        properties |= {"line": str(row), "col": str(column), "endLine": str(end_row), "endColumn": str(end_column)}
    fields = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    where = f"{place(finding)}:{row}:{column}"
    return f"::{finding.severity.value} {fields}::{_data(f'{where}: {finding.code} {message_of(finding)}')}"


def _data(text: str) -> str:
    """Escaped so that no part of it can start a command of its own."""
    text = "".join(char if char.isprintable() or char in "\r\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
