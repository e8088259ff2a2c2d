"""Branches that fill a cache: they store the value that their own test checks, so that they run only once.

if channel != self.channel:
    self.window = create_window(channel)
    self.channel = channel
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.frame import Frame
from breaklint.interp.objects import Instance
from breaklint.interp.values import Number, Tensor
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import dotted_name, walk

# Calls that name an attribute by a string: builtins, and methods of nn.Module, whose effects no schema describes.
NAMED: Final = frozenset(
    "getattr hasattr setattr register_buffer register_parameter add_module register_module".split()
)


class _ReadsOwnState(dict[ast.expr, bool]):
    """By test of a branch: whether it reads attributes of `self`."""


def fills_cache(frame: Frame, test: ast.expr, side: bool, body: list[ast.stmt]) -> bool:
    """Whether the branch taken when `test` is `side` stores an attribute of `self` that the test reads.

    A store in a method that the branch calls counts; a store under a further condition does not.
    """
    if not body:
        return False
    test = _definition(frame, test)
    cache = frame.module.derive(_ReadsOwnState, _ReadsOwnState)
    if test not in cache:
        cache[test] = any(_names_in(test))
    return cache[test] and _settles(frame, test, side, set(_stored_paths(frame, body)))


def _definition(frame: Frame, test: ast.expr) -> ast.expr:
    """The test itself, or the expression that the assignment above bound to its name: `stale = self.x is None`."""
    if not isinstance(test, ast.Name) or frame.function is None:
        return test
    above = [each for each in frame.function.nodes.of(ast.Assign) if each.lineno < test.lineno]
    values = [each.value for each in above if dotted_name(each.targets[0]) == test.id]
    return values[-1] if values else test


def _settles(frame: Frame, test: ast.expr, side: bool, paths: set[str]) -> bool:
    """Whether storing these attributes can prevent the next call from taking this side of the test."""
    if not paths:
        return False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _settles(frame, test.operand, not side, paths)
    if isinstance(test, ast.BoolOp):
        every = all if isinstance(test.op, ast.Or) == side else any
        return every(_settles(frame, operand, side, paths) for operand in test.values)
    return not paths.isdisjoint(_names_in(test)) and not _compares_data(frame, test, paths)


def _compares_data(frame: Frame, test: ast.expr, paths: set[str]) -> bool:
    """Whether a test compares with a number that this call computed: `if loss.item() < self.best`."""
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    values = frame.interp.values
    return any(isinstance(values.get(side), (Number, Tensor)) and paths.isdisjoint(_names_in(side)) for side in sides)


def _names_in(test: ast.expr) -> Iterator[str]:
    for node in walk(test):
        if isinstance(node, ast.Attribute):
            path = dotted_name(node)
            if path is not None:
                yield path
        elif isinstance(node, ast.Call):
            yield from _attribute_by_string(node)


def _stored_paths(frame: Frame, body: list[ast.stmt], calls: bool = True) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Assign) and not _updates(statement):
            yield from (path for target in statement.targets for path in _paths(target))
        elif isinstance(statement, ast.AnnAssign):
            yield from _paths(statement.target)
        elif isinstance(statement, (ast.With, ast.For)):
            yield from _stored_paths(frame, statement.body, calls)
        if isinstance(statement, (ast.Expr, ast.Assign)) and isinstance(statement.value, ast.Call):
            yield from _attribute_by_string(statement.value)
            if calls and (method := _own_method(frame, statement.value)) is not None:
                yield from _stored_paths(frame, method.node.body, calls=False)  # type: ignore[arg-type]


def _updates(node: ast.Assign) -> bool:
    """Whether an assignment updates an attribute: `self.x = self.x + 1` counts and does not fill a cache."""
    paths = {path for target in node.targets for path in _paths(target)}
    return bool(paths) and any(
        isinstance(part, ast.Attribute) and dotted_name(part) in paths for part in walk(node.value)
    )


def _paths(target: ast.expr) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _paths(element)
    elif isinstance(target, ast.Subscript):
        yield from _paths(target.value)
    elif isinstance(target, ast.Attribute):
        path = dotted_name(target)
        if path is not None:
            yield path


def _attribute_by_string(call: ast.Call) -> Iterator[str]:
    """The attribute that a call names by a string: `self.x` for `hasattr(self, "x")`."""
    name = dotted_name(call.func) or ""
    owner, _, last = name.rpartition(".")
    if last not in NAMED:
        return
    args = call.args if owner else call.args[1:]
    if args and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
        yield f"{owner or ast.unparse(call.args[0])}.{args[0].value}"


def _own_method(frame: Frame, call: ast.Call) -> FunctionInfo | None:
    if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)):
        return None
    owner = frame.env.get(call.func.value.id)
    if not isinstance(owner, Instance) or owner is not frame.owner:
        return None
    return frame.interp.project.method(owner.cls, call.func.attr)
