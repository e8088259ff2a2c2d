"""The names that a piece of code binds in the function, class or file that it stands in, as Python scopes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.fixes.proofs.file_scope import FileScope

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NESTED = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)


def own_names(node: ast.AST, inside: bool = False) -> Iterator[tuple[str, ast.AST]]:
    """The names that a node binds, each with the node that binds it.

    Of a function, class or comprehension: what it binds where it stands (its name, walrus targets), or, `inside`, what
    it binds as its own.
    """
    if isinstance(node, NESTED):
        yield from _inside(node) if inside else _outside(node)
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, node
    elif isinstance(node, ast.alias) and node.name != "*":
        yield node.asname or node.name.partition(".")[0], node
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, node
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, node
    for child in ast.iter_child_nodes(node):
        yield from own_names(child)


def _outside(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, COMPREHENSIONS):  # what a walrus in it binds belongs to the function around it
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr):
                yield part.target.id, part
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, node
    for part in _evaluated_outside(node):
        yield from own_names(part)


def _evaluated_outside(node: ast.AST) -> list[ast.AST]:
    """The parts of a function or class that are evaluated where it is defined."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    assert isinstance(node, FUNCTIONS)
    defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
    return [*getattr(node, "decorator_list", ()), *defaults]


def _inside(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, COMPREHENSIONS):
        for generator in node.generators:
            yield from own_names(generator.target)
        return
    if isinstance(node, FUNCTIONS):
        for part in ast.walk(node.args):
            if isinstance(part, ast.arg):
                yield part.arg, part
    body = node.body  # type: ignore[attr-defined]
    for part in body if isinstance(body, list) else [body]:
        yield from own_names(part)


def declared(function: ast.AST) -> set[str]:
    """The names that a function declares `global` or `nonlocal`, which are not its own."""
    found: set[str] = set()
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        if not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)
    return found


def functions_around(node: ast.AST, whole: FileScope) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The functions, comprehensions and classes whose names a node sees, innermost first, each with its part that holds
    the node; `whole` is the scope of the file."""
    part, deep = node, False
    for around in whole.parents(node):
        if isinstance(around, NESTED) and _is_inside(part, around):
            if not (deep and isinstance(around, ast.ClassDef)):
                yield around, part
            deep = True
        part = around


def _is_inside(part: ast.AST, around: ast.AST) -> bool:
    """Whether a child of a function, class or comprehension sees the names that it binds."""
    if isinstance(around, ast.Lambda):
        return part is around.body
    return isinstance(around, COMPREHENSIONS) or isinstance(part, ast.stmt)
