"""Statements in LibCST's syntax: their positions, and replacement with comments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange

from breaklint.fixes.rewrite import Captures
from breaklint.model import Position, Span

Statement = cst.BaseStatement
Small = cst.BaseSmallStatement


class Unwritable(Exception):
    """The writer cannot make the edits; `str(error)` is the reason."""


def comments(text: str) -> list[str]:
    """The comments in a piece of an expression, or in statements."""
    if "#" not in text:
        return []
    try:
        tree: cst.CSTNode = cst.parse_expression(f"(\n{text}\n)")
    except cst.ParserSyntaxError:
        return []
    return comments_in(tree)


def comments_in(tree: cst.CSTNode) -> list[str]:
    """All comments of a tree, in order."""
    return [node.value for node in walk_cst(tree) if isinstance(node, cst.Comment)]


def walk_cst(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk_cst(child)


def nodes_at(places: Mapping[cst.CSTNode, CodeRange], keys: Sequence[tuple[int, int]]) -> list[cst.CSTNode]:
    """The statements that begin at places."""
    result: dict[tuple[int, int], cst.CSTNode] = {}
    for node, where in places.items():
        if isinstance(node, Small | cst.BaseCompoundStatement):
            result.setdefault((where.start.line, where.start.column), node)
    if not result.keys() >= {*keys}:
        raise Unwritable("LibCST does not find the statement")
    return [result[key] for key in keys]


def comments_near(places: Mapping[cst.CSTNode, CodeRange], span: Span, shift: int) -> tuple[list[str], str]:
    """The comments inside a span, in order, and the comment after it; the slice starts at line `shift`."""
    result = sorted(
        (Position(where.start.line + shift - 1, where.start.column + 1), node.value)
        for node, where in places.items()
        if isinstance(node, cst.Comment)
    )
    following = next((text for place, text in result if place.row == span.end.row and place >= span.end), "")
    return [text for place, text in result if span.start <= place < span.end], following


class CapturedStatements(cst.CSTTransformer):
    """Replaces lines of a template by captured statements."""

    def __init__(
        self, captures: Captures, nodes: dict[ast.stmt, cst.CSTNode], alone: Callable[[ast.stmt], cst.CSTNode]
    ) -> None:
        super().__init__()
        self.captures, self.nodes, self.alone = captures, nodes, alone

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Statement:
        """The captured statement, or the line as it is."""
        value = original_node.body[0].value if isinstance(original_node.body[0], cst.Expr) else None
        statement = self.captures.statement(value.value) if isinstance(value, cst.Name) else None
        if statement is None:
            return updated_node
        node = self.nodes.get(statement) or self.alone(statement)
        if isinstance(node, Small):
            return _line(node)
        assert isinstance(node, cst.BaseCompoundStatement)
        return node.with_changes(leading_lines=())


class Exchange(cst.CSTTransformer):
    """Puts statements in place of others: lines that these share are parted, suites get lines of their own."""

    def __init__(self, old: Sequence[cst.CSTNode], new: list[Statement], inside: list[str], following: str) -> None:
        super().__init__()
        self.old = old
        comments = {item.value for node in new for item in walk_cst(node) if isinstance(item, cst.Comment)}
        above = [cst.EmptyLine(comment=cst.Comment(text)) for text in inside if text not in comments]
        self.new = _below(above, [*new[:-1], *(_ending(item, following) for item in new[-1:])])

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        """The node, or its replacement."""
        if isinstance(original_node, cst.SimpleStatementLine) and self._holds(original_node.body):
            return cst.FlattenSentinel(self._parts(original_node))
        if isinstance(original_node, cst.SimpleStatementSuite) and self._holds(original_node.body):
            return cst.IndentedBlock(self._parts(original_node))
        if isinstance(original_node, cst.BaseCompoundStatement) and original_node in self.old:
            return self._compound(original_node)
        return updated_node

    def _holds(self, body: Sequence[cst.CSTNode]) -> bool:
        return any(item in self.old for item in body)

    _elif = False

    def visit_If_orelse(self, node: cst.If) -> None:
        """Note an `elif` that is to be replaced."""
        self._elif = self._elif or (node.orelse is not None and node.orelse in self.old)

    def _compound(self, node: cst.BaseCompoundStatement) -> Any:
        result = self.new if node is self.old[0] else []
        if self._elif:
            return cst.Else(cst.IndentedBlock(result)) if result else cst.RemoveFromParent()
        return cst.FlattenSentinel(_below(node.leading_lines, result))

    def _parts(self, line: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> list[Statement]:
        """The statements of a line with the new ones; the comment after the line follows the last."""
        result: list[Statement] = []
        for item in line.body:
            if item is self.old[0]:
                result += self.new
            elif item not in self.old:
                result.append(_line(item))
        comment = line.trailing_whitespace.comment
        if result and comment is not None and (line.body[-1] not in self.old or not self.new):
            result[-1] = _ending(result[-1], comment.value)
        return _below(line.leading_lines if isinstance(line, cst.SimpleStatementLine) else (), result)


def _below(lines: Sequence[cst.EmptyLine], statements: list[Statement]) -> list[Statement]:
    """Statements, with lines above the first."""
    if not statements:
        return []
    first = statements[0]
    return [first.with_changes(leading_lines=[*lines, *_leading(first)]), *statements[1:]]


def _leading(statement: Statement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def _line(small: Small) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])


def _ending(statement: Any, comment: str) -> Any:
    """A statement with a comment after its last line."""
    if not comment:
        return statement
    if isinstance(statement, cst.SimpleStatementLine):
        following = cst.TrailingWhitespace(cst.SimpleWhitespace("  "), cst.Comment(comment))
        return statement.with_changes(trailing_whitespace=following)
    body = getattr(statement, "body", None)
    if isinstance(body, cst.IndentedBlock) and getattr(statement, "orelse", None) is None:
        last = _ending(body.body[-1], comment)
        return statement.with_changes(body=body.with_changes(body=[*body.body[:-1], last]))
    return statement
