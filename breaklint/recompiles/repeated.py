"""What keeps an entry compiling when it is called again and again, and which statement makes it so.

The calls are followed as `predict` does, with the same arguments each time, or with tensors of other sizes. A statement
is reported where the limit of compilations is reached, and what it has stored fails a guard of every one of them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.project.walking import walk
from breaklint.recompiles.changes import Changes, Site
from breaklint.recompiles.frames import LIMIT_REACHED, SKIPPED, CompiledFunction
from breaklint.recompiles.inputs import base_arguments, instance
from breaklint.recompiles.machine import Machine
from breaklint.recompiles.objects import UNKNOWN, Closure, Obj, Tensor, copied
from breaklint.recompiles.options import Options, told
from breaklint.recompiles.scopes import OutOfBudget, Raised, Returned, Scope, Undecided
from breaklint.recompiles.sources import Guard
from breaklint.recompiles.world import World

MAX_STEPS: Final = 1_000  # of one call: a file is checked, not studied
QUIET: Final = 2  # so many calls without a compilation, and there will be none
NUMBER: Final = "number"
CONTENTS: Final = "contents"
FIRST_SIZE, NEXT_SIZE = 8, 3  # of a dimension that varies


@dataclass
class Repeats:
    """What calls of one entry do: the nodes that make it compile without end, with the kind of what they store.

    `executed` are the nodes whose changes were followed. `is_whole`: the calls were followed to their end.
    """

    unbounded: Mapping[ast.AST, str] = field(default_factory=dict)
    executed: frozenset[ast.AST] = frozenset()
    is_whole: bool = False

    def verdict(self, node: ast.AST) -> str | None:
        """The kind of what a node stores, "" where it does not compile without end, None where that is not known."""
        if node in self.unbounded:
            return self.unbounded[node]
        return "" if self.is_whole and node in self.executed else None


def repeats(
    project: Project,
    function: FunctionInfo,
    cls: ClassInfo | None,
    made: Site | None,
    options: Options,
    objects: Mapping[str, tuple[ClassInfo, Site | None]],
    varies_sizes: bool = False,
) -> Repeats:
    """Follow calls of a function; `cls` is the class of its owner, and `made` the call that makes that.

    `objects` are arguments that are objects of the project, each with its class and the call that makes it. Nothing is
    known where the constructors or the calls cannot be followed.
    """
    world = World({}, {})
    machine = Machine(project, world)
    machine.most = MAX_STEPS
    try:
        owner = None if cls is None else _owner(machine, cls, made)
        closure = _closure(machine, function)
        base = base_arguments(machine, function.module, function, owner, ())
        base.update((name, _owner(machine, *each)) for name, each in objects.items() if name in base)
        given = _sized if varies_sizes else _same
        return _followed(project, world, closure, told(options, function.decorators), partial(given, base, function))
    except (OutOfBudget, Raised, Undecided, RecursionError):
        return Repeats()


def _followed(
    project: Project, world: World, closure: Closure, options: Options, arguments: Callable[[int], dict[str, Any]]
) -> Repeats:
    """Call a function again and again with the arguments of each call."""
    changes = Changes()
    compiled = CompiledFunction(project, closure, options, changes)
    compiled.most = MAX_STEPS
    quiet, unbounded, is_whole = 0, {}, True
    for call in range(options.limit + 1):
        world.arguments = arguments(call)
        outcome = compiled.call(world)
        if compiled.stopped == LIMIT_REACHED:
            unbounded = culprits(compiled, changes, world)
            break
        if compiled.stopped == SKIPPED and not compiled.is_cut:
            break
        if outcome.ends or compiled.is_cut:
            is_whole = False
            break
        quiet = 0 if outcome.compiles else quiet + 1
        if quiet == QUIET:
            break
    return Repeats(unbounded, frozenset(changes.executed - changes.unknown), is_whole)


def culprits(compiled: CompiledFunction, changes: Changes, world: World) -> dict[ast.AST, str]:
    """The nodes whose changes fail a guard of every compilation, with the kind of what they change."""
    found: list[dict[ast.AST, str]] = []
    for guards in compiled.failed:
        sites = {}
        for guard in guards:
            site = changes.of(guard, world)
            if site is not None:
                sites[site.node] = kind_of(guard, world)
        found.append(sites)
    return {node: kind for node, kind in found[0].items() if all(node in each for each in found)} if found else {}


def kind_of(guard: Guard, world: World) -> str:
    """Whether a guard reads a number, or the form or contents of something else."""
    try:
        is_number = type(guard.sources[0].read(world)) in (int, float)
    except (KeyError, IndexError, AttributeError, TypeError):
        is_number = False
    return NUMBER if is_number else CONTENTS


def _owner(machine: Machine, cls: ClassInfo, made: Site | None) -> Obj:
    """The object whose method is called: as its call in the source makes it, else as `get_init_inputs()` says."""
    if made is not None and isinstance(made.node, ast.Call):
        found = machine.instantiate(cls, *machine.arguments(made.node, Scope(made.module)))
        if isinstance(found, Obj):
            return found
    return instance(machine, cls.module, cls)


def _closure(machine: Machine, function: FunctionInfo) -> Closure:
    """A function as a value, with the variables of those around it as they are when they return."""
    outer = _around(function)
    if outer is None:
        return machine.function(function)
    scope = Scope(function.module)
    for parameter in (*outer.args.posonlyargs, *outer.args.args, *outer.args.kwonlyargs):
        scope.names[parameter.arg] = UNKNOWN
    with suppress(Returned):
        machine.run_block(outer.body, scope)
    return Closure(function, function.node, function.module, scope, function.cls)


def _around(function: FunctionInfo) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function around another one."""
    outermost = function.cls.node if function.cls is not None else function.node
    if outermost.col_offset == 0:
        return None
    found = None
    for node in walk(function.module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is not function.node:
            inside = node.lineno < function.node.lineno and (function.node.end_lineno or 0) <= (node.end_lineno or 0)
            found = node if inside else found
    return found


def _same(base: dict[str, Any], _function: FunctionInfo, _call: int) -> dict[str, Any]:
    """The arguments, with lists and dicts of their own: what a call changes in them does not outlive it."""
    return {name: value if isinstance(value, Obj) else copied(value, {}) for name, value in base.items()}


def _sized(base: dict[str, Any], function: FunctionInfo, call: int) -> dict[str, Any]:
    """The arguments with other sizes of tensors at each call."""
    given = _same(base, function, call)
    return {
        name: _resized(value, function, name, call) if isinstance(value, Tensor) else value
        for name, value in given.items()
    }


def _resized(value: Tensor, function: FunctionInfo, name: str, call: int) -> Tensor:
    shape = value.shape
    rank = len(shape) if shape is not None else _rank(function, name)
    return value.like(tuple(FIRST_SIZE + dim + NEXT_SIZE * call for dim in range(rank)))


def _rank(function: FunctionInfo, name: str) -> int:
    """The least number of dimensions that a tensor has by the sizes that code reads of it."""
    rank = 2
    for node in walk(function.node):
        index: ast.AST | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            index = node.slice if getattr(node.value.value, "id", "") == name else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
            index = node.args[0] if node.args and getattr(node.func.value, "id", "") == name else None
        if isinstance(index, ast.Constant) and isinstance(index.value, int):
            rank = max(rank, index.value + 1)
    return rank
