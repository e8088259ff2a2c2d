"""The replacement of a LibCST node by a rule, for the writer of all fixes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from breaklint.fixes.rewrite import Captures, Change, Deleted, Put, Replaced, Rewrite, dumped
from breaklint.fixes.statements import Unwritable, walk_cst
from breaklint.fixes.writer import edits_of
from breaklint.model import Applicability, Edit, Span
from breaklint.project.module import Module
from breaklint.project.spans import span_of
from breaklint.project.walking import walk

OPERANDS = (
    cst.Await, cst.BaseNumber, cst.BinaryOperation, cst.BooleanOperation, cst.Comparison, cst.ConcatenatedString,
    cst.GeneratorExp, cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Tuple, cst.UnaryOperation, cst.Yield,
)  # fmt: skip
Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]


class NotReplaced(Exception):
    """An edit is not possible; `str(error)` is the reason, a clause that completes "not fixed: …"."""


def rewritten(module: Module, node: cst.CSTNode, span: Span, replacement: Replacement) -> tuple[Edit, ...]:
    """The edits that put a replacement in the place of a node at `span`; NotReplaced when there are none."""
    change_of = _expression if isinstance(node, cst.BaseExpression) else _statements
    rewrite = Rewrite(Applicability.UNSAFE, "", "", (change_of(module, node, span, replacement),))
    try:
        return edits_of(rewrite, module, module.scope(module.tree), Captures())
    except Unwritable as reason:
        raise NotReplaced(str(reason)) from None


def _expression(module: Module, node: cst.CSTNode, span: Span, replacement: Replacement) -> Change:
    enclosed = isinstance(node, (cst.Tuple, cst.GeneratorExp))  # Python counts the parentheses around these as theirs
    kind = (ast.Tuple, ast.GeneratorExp) if enclosed else ast.expr
    places = ((item, span_of(module, item)) for item in walk(module.tree) if isinstance(item, kind))
    matches = [item for item, place in places if place == span or (enclosed and _is_within(span, place))]
    if not matches:
        raise NotReplaced("breaklint cannot locate it")
    target = matches[-1] if enclosed else matches[0]
    if any(isinstance(parent, ast.JoinedStr) for parent in module.scope(module.tree).parents(target)):
        raise NotReplaced("it is inside an f-string")
    if not isinstance(replacement, cst.BaseExpression):
        raise NotReplaced("the replacement does not parse there")
    return Replaced(target, _exact(replacement))


def _is_within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _statements(module: Module, node: cst.CSTNode, span: Span, replacement: Replacement) -> Change:
    blocks = ([item for item in block if _is_within(span_of(module, item), span)] for block in _blocks(module.tree))
    standing = next(filter(None, blocks), None)
    if standing is None:
        raise NotReplaced("breaklint cannot locate it")
    if isinstance(replacement, cst.RemovalSentinel) and len(standing) == 1:
        return Deleted(standing[0])
    nodes: list[Any] = list(replacement) if isinstance(replacement, cst.FlattenSentinel) else [replacement]
    created = [] if isinstance(replacement, cst.RemovalSentinel) else nodes
    return Put(standing[0], standing[-1], "".join(_exact(_alone(item, node)) for item in created).removesuffix("\n"))


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _alone(statement: Any, replaced: cst.CSTNode) -> cst.BaseStatement:
    """A statement on lines of its own, without those above the one that it replaces, which stay."""
    if isinstance(statement, cst.BaseSmallStatement):
        return cst.SimpleStatementLine([statement])
    if not isinstance(statement, cst.BaseStatement):
        raise NotReplaced("the replacement does not parse there")
    above: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    leading = getattr(replaced, "leading_lines", ())
    same = len(leading) <= len(above) and all(
        one.deep_equals(other) for one, other in zip(leading, above, strict=False)
    )
    return statement.with_changes(leading_lines=above[len(leading) :]) if above and same else statement


def _exact(node: cst.CSTNode) -> str:
    """The text of an expression or statement, with parentheses around parts if they are necessary.

    With parentheses around every part the text parses to the tree; redundant parentheses are omitted.
    """
    enclosed = [part for part in walk_cst(node) if isinstance(part, OPERANDS) and not part.lpar]
    exact = dumped(_text(node, enclosed))
    if exact is None:
        raise NotReplaced("the replacement does not parse there")
    if dumped(_text(node, [])) == exact:
        return _text(node, [])
    for part in list(enclosed):
        fewer = [other for other in enclosed if other is not part]
        if dumped(_text(node, fewer)) == exact:
            enclosed = fewer
    return _text(node, enclosed)


def _text(node: cst.CSTNode, enclosed: Sequence[cst.CSTNode]) -> str:
    """The text of a node with parentheses around some of its parts."""
    result = node.visit(_Encloser(enclosed)) if enclosed else node
    assert isinstance(result, cst.CSTNode)
    return cst.Module([]).code_for_node(result)


class _Encloser(cst.CSTTransformer):
    """Puts parentheses around some nodes."""

    def __init__(self, parts: Sequence[cst.CSTNode]) -> None:
        super().__init__()
        self._parts = set(parts)

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if original_node not in self._parts:
            return updated_node
        return updated_node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
