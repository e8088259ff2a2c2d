"""Imports: the name of a library in a file, and the place for a missing import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.fixes.lines import begins_line, first_row, last_row
from breaklint.model import Edit, Position, Span
from breaklint.project.module import Module
from breaklint.project.spans import lines_of
from breaklint.project.syntax import text_of
from breaklint.project.walking import walk


def top_level(module: Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run whenever a file is imported."""
    return (statement for statement in module.skeleton.body if isinstance(statement, (ast.Import, ast.ImportFrom)))


def names_above(model: FunctionModel, node: ast.AST) -> Iterator[str]:
    """The names that these imports, and those of the function around a node, bind above it."""
    for statement in (*top_level(model.module), *model.scope.imports):
        if statement.lineno < getattr(node, "lineno", 0):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)


def refusal(module: Module, library: str) -> str:
    """Why a file should not get `import library`: it imports it under a condition only. "" if it does not."""
    if library.partition(".")[0] in sys.stdlib_module_names:
        return ""
    if any(_imports(node, library) for node in top_level(module)):
        return ""
    every = (node for node in walk(module.tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    conditional = any(_imports(node, library) for node in every)
    return f"the file imports `{library}` only under a condition" if conditional else ""


def _imports(node: ast.Import | ast.ImportFrom, library: str) -> bool:
    """Whether a statement imports a library, or a part of it."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] == library
    return any(alias.name.partition(".")[0] == library for alias in node.names)


def import_edit(module: Module, library: str) -> Edit | None:
    """The edit that adds `import library` above the first statement that is neither docstring nor import from
    `__future__`, nor shares a line with one. None without such a line."""
    row = 1
    for index, statement in enumerate(module.tree.body):
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        docstring = index == 0 and isinstance(statement, ast.Expr) and text_of(statement.value) is not None
        if not (future or docstring) and begins_line(module, statement):
            row = first_row(statement)
            break
        row = last_row(statement) + 1
    if row > len(lines_of(module)):
        return None
    place = Position(row, 1)
    return Edit(Span(place, place), f"import {library}\n")
