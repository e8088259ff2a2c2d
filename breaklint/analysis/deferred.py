"""Statements of constructors that are put off until someone reads an attribute that they store.

A model's constructor does much that its forward never asks for: it initialises weights, gathers plans for parallel
layers, builds a configuration for text generation. Running all that again for every class took most of the time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from breaklint.analysis.module import ClassInfo, Effects, FunctionInfo, Module
from breaklint.analysis.project import dotted_name
from breaklint.analysis.values import Instance, Unknown
from breaklint.analysis.walking import walk

if TYPE_CHECKING:
    from breaklint.analysis.frame import Frame
    from breaklint.analysis.project import Project

ANY = "*"  # an attribute whose name is not known
DEPTH = 3  # how far methods that call methods are looked into; the machine does not follow further either
NAMING = frozenset({"register_buffer", "register_parameter", "add_module", "register_module", "__setattr__"})
GROWING = frozenset("append extend insert add update setdefault pop remove clear".split())
BINDS_OR_WAITS = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda)
Run = Callable[["Frame", Any], None]  # a handler of statements.py


@dataclass(frozen=True, slots=True)
class Plan:
    """What is needed to put a statement off: the name of its object, what it stores there, and what it calls.

    `outside`: it stores into another object than its own, of which this is the expression.
    """

    owner: str
    stores: frozenset[str]
    methods: frozenset[str]
    outside: ast.expr | None = None


def put_off(frame: Frame, node: ast.Assign | ast.Expr, run: Run) -> bool:
    """Put a statement of a constructor off, when nothing but attributes of the new object can show that it ran."""
    owner, machine = frame.owner, frame.machine
    if not isinstance(owner, Instance) or owner.ready:
        return False
    memo = machine.project.memo
    plan = memo[node] if node in memo else memo.setdefault(node, _plan(frame, node))
    if plan is None or frame.env.get(plan.owner) is not owner:
        return False
    if plan.outside is not None and not isinstance(frame.eval(plan.outside), Unknown):
        return False
    if isinstance(node, ast.Expr) and not any(_known(machine.project, owner.cls, name) for name in plan.methods):
        return False
    stores = plan.stores.union(*(may_store(machine.project, owner.cls, name) for name in plan.methods))
    for name in plan.stores:
        frame.env.pop(f"{plan.owner}.{name}", None)
    owner.pending.append((stores, partial(_run, frame.copy(), node, run, machine.conditional, machine.helpers)))
    return True


def _run(frame: Frame, node: ast.stmt, run: Run, conditional: int, helpers: int) -> None:
    """Run a statement as it would have run in its constructor."""
    machine, owner = frame.machine, frame.owner
    assert isinstance(owner, Instance)
    saved = machine.conditional, machine.helpers, owner.ready
    machine.quiet += 1
    machine.conditional, machine.helpers, owner.ready = conditional, helpers, False
    try:
        run(frame, node)
    finally:
        machine.quiet -= 1
        machine.conditional, machine.helpers, owner.ready = saved


def _plan(frame: Frame, node: ast.Assign | ast.Expr) -> Plan | None:
    """How to put a statement off; None when it has to run, or is as cheap as being put off."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    path = dotted_name(target if target is not None else getattr(node.value, "func", None))
    if path is None or "." not in path or (isinstance(node, ast.Assign) and target is None):
        return None
    owner, *rest = path.split(".")
    if len(rest) != 1 and not (len(rest) == 2 and target is not None):
        return None
    inner = list(walk(node.value))
    calls = [item for item in inner if isinstance(item, ast.Call)]
    if any(isinstance(item, BINDS_OR_WAITS) for item in inner) or any(_hands_over(call, owner) for call in calls):
        return None
    if not any(_is_followed(frame, call, owner) for call in calls):
        return None
    stores = frozenset(rest if target is not None and len(rest) == 1 else ())
    outside = target.value if isinstance(target, ast.Attribute) and len(rest) == 2 else None
    return Plan(owner, stores, frozenset(_methods(calls, owner)), outside)


def _hands_over(call: ast.Call, owner: str) -> bool:
    """Whether the object itself is an argument, so that the function may store anything in it."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(isinstance(argument, ast.Name) and argument.id == owner for argument in given)


def _is_followed(frame: Frame, call: ast.Call, owner: str) -> bool:
    """Whether a call may lead into a function or class of the project."""
    dotted = dotted_name(call.func)
    if dotted is None or frame.lookup(dotted.partition(".")[0]) is not None:
        return dotted is not None and dotted.startswith(owner + ".")
    return _is_of_project(frame.machine.project, frame.module, dotted)


def _is_of_project(project: Project, module: Module, dotted: str) -> bool:
    return isinstance(project.resolve(module, dotted), (ClassInfo, FunctionInfo))


def _known(project: Project, cls: ClassInfo, name: str) -> bool:
    return project.method(cls, name) is not None


def may_store(project: Project, cls: ClassInfo, name: str, depth: int = DEPTH) -> frozenset[str]:
    """The attributes of an object of class `cls` that calling its method `name` may store."""
    key = (cls, name, depth)
    known: frozenset[str] | None = project.memo.get(key)
    if known is None:
        project.memo[key] = frozenset()  # for methods that call each other
        classes = [item for item in project.mro(cls) if isinstance(item, ClassInfo) and name in item.methods]
        found = [(item.module, effects(item.methods[name])) for item in classes]
        called = {method for _, one in found for method in one.methods} if depth > 1 else set()
        handed = any(_is_of_project(project, module, dotted) for module, one in found for dotted in one.functions)
        known = frozenset({ANY} if handed else ()).union(
            *(one.stores for _, one in found), *(may_store(project, cls, method, depth - 1) for method in called)
        )
        project.memo[key] = known
    return known


def effects(info: FunctionInfo) -> Effects:
    """What a method does to its own object, as far as its own text tells."""
    if info.effects is None:
        spec = info.node.args
        names = [parameter.arg for parameter in [*spec.posonlyargs, *spec.args][:1]]
        owner = names[0] if names else ""
        nodes = list(walk(info.node))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        stores = frozenset((*_stored(nodes, owner), *_stored_by_calls(calls, owner)))
        handed = (dotted_name(call.func) for call in calls if _hands_over(call, owner))
        info.effects = Effects(stores, frozenset(_methods(calls, owner)), frozenset(filter(None, handed)))
    return info.effects


def _stored(nodes: list[ast.AST], owner: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            node = node.value
        elif not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.Attribute) and _is_name(node.value, owner):
            yield node.attr


def _stored_by_calls(calls: list[ast.Call], owner: str) -> Iterator[str]:
    for call in calls:
        if _is_name(call.func, "setattr") and call.args and _is_name(call.args[0], owner):
            yield _written(call.args[1:])
        elif isinstance(call.func, ast.Attribute) and _is_name(call.func.value, owner):
            if call.func.attr in NAMING:
                yield _written(call.args)
            elif call.func.attr in GROWING:
                yield ANY
        elif isinstance(call.func, ast.Attribute) and call.func.attr in GROWING:
            grown = call.func.value
            if isinstance(grown, ast.Attribute) and _is_name(grown.value, owner):
                yield grown.attr


def _written(arguments: list[ast.expr]) -> str:
    """The name that the first argument writes out."""
    name = arguments[0] if arguments else None
    return name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ANY


def _methods(calls: list[ast.Call], owner: str) -> Iterator[str]:
    """The methods that are called on the object, or on `super()`."""
    for call in calls:
        function = call.func
        if not isinstance(function, ast.Attribute):
            continue
        base = function.value
        if _is_name(base, owner) or (isinstance(base, ast.Call) and _is_name(base.func, "super")):
            yield function.attr


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
