"""Patterns of code: `bisect.bisect({edges}, {x})`, in which names in braces match any expression.

A pattern can be an assignment: `{x}[{mask}] = {value}`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache

from breaklint.analysis.literals import same_code
from breaklint.project.walking import dotted_name

_CAPTURE = re.compile(r"\{(\w+)\}")
_NAME = "_capture_"
Resolve = Callable[[ast.expr], str]  # the qualified name of what an expression names, "" when unknown


def names_in(text: str) -> list[str]:
    """The names in braces, with repetitions."""
    return _CAPTURE.findall(text)


def filled(text: str, codes: Mapping[str, str]) -> str:
    """A template with code in place of the names in braces."""
    return _CAPTURE.sub(lambda capture: codes[capture[1]], text)


@cache
def parsed(text: str) -> ast.expr:
    """The syntax of a pattern or template. Raises ValueError if it is not an expression."""
    try:
        return ast.parse(_code(text), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"`{text}` is not a Python expression: {error.msg}") from None


def _code(text: str) -> str:
    return _CAPTURE.sub(rf"{_NAME}\1", text).strip()


@cache
def _parsed(text: str) -> ast.AST:
    """The syntax of a pattern, which may be a statement."""
    statement = ast.parse(_code(text)).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def captured(node: ast.AST) -> str:
    """The capture of a node of a pattern, "" for any other node."""
    return node.id.removeprefix(_NAME) if isinstance(node, ast.Name) and node.id.startswith(_NAME) else ""


def callee(text: str) -> tuple[str, str]:
    """The callee of a pattern: the qualified name of a function, or "" and the name of a method of a capture.

    Raises ValueError if it is neither.
    """
    call = parsed(text)
    if isinstance(call, ast.Call):
        if isinstance(call.func, ast.Attribute) and captured(call.func.value):
            return "", call.func.attr
        dotted = dotted_name(call.func)
        if dotted and not captured(call.func):
            return dotted, ""
    raise ValueError(f"`{text}` is not a call of a function, or of a method of `{{…}}`")


def place_of(text: str, name: str) -> str:
    """The position or keyword of a capture among the arguments of the call, or ""."""
    call = parsed(text)
    assert isinstance(call, ast.Call)
    places = {captured(argument): str(place) for place, argument in enumerate(call.args)}
    return places.get(name) or next(
        (keyword.arg or "" for keyword in call.keywords if captured(keyword.value) == name), ""
    )


def match(text: str, node: ast.AST, resolve: Resolve) -> dict[str, ast.expr] | None:
    """The captured expressions of a pattern that matches a node; None if it does not match.

    A repeated capture has to match the same code. Names are compared after resolution. The value of an expression
    statement matches as the statement.
    """
    result: dict[str, ast.expr] = {}
    node = node.value if isinstance(node, ast.Expr) else node
    return result if _matches(_parsed(text), node, result, resolve) else None


def _matches(pattern: object, node: object, captures: dict[str, ast.expr], resolve: Resolve) -> bool:
    if isinstance(pattern, ast.AST) and (name := captured(pattern)):
        if not isinstance(node, ast.expr) or isinstance(node, ast.Starred):
            return False
        return same_code(captures.setdefault(name, node), node)
    if isinstance(pattern, list):
        return (
            isinstance(node, list)
            and len(node) == len(pattern)
            and all(_matches(one, other, captures, resolve) for one, other in zip(pattern, node, strict=True))
        )
    if not isinstance(pattern, ast.AST) or not isinstance(node, ast.AST):
        return pattern == node and type(pattern) is type(node)
    dotted = dotted_name(pattern) if isinstance(pattern, (ast.Name, ast.Attribute)) else None
    if dotted and not dotted.startswith(_NAME):
        return isinstance(node, ast.expr) and resolve(node).removeprefix("builtins.") == dotted
    fields = (field for field in pattern._fields if field not in ("ctx", "kind", "type_comment"))
    return type(pattern) is type(node) and all(
        _matches(getattr(pattern, field), getattr(node, field), captures, resolve) for field in fields
    )


def renamed(text: str, name: str, new: str) -> str:
    """A template with the name of a library replaced."""
    return re.sub(rf"(?<![\w.{{]){name}(?![\w}}])", new, text)
