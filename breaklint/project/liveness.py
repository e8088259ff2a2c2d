"""Names that are live at the head of a loop: an iteration may read them before it binds them."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.project.module import FunctionNode
from breaklint.project.walking import has_row, rows_with, statements, variables_in, walk

Loop = ast.For | ast.AsyncFor | ast.While
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class LoopNames:
    """The live names of the loops of a file, by loop."""

    def __init__(self, text: str) -> None:
        self._lambdas = rows_with(text, ("lambda",))
        self._live: dict[Loop, frozenset[str] | None] = {}
        self._nests: dict[ast.AST, bool] = {}

    def live(self, loop: Loop, function: FunctionNode) -> frozenset[str] | None:
        """The names that are live at the head of a loop; None if any may be: inner functions may read names of the
        function around the loop, and a `break` leaves an iteration with the names of an earlier one."""
        if loop not in self._live:
            is_unknown = self._has_functions(function) or any(isinstance(part, ast.Break) for part in statements(loop))
            self._live[loop] = None if is_unknown else frozenset(_of_loop(loop))
        return self._live[loop]

    def _has_functions(self, function: FunctionNode) -> bool:
        if function not in self._nests:
            looks_in = isinstance(function, ast.Lambda) or has_row(function, self._lambdas)
            inside = walk(function) if looks_in else statements(function)
            self._nests[function] = any(isinstance(part, _FUNCTIONS) for part in inside if part is not function)
        return self._nests[function]


def _of_loop(loop: Loop) -> set[str]:
    bound = set[str]()
    if isinstance(loop, ast.While):
        return _loads(loop.test) | _of_block(loop.body, bound)
    live = _loads(loop.target)
    _bind(loop.target, bound)
    return live | _of_block(loop.body, bound)


def _of_block(body: list[ast.stmt], bound: set[str]) -> set[str]:
    """The names that statements may read before they bind them; names that they certainly bind are added to `bound`."""
    return set[str]().union(*(_of_statement(statement, bound) for statement in body))


def _of_statement(node: ast.stmt, bound: set[str]) -> set[str]:
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        live = _loads(node.value).union(*(_loads(target) for target in targets)) - bound
        for target in targets:
            _bind(target, bound)
        return live
    if isinstance(node, ast.If):
        sides = [set(bound), set(bound)]
        live = _loads(node.test) - bound
        live |= _of_block(node.body, sides[0]) | _of_block(node.orelse, sides[1])
        bound |= sides[0] & sides[1]
        return live
    if isinstance(node, (ast.For, ast.AsyncFor)):
        inside = set(bound)
        live = (_loads(node.iter) | _loads(node.target)) - bound
        _bind(node.target, inside)
        return live | _of_block(node.body, inside) | _of_block(node.orelse, set(bound))
    return variables_in(node) - bound  # other statements: each name may be read first


def _loads(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _bind(target: ast.expr, bound: set[str]) -> None:
    if isinstance(target, ast.Name):
        bound.add(target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            _bind(part, bound)
    elif isinstance(target, ast.Starred):
        _bind(target.value, bound)
