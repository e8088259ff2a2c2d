"""How often each rule was found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from breaklint.output.wording import marker, summary

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult


def render(result: RunResult, color: bool = False) -> str:
    """A line a rule, the most frequent first: count, code, how many have a fix, name; then the summary."""
    total = Counter((finding.code, finding.name) for finding in result.findings)
    fixes = Counter(finding.code for finding in result.findings if marker(finding) in ("[*]", "[unsafe]"))
    ordered = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    rows = [(str(count), code, name, fixes[code]) for (code, name), count in ordered]
    width = max((len(row[0]) for row in rows), default=0)
    names = max((len(row[2]) for row in rows), default=0)
    lines = [
        f"{count:>{width}}  {code}  {name:<{names}}{f'  {fixable} fixable' if fixable else ''}".rstrip() + "\n"
        for count, code, name, fixable in rows
    ]
    return "".join(lines) + ("\n" if lines else "") + summary(result)
