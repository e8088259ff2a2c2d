"""Findings by cause: the causes to fix first, a short block for each cause, and the graphs of the entry points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import shorten
from typing import TYPE_CHECKING

from breaklint.lint.places import place
from breaklint.model import Applicability, Finding, Fix
from breaklint.output.brief import first_reason, first_sentence
from breaklint.output.by_line import LABELS, excerpt_line, source_rows, terminal_columns
from breaklint.output.order import Group, by_cause, eager_calls, fix_first, graphs_of, still_eager
from breaklint.output.wording import code_and_message, headline, number_of, observed_in_words, paint, printable, summary

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

_LONGEST, _NARROWEST = 120, 20  # characters of a line of advice, at most and at least


def render(result: RunResult, color: bool = False) -> str:
    """A block of three lines for each cause (the finding, its source, the advice), and a line for each finding that
    follows from it."""
    groups = by_cause(result.findings)
    lines = _lines(groups, dict(result.texts))
    helped: set[str] = set()
    room = min(_LONGEST, terminal_columns() or _LONGEST) if color else _LONGEST
    blocks = []
    for group in groups:
        blocks.append("\n".join(_block(group, lines[group.place], helped, color, room)) + "\n\n")
    first = fix_first(groups)
    last = eager_calls(result)
    if result.fixed or any(group.breaks for group in groups):
        last += [*graphs_of(result), *still_eager(result)]
    return (
        ("\n".join(map(printable, first)) + "\n\n" if first else "")
        + "".join(blocks)
        + "".join(f"{printable(line)}\n" for line in last)
        + summary(result)
    )


def _lines(groups: Sequence[Group], texts: dict[str, str]) -> dict[str, dict[int, str]]:
    """The source lines of causes by place and row; those that findings have are not read."""
    lines: defaultdict[str, dict[int, str]] = defaultdict(dict)
    rows: defaultdict[str, set[int]] = defaultdict(set)
    for group in groups:
        line = group.head.line if group.head is not None else ""
        if not line:
            rows[group.place].add(group.row)
        else:
            lines[group.place][group.row] = line
    for name, some in rows.items():
        lines[name] |= source_rows(name, some, texts)
    return lines


def _block(group: Group, lines: Mapping[int, str], helped: set[str], color: bool, room: int) -> Iterator[str]:
    head = group.head
    if head is not None:
        yield headline(head, color) + _source(group) + _notes(head)
        yield from excerpt_line(head.span.start.row, head.span, lines, color)
        yield from _advice(head, helped, color, room)
    else:
        assert group.cause is not None
        where = paint(printable(f"{group.place}:{group.row}"), color, bold=True)
        count = number_of(len(group.findings), "finding")
        yield f"{where}: {printable(f'`{group.cause.source}`')} leads to {count}{_notes(group.findings[0])}"
        yield from excerpt_line(group.row, None, lines, color)
        yield from _advice(group.findings[0], helped, color, room)
    width = max(len(_where(finding, group)) for finding in group.findings)
    for item in group.findings:
        if item is not head:
            yield f"    {_where(item, group):>{width}} {code_and_message(item, color, condition=not group.cause)}"


def _source(group: Group) -> str:
    """The cause of a finding that is alone in its group."""
    cause = group.cause
    if cause is None or cause.row == group.row:
        return ""
    file = "" if place(cause) == group.place else f"{place(cause)}:"
    return printable(f"; from `{cause.source}` ({file or 'line '}{cause.row})")


def _where(finding: Finding, group: Group) -> str:
    """The place of a finding beside its cause: the file only if it is another one."""
    row, column = finding.span.start
    return f"{row}:{column}" if place(finding) == group.place else printable(f"{place(finding)}:{row}:{column}")


def _advice(finding: Finding, helped: set[str], color: bool, room: int) -> Iterator[str]:
    """One line about the remedy, as much of it as fits: `--by-line` shows all."""
    name, text = _remedy(finding, helped)
    if text:
        width = max(room - len(f"  = {name}: "), _NARROWEST)
        yield f"  = {paint(name, color, bold=True)}: {_shortened(text, width)}"


@lru_cache(maxsize=1024)  # many findings say the same
def _shortened(text: str, width: int) -> str:
    return shorten(printable(text), width, placeholder=" …", break_long_words=False)


def _notes(finding: Finding) -> str:
    """The functions that Dynamo skips because of a finding, and its state in the profile of observe."""
    names = finding.cost.skipped
    skipped = f"Dynamo runs {', '.join(names[:2])} in eager mode" if names else finding.note
    return "".join(f"; {printable(note)}" for note in (skipped, observed_in_words(finding)) if note)


def _remedy(finding: Finding, helped: set[str]) -> tuple[str, str]:
    fix = finding.fix
    if fix is not None:
        is_last = finding.cost.last and fix.applicability is not Applicability.DISPLAY
        last = f"; only break in {finding.function.rpartition('.')[2]}" if is_last else ""
        return LABELS[fix.applicability], fix.message + last + _reason(fix)
    if finding.help and finding.help not in helped:
        helped.add(finding.help)
        return "help", first_sentence(finding.help, f"`breaklint rule {finding.code}`")
    return "no fix", "" if finding.help else finding.no_fix


def _reason(fix: Fix) -> str:
    """Why a fix is not safe."""
    if fix.applicability is Applicability.SAFE or not fix.why:
        return ""
    return f" ({first_reason(fix.why)[0]})"
