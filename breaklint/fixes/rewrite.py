"""The rewrite of a codemod: changes, as templates whose names are captured code."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable
from typing import NamedTuple

from breaklint.model import Applicability, Edit
from breaklint.project.module import Module
from breaklint.project.spans import span_of, text_at

_PLACE = re.compile(r"_breaklint_(\d+)_")
_TIGHT = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set)


class Replaced(NamedTuple):
    """An expression that `code` replaces."""

    node: ast.expr
    code: str


class Put(NamedTuple):
    """Statements of one block that `code` replaces; lines of it may be captured statements."""

    first: ast.stmt
    last: ast.stmt
    code: str


class Deleted(NamedTuple):
    """A statement that goes with its line. Its comments stay in its place."""

    statement: ast.stmt


Change = Edit | Replaced | Put | Deleted


class Rewrite(NamedTuple):
    """The changes of a codemod, their applicability, and the reason. The writer turns them into edits.

    `kind` is the codemod.
    """

    applicability: Applicability
    message: str
    why: str
    changes: tuple[Change, ...]
    kind: str = ""


def changed_nodes(rewrite: Rewrite) -> list[ast.AST]:
    """The nodes that other code replaces."""
    return [change[0] for change in rewrite.changes if isinstance(change, (Replaced, Put))]


class Captures:
    """Nodes and pieces of code by their placeholders in templates."""

    def __init__(self) -> None:
        self._parts: list[tuple[Module, ast.AST] | str] = []

    def name(self, part: tuple[Module, ast.AST] | str) -> str:
        """A new placeholder for a node of a module, or for a piece of code."""
        self._parts.append(part)
        return f"_breaklint_{len(self._parts) - 1}_"

    def parts(self) -> Hashable:
        """All that the placeholders stand for."""
        return tuple(self._parts)

    def statement(self, line: str) -> ast.stmt | None:
        """The captured statement of a line of a template."""
        result = _PLACE.fullmatch(line.strip())
        part = self._parts[int(result[1])] if result is not None else None
        return part[1] if isinstance(part, tuple) and isinstance(part[1], ast.stmt) else None

    def render(self, code: str) -> str:
        """A template with its placeholders replaced, in parentheses if they are necessary.

        Captured statements keep their names: they are not written as text.
        """
        position = 0
        while (result := _PLACE.search(code, position)) is not None:
            part = self._parts[int(result[1])]
            if isinstance(part, tuple) and isinstance(part[1], ast.stmt):
                position = result.end()
                continue
            text = self.render(part) if isinstance(part, str) else text_at(part[0], span_of(*part))
            before, after = code[: result.start()], code[result.end() :]
            tight = not isinstance(part, str) and isinstance(part[1], _TIGHT) and "\n" not in text
            text = text if tight or fits(before, text, after) else f"({text})"
            code, position = before + text + after, len(before) + len(text)
        return code


def fits(before: str, text: str, after: str) -> bool:
    """Whether an expression means the same between two pieces of code as it does in parentheses."""
    if text[-1:].isalnum() and after[:1].isalpha():
        return False  # `x**2if y` is read as it should be, with a warning
    bare, enclosed = (dumped(f"{before}{item}{after}") for item in (text, f"({text})"))
    return bare is not None and enclosed in (None, bare)


def dumped(code: str) -> str | None:
    """The syntax of a piece of code, or None if it does not parse. `a and (b and c)` is `a and b and c`."""
    for text in (code, f"(\n{code}\n)"):
        try:
            return ast.dump(_Flat().visit(ast.parse(text)))
        except SyntaxError:
            continue
    return None


class _Flat(ast.NodeTransformer):
    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        """The operation with nested operations of its kind flattened: execution order does not change."""
        self.generic_visit(node)
        parts = [
            value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op) else [value]
            for value in node.values
        ]
        node.values = [item for part in parts for item in part]
        return node
