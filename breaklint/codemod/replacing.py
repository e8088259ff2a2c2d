"""From a node and what shall stand in its place to an edit of the text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter

import libcst as cst

from breaklint.errors import SourceError
from breaklint.model import Edit, Position, Span
from breaklint.source.edits import line_starts, offset
from breaklint.source.syntax import parse

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
    """The text with the replacement, an expression in parentheses where they change what the text means."""
    plain = _replaced(module, node, replacement)
    tree = _tree(plain)
    if isinstance(replacement, cst.BaseExpression) and not replacement.lpar:
        inside = replacement.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        enclosed = _replaced(module, node, inside)
        expected = _tree(enclosed)
        if expected is not None and expected != tree:
            return enclosed
    if tree is None:
        raise NotReplaced("the replacement does not parse there")
    return plain


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
