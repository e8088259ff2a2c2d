"""Source texts as syntax trees: whole ones, and definitions that were cut out of one."""

from __future__ import annotations

import ast

from breaklint.errors import SourceError
from breaklint.project.outline import Piece
from breaklint.source.syntax import parse

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def parse_piece(path: str, piece: Piece) -> Definition:
    """The node of a piece, with its line numbers; SourceError if it does not parse."""
    text = piece.text
    nested = text[:1].isspace() and piece.row > 1
    head = "\n" * (piece.row - 2) + "class _:\n" if nested else "\n" * (piece.row - 1)
    body = parse(path, head + text).body
    result = body[0].body if nested and isinstance(body[0], ast.ClassDef) else body
    if len(result) == 1 and isinstance(result[0], Definition):
        return result[0]
    raise SourceError(path, "holds more than one definition where one was expected", piece.row)


def empty_definition(piece: Piece) -> Definition:
    """An empty definition in place of one that does not parse."""
    name = piece.name
    empty = {"class": f"class {name}: pass", "def": f"def {name}(*_, **__): pass", "table": f"{name} = ..."}
    node = ast.parse("\n" * (piece.row - 1) + empty[piece.kind]).body[0]
    assert isinstance(node, Definition)
    return node
