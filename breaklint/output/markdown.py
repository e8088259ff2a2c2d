"""A Markdown table, fit for a pull request or a job's summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from breaklint.lint.places import place
from breaklint.model import Finding
from breaklint.output.wording import marker, message_of, printable, summary

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~@$&:])")


def render(result: RunResult, color: bool = False) -> str:
    """The summary, then one table row per finding, and errors."""
    parts = [f"**breaklint**: {summary(result).strip() or 'nothing was checked'}\n"]
    if result.findings:
        rows = [_row(finding) for finding in result.findings]
        parts.append("\n".join(["| place | rule | finding | fix |", "|---|---|---|---|", *rows]) + "\n")
    if result.errors:
        parts.append("".join(f"- {as_markdown(error)}\n" for error in result.errors))
    return "\n".join(parts)


def _row(finding: Finding) -> str:
    where = f"{place(finding)}:{finding.span.start.row}"
    rule = f"[{finding.code}]({finding.url})" if finding.url.startswith("https://") else finding.code
    cells = [
        as_markdown(where),
        rule,
        with_code(message_of(finding)),
        marker(finding).strip("[]").replace("*", "safe"),
    ]
    return f"| {' | '.join(cells)} |"


def with_code(text: str) -> str:
    """Text for Markdown: parts in backticks are code, other characters are escaped."""
    parts = _CODE.split(text)  # every other part is code
    parts[::2] = map(as_markdown, parts[::2])
    parts[1::2] = (f"`{printable(code)}`".replace("|", "\\|") for code in parts[1::2])  # which ends no cell
    return "".join(parts)


def as_markdown(text: str) -> str:
    """Text that Markdown shows as it is: no markup, link, mention or table cell of its own."""
    return _SPECIAL.sub(r"\\\1", printable(text))
