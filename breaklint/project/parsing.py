"""Source texts as syntax trees: whole ones, and definitions that were cut out of one."""

from __future__ import annotations

import ast
import gc
import warnings

from breaklint.errors import SourceError
from breaklint.project.outline import Piece

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def parse_piece(path: str, piece: Piece, strict: bool = False) -> Definition:
    """The node of a piece, in the rows where it stands; an empty definition for one that is no Python.

    SourceError for the latter when `strict`.
    """
    text = piece.text
    nested = text[:1].isspace() and piece.row > 1
    head = "\n" * (piece.row - 2) + "class _:\n" if nested else "\n" * (piece.row - 1)
    try:
        body = parse(path, head + text).body
        found = body[0].body if nested and isinstance(body[0], ast.ClassDef) else body
        if len(found) == 1 and isinstance(found[0], Definition):
            return found[0]
        raise SourceError(path, "holds more than one definition where one was expected", piece.row)
    except SourceError:
        if strict:
            raise
    empty = "class _: pass" if piece.kind == "class" else "def _(*_, **__): pass"
    node = ast.parse("\n" * (piece.row - 1) + empty).body[0]
    assert isinstance(node, Definition)
    node.name = piece.name
    return node


def parse(path: str, text: str) -> ast.Module:
    """The tree of a source text; raises SourceError with the place when it is no Python of the running version."""
    enabled = gc.isenabled()
    gc.disable()  # saves 13-18 % of ast.parse: it makes many objects and frees none
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # of the code that is looked at: other tools tell
            return ast.parse(text, filename=path)
    except SyntaxError as error:
        reason = f"not valid Python: {error.msg.partition(' - ')[0]}"
        raise SourceError(path, reason, error.lineno or _row_of_null(text), error.offset or None) from None
    except (RecursionError, MemoryError):
        raise SourceError(path, "cannot be parsed: an expression is too long or nested too deeply") from None
    except ValueError as error:
        raise SourceError(path, f"cannot be parsed: {error}", _row_of_null(text)) from None
    finally:
        if enabled:
            gc.enable()


def _row_of_null(text: str) -> int | None:
    """The row of the first null character, of which Python tells no place."""
    return text.count("\n", 0, text.index("\0")) + 1 if "\0" in text else None
