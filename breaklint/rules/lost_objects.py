"""A pass over the calls of all regions: calls that break, of objects that Dynamo cannot pass to the rest of a frame.

It would have to pass a bound method, and cannot if the frame has created the object since its last break, or if the
object is an instance of a subclass of torch.Tensor. Modules are an exception. Neither can it pass a generator, nor call
the method of a tensor that it got before it evaluated the arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from typing import Final

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.interpreter import CallSite
from breaklint.interp.models.instances import as_tensor, is_module
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.interp.values import Tensor
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import encloses
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.frame_ends import SKIPPING, End, Node, blocks_around, node_end
from breaklint.rules.module_starts import Place, with_callers

METHOD: Final = "method-of-object"
GENERATOR: Final = "generator-argument"
TENSOR_METHOD: Final = "method-of-tensor"
_CONSUMERS: Final = ("sum", "any", "all", "dict")  # builtins that run a generator in the graph, and do not build a list


def lost_objects(
    interp: AbstractInterpreter,
    breaks: Sequence[tuple[Record, Place]],
    nodes: Sequence[tuple[Record, Node]],
    graph: CallGraph,
) -> Iterator[tuple[ast.expr, CallSite, Place, str]]:
    """Such calls, each with the call that has the break, the conditions of the break, and the kind of object. `nodes`
    are the breaks in each call."""
    graph = graph.certain
    methods = [site for site in graph.sites if _is_method(interp, site)]
    called = {site.node for site in graph.sites}
    consumers = [pair for site in graph.sites for pair in _consumers(site, called)]
    broken = with_callers(breaks, graph)
    yield from ((node, site, broken[site.record], GENERATOR) for node, site in consumers if site.record in broken)
    for site in graph.sites if broken else ():
        if site.record in broken:
            yield from ((node, site, broken[site.record], TENSOR_METHOD) for node in _tensor_methods(interp, site))
    reaching = [(site.frame.record, site.node) for site in graph.sites if site.node and site.record in broken]
    first: dict[Record, End] = {}
    for record, node in (*nodes, *reaching):
        first[record] = min(node_end(node), first.get(record, node_end(node)))

    def is_lost(site: CallSite) -> bool:
        record, owner = site.frame.record, _owner(interp, site)
        assert owner is not None
        is_new = not owner.outside and owner.serial > record.serial
        return (is_new and node_end(site.node) == first[record]) or as_tensor(interp, owner) is not owner

    for site in methods:
        if site.record in broken and is_lost(site):
            assert site.node is not None
            yield site.node, site, broken[site.record], METHOD


def _consumers(site: CallSite, called: Set[ast.AST | None]) -> Iterator[tuple[ast.Call, CallSite]]:
    """The calls that get a generator expression, if a call is one of them, or if the expression contains it."""
    function = site.frame.function
    for call, generators in function.derive(_generator_calls) if function is not None else ():
        is_traced = call in called or (isinstance(call.func, ast.Name) and call.func.id in _CONSUMERS)
        node = site.node
        is_inside = node is call or (node is not None and any(encloses([each], node) for each in generators))
        if is_traced and is_inside:
            yield call, site


def _generator_calls(function: FunctionInfo) -> list[tuple[ast.Call, list[ast.GeneratorExp]]]:
    """The calls in a function that get generator expressions, with these."""
    calls = function.nodes.of(ast.Call) if function.nodes.of(ast.GeneratorExp) else ()
    arguments = ((call, [*call.args, *(keyword.value for keyword in call.keywords)]) for call in calls)
    pairs = ((call, [each for each in values if isinstance(each, ast.GeneratorExp)]) for call, values in arguments)
    return [(call, generators) for call, generators in pairs if generators]


def _tensor_methods(interp: AbstractInterpreter, site: CallSite) -> Iterator[ast.Call]:
    """The calls of methods of tensors, in a function that Dynamo resumes, with a call in an argument."""
    function, node = site.frame.function, site.node
    if function is None or node is None or not SKIPPING.keys().isdisjoint(blocks_around(site)):
        return
    for call in function.nodes.of(ast.Call):
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        owner = interp.values.get(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if isinstance(owner, Tensor) and any(encloses([each], node) for each in arguments):
            yield call


def _is_method(interp: AbstractInterpreter, site: CallSite) -> bool:
    """Whether a call names the method of an object that is not a module."""
    owner = _owner(interp, site)
    if not isinstance(site.node, ast.Call) or owner is None:
        return False
    is_named = getattr(site.node.func, "attr", "") == site.callee.name.rpartition(".")[2]
    return is_named and (as_tensor(interp, owner) is not owner or not is_module(interp, owner.cls))


def _owner(interp: AbstractInterpreter, site: CallSite) -> Instance | None:
    """The object whose method a call names, also a static one."""
    owner = site.owner
    if site.callee.is_staticmethod and isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute):
        owner = interp.values.get(site.node.func.value)
    return owner if isinstance(owner, Instance) else None
