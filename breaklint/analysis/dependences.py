"""The expressions of a function on which what was inferred of some of its nodes depends: a slice, by names."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from breaklint.analysis.function_reads import reads
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.use_def import Meeting
from breaklint.interp.containers import Dict, containers_in
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import Tensor
from breaklint.project.own_names import COMPREHENSIONS, NESTED
from breaklint.project.scope import Scope
from breaklint.project.walking import children, variables_in, walk

MOST_SLICES: Final = 16  # of one function, as each takes time with its length: what more fixes rest on is all of it


class Dependences(NamedTuple):
    """The `parts` of a function that decide a value, and whether one of its parameters is among what they read."""

    parts: tuple[ast.AST, ...]
    parameters: bool


def dependences(model: FunctionModel, nodes: Iterable[ast.AST]) -> Dependences:
    """What decides the values of nodes of a function: the nodes, all that gives the names that they read the values
    that these have there, and the conditions under which both run; of values of which the kind alone matters, what
    decides that. The whole function where a name is shared with another one, or holds a list or dict, which any code
    may have changed."""
    scope, root = model.scope, model.scope.root
    everything = Dependences((root,), True)
    parts: list[ast.AST] = []
    seen: set[ast.AST] = set()  # a condition decides what stands in it, too
    waiting = [each for each in nodes if each in scope]
    parameters = False
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        if part is root or scope.is_inner(part):
            return everything
        seen.add(part)
        waiting += _conditions(scope, part)
        if model.kinds_only and (kept := _kept(model, part)) != [part]:
            waiting += kept
            continue
        parts.append(part)
        for name in walk(part):
            if not isinstance(name, ast.Name) or not scope.binds(name.id):
                continue
            if scope.shares(name.id) or _may_be_changed(model.inference.values.get(name, UNKNOWN)):
                return everything
            for binder in _binders(model, name):
                parameters |= isinstance(binder, ast.arg)
                waiting += _given(scope, binder)
    return Dependences(tuple(parts), parameters)


def parts_of(model: FunctionModel) -> tuple[ast.AST, ...]:
    """The parts of a function that decide the values that were inferred, with what is called that may change these;
    none where any part may: an attribute that they read holds what another part stored."""
    scope, known = model.scope, model.module.derive(_Slices, _Slices)
    known.made[scope.root] += 1
    if known.made[scope.root] > MOST_SLICES:
        return ()
    within = dependences(model, model.inferred).parts
    project, values = model.inference.project, model.inference.values
    if scope.root not in known.stored:
        known.stored[scope.root] = stored_behind(model)
    if scope.root in within or not known.stored[scope.root].isdisjoint(
        read.name for read, _ in reads(model, project, values, within) if read.is_attribute
    ):
        return ()
    names = {name for part in within for name in variables_in(part) if scope.binds(name)} - {"self"}
    calls = [node for node in walk(scope.root) if isinstance(node, ast.Call) and names & variables_in(node)]
    earlier = [node for node in calls if any(model.flow.may_precede(node, each) for each in model.inferred)]
    called = [node.func for node in earlier if not gives_a_tensor(model, node)]
    return tuple(dict.fromkeys((*within, *called)))


class _Slices:
    """How many slices of each function of a file were made, and the attributes that it stores."""

    def __init__(self) -> None:
        self.made = Counter[ast.AST]()
        self.stored: dict[ast.AST, frozenset[str]] = {}


def stored_behind(model: FunctionModel) -> frozenset[str]:
    """The attributes that a function and those of the project behind it store in any object."""
    behind = reads(model, model.inference.project, model.inference.values)
    roots = dict.fromkeys([model.scope.root, *(each.node for _, functions in behind for each in functions)])
    nodes = [node for root in roots for node in walk(root)]
    named = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    stores = (node for node in nodes if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load))
    return frozenset({*named, *(node.attr for node in stores)})


def _kept(model: FunctionModel, part: ast.AST) -> list[ast.AST]:
    """What of a part decides the kind of its value: what stands in it except the arguments of calls that give a tensor
    whatever they are given. The part itself where it is all of that."""
    if isinstance(part, ast.Call) and gives_a_tensor(model, part):
        return [part.func]
    if not any(isinstance(each, ast.Call) and gives_a_tensor(model, each) for each in walk(part)):
        return [part]
    return list(children(part))


def gives_a_tensor(model: FunctionModel, call: ast.Call) -> bool:
    """Whether a function of torch, or a method of a tensor, gives one tensor in any case."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    of_tensor = method and isinstance(model.inference.values.get(call.func.value), Tensor)  # type: ignore[attr-defined]
    if of_tensor and method == "new":  # which has no schema
        return True
    fact = model.facts.method(method) if of_tensor else model.facts.function(model.qualified(call.func))
    return fact is not None and all(result.kind == "tensor" for result in fact.results())


def _may_be_changed(value: Value) -> bool:
    """Whether a value holds other ones that code can replace."""
    return any(isinstance(each, Dict) or each.kind != "tuple" for each in containers_in(value))


def _binders(model: FunctionModel, name: ast.Name) -> Iterable[ast.AST]:
    """What gives a name the value that is read there; what stores alone reads none."""
    scope, flow = model.scope, model.flow
    at: ast.AST | None = name
    if not isinstance(name.ctx, ast.Load):
        at = scope.parent(name)
        if not isinstance(at, ast.AugAssign):
            return ()
    bound = scope.bound(name.id)
    if at not in flow.places or not flow.foreign.isdisjoint((name, *bound)):
        return bound
    definition = model.definition(name.id, at)
    outer = definition.is_outer or isinstance(definition.version, Meeting)
    return [each for each in bound if each in definition.stores or (outer and isinstance(each, ast.arg))]


def _conditions(scope: Scope, node: ast.AST) -> Iterator[ast.AST]:
    """The expressions that decide whether a node runs, and how often."""
    for around in scope.parents(node):
        if isinstance(around, (ast.If, ast.While, ast.IfExp)):
            yield around.test
        elif isinstance(around, (ast.For, ast.AsyncFor)):
            yield around.iter
        elif isinstance(around, (ast.BoolOp, ast.Match, *COMPREHENSIONS)):
            yield around.subject if isinstance(around, ast.Match) else around


def _given(scope: Scope, binder: ast.AST) -> Iterator[ast.AST]:
    """The code that gives a name its value."""
    if isinstance(binder, ast.arg):
        return
    for around in (binder, *scope.parents(binder)):
        if isinstance(around, (ast.For, ast.AsyncFor)):
            yield around.iter
        elif isinstance(around, (ast.With, ast.AsyncWith)):
            yield from (item.context_expr for item in around.items)
        elif isinstance(around, NESTED) or (isinstance(around, ast.stmt) and not hasattr(around, "body")):
            yield around
        else:
            continue
        return
