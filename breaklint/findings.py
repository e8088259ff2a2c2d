"""From a rule's hit to the finding that people and tools read."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.analysis.events import Call, Event
from breaklint.analysis.module import Module
from breaklint.checks.base import Hit
from breaklint.model import Effect, Finding, Position, Rule, Settings, Span

WHOLE_FRAME = {
    "loop": "in a loop",
    "comprehension": "in a comprehension",
    "try": "inside `try`",
}
EXCERPT = 60


@dataclass(slots=True)
class Spot:
    """A hit with the event it came from, before it becomes a finding."""

    rule: Rule
    hit: Hit
    event: Event
    span: Span


def span_of(module: Module, node: ast.AST) -> Span:
    """The span of a node, columns in characters."""
    lines = lines_of(module)
    assert isinstance(node, ast.expr | ast.stmt)
    end_row, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Span(
        Position(node.lineno, _column(lines[node.lineno - 1], node.col_offset)),
        Position(end_row, _column(lines[end_row - 1], end_column)),
    )


def lines_of(module: Module) -> list[str]:
    """The lines of a module as `ast` counts them, kept with the module."""
    known = module.cache.get("lines")
    if known is None:
        known = module.cache["lines"] = module.text.split("\n")
    assert isinstance(known, list)
    return known


def _column(line: str, offset: int) -> int:
    """A 1-based character column from a UTF-8 byte offset."""
    if line.isascii():
        return offset + 1
    return len(line.encode()[:offset].decode(errors="ignore")) + 1


def source_of(module: Module, node: ast.AST) -> str:
    """The source text of a node on one line."""
    span, lines = span_of(module, node), lines_of(module)  # ast.get_source_segment splits the whole text at every call
    rows = lines[span.start.row - 1 : span.end.row]
    rows[-1] = rows[-1][: span.end.column - 1]
    rows[0] = rows[0][span.start.column - 1 :]
    return " ".join(" ".join(rows).split())


def finding(spot: Spot, settings: Settings) -> Finding:
    """The finding for a spot."""
    rule, event = spot.rule, spot.event
    module = event.frame.module
    text = spot.hit.message or rule.message or rule.summary
    if "{" in text:
        source = source_of(module, spot.hit.node)
        short = source if len(source) <= EXCERPT else source[: EXCERPT - 1] + "…"
        text = text.replace("{source}", short).replace("{target}", event.target if isinstance(event, Call) else "")
    return Finding(
        filename=module.path, span=spot.span, code=rule.code, name=rule.name, message=text, effect=rule.effect,
        severity=rule.severity, function=event.frame.name, dynamo=rule.dynamo, url=rule.url, note=_note(rule, event.frame.blocks),
        help=rule.help, no_fix=rule.no_fix,
    )  # fmt: skip


def _note(rule: Rule, blocks: list[str]) -> str:
    """What the surroundings make of a break."""
    if rule.effect is not Effect.BREAK:
        return ""
    for block in reversed(blocks):
        if block in WHOLE_FRAME:
            return f"{WHOLE_FRAME[block]}: Dynamo gives the whole frame up and runs this function in eager mode"
    return ""
