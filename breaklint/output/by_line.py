"""Each finding by place, with its source, a caret, and one sentence of advice."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from breaklint.errors import SourceError
from breaklint.lint.places import place
from breaklint.model import Applicability, Effect, Finding, Fix, Span
from breaklint.output.brief import first_reason, first_sentence
from breaklint.output.wording import headline, is_break, observed_in_words, paint, printable, summary
from breaklint.source.decoding import read_source

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

LABELS = {Applicability.SAFE: "fix", Applicability.UNSAFE: "unsafe fix", Applicability.DISPLAY: "by hand"}
_WRAP, _NARROWEST = 100, 20  # characters of advice a line, at most and at least
_WIDTH = 140  # characters of a source line; longer ones are cut around the caret
_ROWS = 4  # of a finding that spans many
_LABELS = {
    Effect.BREAK: "graph break",
    Effect.RECOMPILE: "recompiles",
    Effect.UNROLL: "unrolled",
    Effect.SYNC: "the GPU waits",
}


def render(result: RunResult, color: bool = False, verbose: bool = False) -> str:
    """Every finding with an excerpt of its source, then the summary; a help is given once.

    `verbose` shows the lines around a finding, the whole help and all reasons.
    """
    texts = dict(result.texts)
    lines: dict[str, list[str]] = {}
    blocks = []
    helped: set[str] = set()
    room = terminal_columns() if color else None
    for finding in result.findings:
        name = place(finding)
        if name not in lines:
            lines[name] = source_lines(name, texts)
        advice = list(_advice(finding, verbose, helped))
        blocks.append(_block(finding, advice, lines[name], color, room, verbose))
    return "".join(f"{block}\n\n" for block in blocks) + summary(result)


def terminal_columns() -> int | None:
    """The width of the terminal, None if there is none."""
    try:
        return os.get_terminal_size().columns
    except OSError:  # there is none
        return None


def source_lines(filename: str, texts: dict[str, str], last: int = -1) -> list[str]:
    """The lines of a file or cell, or of its replacement in `texts`; none if it does not exist.

    The lines after the `last` are one.
    """
    try:
        text = texts[filename] if filename in texts else read_source(filename).text
    except SourceError:
        return []  # gone since it was checked: the finding stands without its excerpt
    return text.split("\n", last)


def source_rows(filename: str, rows: Collection[int], texts: dict[str, str]) -> dict[int, str]:
    """Some lines of a file or cell, by row, without those that do not exist."""
    lines = source_lines(filename, texts, max(rows))
    return {row: lines[row - 1] for row in rows if row <= len(lines)}


def _block(
    finding: Finding, advice: list[tuple[str, str]], lines: Sequence[str], color: bool, room: int | None, verbose: bool
) -> str:
    rows = _shown_rows(finding.span, lines, verbose) if finding.span.end.row <= len(lines) else range(1, 1)
    width = len(str(rows.stop - 1)) if rows else 1
    bar = paint(f"{'':{width}} |", color, fg="blue", bold=True)
    equals = paint(f"{'':{width}} =", color, fg="blue", bold=True)
    excerpt = list(_excerpt(finding, lines, rows, width, bar, color))
    if verbose and excerpt:
        excerpt = [bar, *excerpt, bar]
    paragraphs = [_paragraph(name, text, equals, width, color, room) for name, text in advice]
    return "\n".join([headline(finding, color, condition=False), *excerpt, *paragraphs])


@lru_cache(maxsize=1024)  # many findings say the same
def _paragraph(name: str, text: str, equals: str, width: int, color: bool, room: int | None) -> str:
    """`= name: text`, wrapped, with the following lines under the first word; indented lines are code and stay.

    `room` is the number of columns, None without a terminal.
    """
    indent = " " * (width + len(" = : ") + len(name))
    most = _WRAP if room is None else max(_NARROWEST, min(_WRAP, room - len(indent)))
    lines: list[str] = []
    for is_code, group in groupby(text.split("\n"), lambda line: not line.strip() or line.startswith("    ")):
        if is_code:
            lines += [printable(line) for line in group]
        else:
            lines += wrap(printable(" ".join(" ".join(group).split())), most, break_long_words=False,
                          break_on_hyphens=False)  # fmt: skip
    return f"{equals} {paint(name, color, bold=True)}: " + f"\n{indent}".join(lines).replace(f"\n{indent}\n", "\n\n")


def _excerpt(finding: Finding, lines: Sequence[str], rows: range, width: int, bar: str, color: bool) -> Iterator[str]:
    span = finding.span
    red = partial(paint, color=color, fg="red" if is_break(finding) else "yellow", bold=True)
    for row in rows:
        start, end = _columns(span, row, lines[row - 1])
        before, inside, after = _cut(lines[row - 1], start, end)
        number = paint(f"{row:{width}} |", color, fg="blue", bold=True)
        yield f"{number} {before}{inside}{after}".rstrip()
        if inside.strip():
            last = row == min(span.end.row, span.start.row + _ROWS - 1)
            label = f" {_LABELS[finding.effect]}" if last and finding.function else ""  # else it is about no code
            yield f"{bar} {' ' * _cells(before)}{red('^' * _cells(inside) + label)}"


def excerpt_line(row: int, span: Span | None, lines: Mapping[int, str], color: bool) -> Iterator[str]:
    """One line of a source with its number, cut around the first character of `span`; none without the source."""
    if row in lines:
        start, end = _columns(span, row, lines[row]) if span is not None else (0, 0)
        yield f"{paint(f'{row} |', color, fg='blue', bold=True)} {''.join(_cut(lines[row], start, end))}".rstrip()


def _shown_rows(span: Span, lines: Sequence[str], enclosing: bool) -> range:
    """The lines of the finding, and if `around` is set the line before and after it."""
    first, last = span.start.row, min(span.end.row, span.start.row + _ROWS - 1)
    if not enclosing:
        return range(first, last + 1)
    if first > 1 and lines[first - 2].strip():
        first -= 1
    if last == span.end.row < len(lines) and lines[last].strip():
        last += 1
    return range(first, last + 1)


def _columns(span: Span, row: int, line: str) -> tuple[int, int]:
    """The characters of a line, from 0, that belong to the span."""
    if row not in span.rows:
        return 0, 0
    start = span.start.column - 1 if row == span.start.row else len(line) - len(line.lstrip())
    end = span.end.column - 1 if row == span.end.row else len(line.rstrip())
    return start, max(end, start + 1) if row == span.start.row == span.end.row else end


def _cut(line: str, start: int, end: int) -> tuple[str, str, str]:
    """A line in three parts, before, in and after the marked characters, cut to a readable width."""
    left = max(0, min(start - 20, len(line) - _WIDTH)) if len(line) > _WIDTH else 0
    right = min(len(line), left + _WIDTH)
    before = ("… " if left else "") + printable(line[left:start])
    after = printable(line[max(end, start) : right]) + (" …" if right < len(line) else "")
    return before, printable(line[start : min(end, right)]), after


def _cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def _advice(finding: Finding, verbose: bool, helped: set[str]) -> Iterator[tuple[str, str]]:
    """The labelled lines below the source. `helped` collects printed helps."""
    if finding.when:
        yield "when", finding.when
    if words := observed_in_words(finding):
        yield "observed", words
    if finding.note:
        yield "note", finding.note
    if finding.help and finding.help not in helped and (verbose or not finding.fix):
        helped.add(finding.help)
        yield "help", finding.help if verbose else first_sentence(finding.help, f"`breaklint rule {finding.code}`")
    if finding.fix:
        yield LABELS[finding.fix.applicability], finding.fix.message + _reasons(finding.fix, verbose)
    elif finding.no_fix:
        yield "no fix", finding.no_fix
    if verbose and finding.url:
        yield "torch", finding.url


def _reasons(fix: Fix, verbose: bool) -> str:
    """The reason why a fix is not safe, after its message."""
    if fix.applicability is Applicability.SAFE or not fix.why:
        return ""
    if verbose:
        return f" ({fix.why})"
    reason, others = first_reason(fix.why)
    return f" ({reason}; {others} more: --verbose)" if others else f" ({reason})"
