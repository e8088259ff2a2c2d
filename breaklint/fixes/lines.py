"""Positions of statements in their file."""

from __future__ import annotations

import ast

from breaklint.project.module import Module
from breaklint.project.spans import lines_of, span_of


def first_row(statement: ast.stmt) -> int:
    """The first line of a statement, including decorators."""
    decorators = getattr(statement, "decorator_list", [])
    first: int = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return first


def last_row(statement: ast.stmt) -> int:
    """The last line of a statement."""
    return statement.end_lineno or statement.lineno


def indent_of(module: Module, statement: ast.stmt) -> str:
    """The white space before the line of a statement."""
    line = lines_of(module)[statement.lineno - 1]
    return line[: len(line) - len(line.lstrip())].rpartition("\f")[2]  # Python counts from a form feed on


def indent_unit(module: Module, root: ast.AST) -> str:
    """One step of indentation, as the function has it."""
    body = getattr(root, "body", None)
    if isinstance(root, ast.stmt) and isinstance(body, list) and body[0].lineno > root.lineno:
        step = indent_of(module, body[0]).removeprefix(indent_of(module, root))
        if step:
            return step
    return "    "


def begins_line(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement is the first on its logical line."""
    row, lines = first_row(statement), lines_of(module)
    start = span_of(module, statement).start.column - 1 if row == statement.lineno else 0
    continued = row > 1 and lines[row - 2].endswith("\\") and not lines[row - 2].lstrip().startswith("#")
    return not lines[row - 1][:start].strip() and not continued


def ends_line(module: Module, statement: ast.stmt) -> bool:
    """Whether nothing but a semicolon and a comment follows a statement on its line."""
    end = span_of(module, statement).end
    following = lines_of(module)[end.row - 1][end.column - 1 :].strip().removeprefix(";").lstrip()
    return following == "" or following.startswith("#")
