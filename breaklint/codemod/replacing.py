"""From a node and what shall stand in its place to an edit of the text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from breaklint.errors import SourceError
from breaklint.model import Edit, Position, Span
from breaklint.source.edits import line_starts, offset
from breaklint.source.syntax import parse

OPERANDS = (
    cst.Await, cst.BaseNumber, cst.BinaryOperation, cst.BooleanOperation, cst.Comparison, cst.ConcatenatedString,
    cst.GeneratorExp, cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Tuple, cst.UnaryOperation, cst.Yield,
)  # fmt: skip
Replacement = cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]


class NotReplaced(Exception):
    """There is no edit; `str(error)` is why, a clause that completes "not fixed: …"."""


def rewritten(module: cst.Module, node: cst.CSTNode, span: Span, replacement: Replacement) -> Edit:
    """The edit that puts a replacement in the place of a node at `span`; NotReplaced when there is none.

    It reaches over the whole node, so that fixes of nodes within each other are not made at once.
    """
    before, after = module.code, _written(module, node, replacement)
    starts = line_starts(before)
    same = _common_prefix(before, after)
    first = min(offset(starts, span.start), same)
    last = max(offset(starts, span.end), len(before) - _common_suffix(before, after, same))
    content = after[first : len(after) - (len(before) - last)]
    if "#" in before[first:last] and _loses_comment(before, after, span):
        raise NotReplaced("a comment would be lost")
    return Edit(Span(_position(starts, first), _position(starts, last)), content)


def _written(module: cst.Module, node: cst.CSTNode, replacement: Replacement) -> str:
    """The text with the replacement, its parts in parentheses where it would mean something else without.

    With parentheses around every part the text means what the tree says; those that change nothing are left out.
    """
    enclosed = [part for part in _parts(replacement) if isinstance(part, OPERANDS) and not part.lpar]
    exact = _tree(_replaced(module, node, _enclosed(replacement, enclosed)))
    plain = _replaced(module, node, replacement)
    if exact is None:
        raise NotReplaced("the replacement does not parse there")
    if _tree(plain) == exact:
        return plain
    for part in list(enclosed):
        fewer = [other for other in enclosed if other is not part]
        if _tree(_replaced(module, node, _enclosed(replacement, fewer))) == exact:
            enclosed = fewer
    return _replaced(module, node, _enclosed(replacement, enclosed))


def _parts(replacement: Replacement) -> Iterator[cst.CSTNode]:
    """All nodes of a replacement."""
    todo: list[Any] = list(replacement) if isinstance(replacement, cst.FlattenSentinel) else [replacement]
    for node in todo:
        if isinstance(node, cst.CSTNode):
            yield node
            todo += node.children


def _enclosed(replacement: Replacement, parts: Sequence[cst.CSTNode]) -> Replacement:
    """The replacement with parentheses around some parts."""
    if isinstance(replacement, cst.FlattenSentinel):
        return cst.FlattenSentinel([_enclosed(node, parts) for node in replacement])  # type: ignore[misc]
    return replacement.visit(_Encloser(parts)) if isinstance(replacement, cst.CSTNode) else replacement


class _Encloser(cst.CSTTransformer):
    """Puts parentheses around some nodes."""

    def __init__(self, parts: Sequence[cst.CSTNode]) -> None:
        super().__init__()
        self._parts = {id(part) for part in parts}

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if id(original_node) not in self._parts:
            return updated_node
        return updated_node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _replaced(module: cst.Module, node: cst.CSTNode, replacement: Replacement) -> str:
    changed = module.visit(_Replacer(node, replacement))
    assert isinstance(changed, cst.Module)
    return changed.code


class _Replacer(cst.CSTTransformer):
    """Replaces one node; unlike `deep_replace` it also takes what removes or flattens."""

    def __init__(self, node: cst.CSTNode, replacement: Replacement) -> None:
        super().__init__()
        self._node, self._replacement = node, replacement

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node is not self._node

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Replacement:  # type: ignore[override]
        return self._replacement if original_node is self._node else updated_node


def _tree(text: str) -> str | None:
    try:
        return ast.dump(parse("", text))
    except SourceError:
        return None


def _common_prefix(one: str, other: str) -> int:
    shorter = min(len(one), len(other))
    return next((place for place in range(shorter) if one[place] != other[place]), shorter)


def _common_suffix(one: str, other: str, taken: int) -> int:
    """How many characters both end in, those `taken` by the prefix aside."""
    longest = min(len(one), len(other)) - taken
    return next((count for count in range(longest) if one[-count - 1] != other[-count - 1]), longest)


def _loses_comment(before: str, after: str, span: Span) -> bool:
    """Whether a comment is gone, other than one behind the node."""
    behind = Counter(text for place, text in _comments(before) if place[0] == span.end.row and place >= span.end)
    lost = Counter(text for _, text in _comments(before)) - Counter(text for _, text in _comments(after))
    return bool(lost - behind)


def _comments(text: str) -> list[tuple[Position, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [token for token in tokens if token.type == tokenize.COMMENT]
    return [(Position(token.start[0], token.start[1] + 1), token.string) for token in found]


def _position(starts: tuple[int, ...], place: int) -> Position:
    row = next((row for row, start in enumerate(starts) if start > place), len(starts))
    return Position(row, place - starts[row - 1] + 1)
