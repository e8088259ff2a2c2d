"""Source texts as syntax trees: whole ones, and definitions that were cut out of one."""

from __future__ import annotations

import ast
from typing import Protocol

from breaklint.errors import SourceError
from breaklint.project.outline import Piece, cut_class, cut_module
from breaklint.source.syntax import parse

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Source(Protocol):
    """The file that a definition was cut out of; `parsed` counts the characters that were parsed of it."""

    path: str
    parsed: int


class LazyDefinition:
    """Where a definition that was cut out belongs: `body[index]` is `pass` until it is asked for.

    `inner` are the places of the methods of a class, once that has been parsed.
    """

    __slots__ = ("body", "index", "inner", "node", "piece")

    def __init__(self, piece: Piece, body: list[ast.stmt], index: int) -> None:
        self.piece, self.body, self.index = piece, body, index
        self.node: Definition | None = None
        self.inner: dict[int, LazyDefinition] = {}

    def take(self, module: Source) -> Definition:
        """The definition, put where it belongs."""
        if self.node is None:
            self.node = self._class(module) if self.piece.kind == "class" else _definition(module, self.piece)
            self.body[self.index] = self.node
        return self.node

    def whole(self, module: Source) -> None:
        """Put the definition where it belongs, with all that was cut out of it."""
        node = self.take(module)
        for place in self.inner.values():
            place.take(module)
        if self.inner:
            node.end_lineno, node.end_col_offset = node.body[-1].end_lineno, node.body[-1].end_col_offset

    def _class(self, module: Source) -> Definition:
        cut = cut_class(self.piece)
        if cut is None:
            return _definition(module, self.piece)
        text, pieces = cut
        try:
            rest = Piece("class", self.piece.name, text, 0, len(text), self.piece.row)
            node = _definition(module, rest, strict=True)
        except SourceError:
            return _definition(module, self.piece)
        self.inner = places(node.body, pieces)
        return node


def places(body: list[ast.stmt], pieces: list[Piece]) -> dict[int, LazyDefinition]:
    """The places of cut pieces among the statements that are left, by row."""
    found = {piece.row: piece for piece in pieces}
    return {
        statement.lineno: LazyDefinition(found[statement.lineno], body, index)
        for index, statement in enumerate(body)
        if isinstance(statement, ast.Pass) and statement.lineno in found
    }


def outlined(path: str, text: str) -> tuple[ast.Module, dict[int, LazyDefinition], int, list[str]]:
    """The tree of a text without its definitions, the places of these, how much was parsed for it, and its parts.

    SourceError when what is left is no Python.
    """
    cut = cut_module(text)
    if cut is not None:
        try:
            tree = parse(path, cut[0])
            return tree, places(tree.body, cut[1]), len(cut[0]), cut[2]
        except SourceError:
            pass  # cut at the wrong place, or no Python at all: the whole text tells
    return parse(path, text), {}, len(text), [text]


def _definition(module: Source, piece: Piece, strict: bool = False) -> Definition:
    """The node of a piece, in the rows where it stands; an empty definition for one that is no Python.

    SourceError for the latter when `strict`.
    """
    text = piece.text
    nested = text[:1].isspace() and piece.row > 1
    head = "\n" * (piece.row - 2) + "class _:\n" if nested else "\n" * (piece.row - 1)
    module.parsed += len(text)
    try:
        body = parse(module.path, head + text).body
        found = body[0].body if nested and isinstance(body[0], ast.ClassDef) else body
        if len(found) == 1 and isinstance(found[0], Definition):
            return found[0]
        raise SourceError(module.path, "holds more than one definition where one was expected", piece.row)
    except SourceError:
        if strict:
            raise
    empty = "class _: pass" if piece.kind == "class" else "def _(*_, **__): pass"
    node = ast.parse("\n" * (piece.row - 1) + empty).body[0]
    assert isinstance(node, Definition)
    node.name = piece.name
    return node
