"""The names that a piece of code binds in its function, class or file, by Python's scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.project.walking import children, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NESTED = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)
_NESTED = frozenset(NESTED)
_NAMED: dict[type[ast.AST], str] = {  # the fields in which other nodes bind a name
    ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest",
}  # fmt: skip


def own_names(node: ast.AST, inside: bool = False) -> list[tuple[str, ast.AST]]:
    """The names that a node binds, each with the node that binds it.

    For a function, class or comprehension: the names that it binds in the enclosing scope (its name, walrus targets),
    or, if `inside`, those in its own scope.
    """
    if inside and isinstance(node, NESTED):
        return list(_inside(node))
    result: list[tuple[str, ast.AST]] = []
    waiting = [node]
    while waiting:
        node = waiting.pop()
        cls = node.__class__
        if cls is ast.Name:
            if node.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]
                result.append((node.id, node))  # type: ignore[attr-defined]
        elif cls in _NESTED:
            result += _outside(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            result += [(item.asname or item.name.partition(".")[0], item) for item in node.names if item.name != "*"]
        else:
            if cls in _NAMED and (name := getattr(node, _NAMED[cls])):
                result.append((name, node))
            waiting += reversed(children(node))
    return result


def otherwise_bound(node: ast.AST, walrus: bool = True) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement, or a part of one, binds in other ways, each with the node that binds it: by
    unpacking, loops, `with`, `match`, `del` and in place. `walrus`: whether it may contain an assignment expression."""
    parts: list[ast.AST] = [node]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        parts = _evaluated_outside(node) if walrus else []
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        parts = [target for target in targets if not isinstance(target, ast.Name)]
        parts += [node.value] if walrus and node.value is not None else []
    elif isinstance(node, (ast.Expr, ast.expr)):
        parts = [node] if walrus else []
    for part in parts:
        yield from own_names(part)


def _outside(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, COMPREHENSIONS):  # a walrus in it binds a name of the enclosing function
        for part in walk(node):
            if isinstance(part, ast.NamedExpr):
                yield part.target.id, part
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, node
    for part in _evaluated_outside(node):
        yield from own_names(part)


def _evaluated_outside(node: ast.AST) -> list[ast.AST]:
    """The parts of a function or class that are evaluated by its definition."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    assert isinstance(node, FUNCTIONS)
    defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    return [*getattr(node, "decorator_list", ()), *defaults]


def _inside(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, COMPREHENSIONS):
        for generator in node.generators:
            yield from own_names(generator.target)
        return
    if isinstance(node, FUNCTIONS):
        for part in children(node.args):
            if isinstance(part, ast.arg):
                yield part.arg, part
    body = node.body  # type: ignore[attr-defined]
    for part in body if isinstance(body, list) else [body]:
        yield from own_names(part)


def declared(function: ast.AST) -> set[str]:
    """The names that a function declares `global` or `nonlocal`, which are not its own."""
    result: set[str] = set()
    waiting = children(function)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            result.update(node.names)
        if not isinstance(node, NESTED):
            waiting += children(node)
    return result
