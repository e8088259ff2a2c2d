"""The places of nodes: spans in characters, and source text."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from breaklint.model import Position, Span
from breaklint.project.module import Module
from breaklint.project.syntax import begin_of


def span_of(module: Module, node: ast.AST) -> Span:
    """The span of a node, columns in characters."""
    assert isinstance(node, (ast.expr, ast.stmt))
    end_row, end_column = end_of(node)
    if all(map(str.isascii, module.parts)):  # a flag of each string, without reading characters
        return Span(Position(node.lineno, node.col_offset + 1), Position(end_row, end_column + 1))
    lines = lines_of(module)
    return Span(
        Position(node.lineno, _column(lines[node.lineno - 1], node.col_offset)),
        Position(end_row, _column(lines[end_row - 1], end_column)),
    )


def end_of(node: ast.expr | ast.stmt) -> tuple[int, int]:
    """The row and the column, in bytes, at which a node ends."""
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def encloses(block: Sequence[ast.expr | ast.stmt], node: ast.expr | ast.stmt) -> bool:
    """Whether a node begins in a block of statements, or in an expression."""
    return bool(block) and begin_of(block[0]) <= begin_of(node) < end_of(block[-1])


def lines_of(module: Module) -> list[str]:
    """The lines of a module as `ast` counts them, stored in the module."""
    if module.lines is None:
        module.lines = module.text.split("\n")
    return module.lines


def text_at(module: Module, span: Span) -> str:
    """The text of a span, with its newlines."""
    rows = lines_of(module)[span.start.row - 1 : span.end.row]
    rows[-1] = rows[-1][: span.end.column - 1]
    rows[0] = rows[0][span.start.column - 1 :]
    return "\n".join(rows)


def source_of(module: Module, node: ast.AST) -> str:
    """The source text of a node on one line."""
    # ast.get_source_segment splits the whole text at every call
    return " ".join(text_at(module, span_of(module, node)).split())


def _column(line: str, offset: int) -> int:
    """A 1-based character column from a UTF-8 byte offset."""
    if line.isascii():
        return offset + 1
    return len(line.encode()[:offset].decode(errors="ignore")) + 1
