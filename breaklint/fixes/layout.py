"""The look of edited text: indentation, comments, parentheses, imports."""

from __future__ import annotations

import ast
import io
import tokenize

from breaklint.errors import SourceError
from breaklint.model import Edit, Position, Span
from breaklint.project.module import Module
from breaklint.project.spans import lines_of
from breaklint.source.syntax import parse


def indent_of(module: Module, statement: ast.stmt) -> str:
    """The white space before the line of a statement."""
    line = lines_of(module)[statement.lineno - 1]
    return line[: len(line) - len(line.lstrip())]


def indent_unit(module: Module, root: ast.AST) -> str:
    """One step of indentation, as the function has it."""
    body = getattr(root, "body", None)
    if isinstance(root, ast.stmt) and isinstance(body, list) and body[0].lineno > root.lineno:
        step = indent_of(module, body[0]).removeprefix(indent_of(module, root))
        if step:
            return step
    return "    "


def stands_alone(module: Module, span: Span) -> bool:
    """Whether a stretch of statements has its lines to itself, a comment behind it aside."""
    lines = lines_of(module)
    before = lines[span.start.row - 1][: span.start.column - 1]
    behind = lines[span.end.row - 1][span.end.column - 1 :].strip()
    return not before.strip() and (not behind or behind.startswith("#"))


def indented(text: str, step: str) -> str:
    """A piece of code one step deeper; the inside of strings stays as it is."""
    inside, lines = _inside_strings(text), text.split("\n")
    return "\n".join(step + line if line.strip() and row not in inside else line for row, line in enumerate(lines))


def _inside_strings(text: str) -> set[int]:
    """The rows, from 0, that begin within a string; each of several strings in a row is one by itself."""
    inside: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(f"(\n{text}\n)").readline):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            inside.update(range(token.start[0] - 1, token.end[0] - 1))
        elif name.endswith("STRING_START"):  # f-strings are several tokens from Python 3.12 on
            opened.append(token.start[0])
        elif name.endswith("STRING_END"):
            inside.update(range(opened.pop() - 1, token.end[0] - 1))
    return inside


def comments(text: str) -> set[str]:
    """The comments in a piece of code."""
    return set(_comments(text))


def lost_comments(before: str, after: str) -> list[str]:
    """The comments of `before` that `after` lacks, in their order."""
    kept = set(_comments(after)) if "#" in after else set()
    return [comment for comment in _comments(before) if comment not in kept]


def _comments(text: str) -> list[str]:
    if "#" not in text:
        return []
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"(\n{text}\n)").readline):
            if token.type == tokenize.COMMENT:
                found.append(token.string)
    except (tokenize.TokenError, IndentationError):
        return [line.strip() for line in text.split("\n") if line.strip().startswith("#")]
    return found


def fitted(module: Module, root: ast.AST, span: Span, content: str) -> str:
    """`content` as it can stand at `span`: bare where that means the same as in parentheses."""
    bare, enclosed = (_parsed(module, root, span, text) for text in (content, f"({content})"))
    return content if bare is not None and bare == enclosed else f"({content})"


def _parsed(module: Module, root: ast.AST, span: Span, content: str) -> str | None:
    """The syntax of the function with `content` at `span`, None when it is no Python."""
    lines = lines_of(module)
    whole = not isinstance(root, ast.stmt)
    first, last = (1, len(lines)) if whole else (root.lineno, root.end_lineno or root.lineno)  # type: ignore[attr-defined]
    head = lines[first - 1 : span.start.row - 1]
    tail = lines[span.end.row : last]
    middle = (
        lines[span.start.row - 1][: span.start.column - 1] + content + lines[span.end.row - 1][span.end.column - 1 :]
    )
    text = "\n".join([*head, middle, *tail])
    if text[:1].isspace():
        text = "class _:\n" + text
    try:
        return ast.dump(parse(module.path, text))
    except SourceError:
        return None


def import_edit(module: Module, library: str) -> Edit | None:
    """The edit that adds `import library` above the first import of the file (below those from `__future__`).

    None where no line of the file is left for it.
    """
    row = 1
    for statement in module.tree.body:
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (future or docstring) and _above(statement) >= row:
            row = _above(statement)
            break
        row = (statement.end_lineno or statement.lineno) + 1  # as does what shares a line with one of them
    if row > len(lines_of(module)):
        return None
    place = Position(row, 1)
    return Edit(Span(place, place), f"import {library}\n")


def _above(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    first: int = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return first
