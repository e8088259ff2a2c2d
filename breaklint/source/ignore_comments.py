"""Write comments that silence findings: `# breaklint: ignore[BRK201]` at the end of their line."""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Sequence

from breaklint.model import Finding, Position

_LIST = re.compile(r"(#\s*breaklint\s*:\s*ignore\s*\[)([^\]]*)\]", re.IGNORECASE)


def with_ignores(text: str, findings: Sequence[Finding]) -> str:
    """The text with a comment for each finding, or with its code added to the comment that is there."""
    ends = _line_ends(text)
    codes: dict[int, set[str]] = defaultdict(set)
    for finding in findings:
        row = next((row for row in finding.span.rows if row in ends), None)  # no line that ends in a string
        if row is not None:
            codes[row].add(finding.code)
    lines = text.split("\n")
    for row, result in codes.items():
        lines[row - 1] = _commented(lines[row - 1], ends[row], sorted(result))
    return "\n".join(lines)


def _line_ends(text: str) -> dict[int, Position | None]:
    """By line that a comment can end: the start of its comment, or None."""
    ends: dict[int, Position | None] = {}
    comment: Position | None = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment = Position(token.start[0], token.start[1])
        elif token.type in (tokenize.NEWLINE, tokenize.NL):
            ends[token.start[0]] = comment
            comment = None
    return ends


def _commented(line: str, comment: Position | None, codes: list[str]) -> str:
    if comment is not None and (there := _LIST.search(line, comment.column)):
        listed_codes = [code.strip() for code in there[2].split(",") if code.strip()]
        listed = ", ".join(dict.fromkeys([*listed_codes, *codes]))
        return f"{line[: there.start()]}{there[1]}{listed}]{line[there.end() :]}"
    return f"{line.rstrip()}  # breaklint: ignore[{', '.join(codes)}]"
