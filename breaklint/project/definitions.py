"""Definitions that were cut out of a file. They are parsed and inserted when a name resolves to them."""

from __future__ import annotations

import ast

from breaklint.errors import SourceError
from breaklint.project.binding import fill, inner_classes
from breaklint.project.module import ClassBody, ClassInfo, FunctionInfo, FunctionNode, LazyDefinition, Module
from breaklint.project.outline import Piece, cut_class, cut_module
from breaklint.project.parsing import Definition, empty_definition, parse_piece
from breaklint.source.syntax import parse


class CutDefinition(LazyDefinition):
    """A piece of a file. `body[index]` is `pass` until the definition is parsed; `inner` are then a class's methods."""

    __slots__ = ("body", "index", "inner", "node", "piece")

    def __init__(self, piece: Piece, body: list[ast.stmt], index: int) -> None:
        self.piece, self.body, self.index = piece, body, index
        self.node: Definition | None = None
        self.inner: dict[int, LazyDefinition] = {}

    def function(self, info: FunctionInfo) -> FunctionNode:
        """The definition of a function, inserted at its place."""
        node = self._take(info.module)
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        info.module.functions[node] = info
        if info.cls is None:
            inner_classes(info.module, node)
        return node

    def class_body(self, info: ClassInfo) -> ClassBody:
        """The members of a class, with its definition inserted at its place."""
        node = self._take(info.module)
        assert isinstance(node, ast.ClassDef)
        return fill(info, node, self.inner)

    def value(self, module: Module) -> ast.expr:
        """The value of a table, whose assignment is inserted."""
        node = self._take(module)
        assert isinstance(node, (ast.Assign, ast.AnnAssign))
        assert node.value is not None
        return node.value

    def complete(self, module: Module) -> None:
        """Insert the definition, with all pieces that were cut out of it."""
        node = self._take(module)
        for method in self.inner.values():
            method.complete(module)
        if self.inner and isinstance(node, ast.ClassDef):
            node.end_lineno, node.end_col_offset = node.body[-1].end_lineno, node.body[-1].end_col_offset

    def _take(self, module: Module) -> Definition:
        if self.node is None:
            self.node = self._class(module) if self.piece.kind == "class" else _parse(module, self.piece)
            self.body[self.index] = self.node
        return self.node

    def _class(self, module: Module) -> Definition:
        cut = cut_class(self.piece)
        if cut is None:
            return _parse(module, self.piece)
        text, pieces = cut
        try:
            node = _parse(module, Piece("class", self.piece.name, text, 0, len(text), self.piece.row), strict=True)
        except SourceError:
            return _parse(module, self.piece)
        assert isinstance(node, ast.ClassDef)
        self.inner = cut_definitions(node.body, pieces)
        return node


def _parse(module: Module, piece: Piece, strict: bool = False) -> Definition:
    """The definition of a piece. If it does not parse: an empty one, or SourceError if `strict`."""
    module.parsed += len(piece.text)
    try:
        return parse_piece(module.path, piece)
    except SourceError:
        if strict:
            raise
    try:
        parse(module.path, module.text)  # raises with the place, unless the text was cut at a wrong place
    except SourceError as error:
        module.unparsed = error
    return empty_definition(piece)


def cut_definitions(body: list[ast.stmt], pieces: list[Piece]) -> dict[int, LazyDefinition]:
    """The definitions of cut pieces among the remaining statements, by line."""
    result = {piece.row: piece for piece in pieces}
    return {
        statement.lineno: CutDefinition(result[statement.lineno], body, index)
        for index, statement in enumerate(body)
        if isinstance(statement, ast.Pass) and statement.lineno in result
    }


def parse_outline(path: str, text: str) -> tuple[ast.Module, dict[int, LazyDefinition], int, list[str]]:
    """The tree of a text without its definitions, the definitions by row, the parsed size, and the parts of the text.

    SourceError if the rest of the file is not valid Python.
    """
    cut = cut_module(text)
    if cut is not None:
        try:
            tree = parse(path, cut[0])
            return tree, cut_definitions(tree.body, cut[1]), len(cut[0]) - cut[0].count("\n"), cut[2]
        except SourceError:
            pass  # cut at the wrong place, or not Python: parse the whole text
    return parse(path, text), {}, len(text), [text]
