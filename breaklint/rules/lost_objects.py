"""A pass over the calls of all regions: methods that break, of objects that Dynamo cannot pass to the rest of a frame.

It would have to pass the bound method, and cannot if the frame has created the object since its last break, or if the
object is an instance of a subclass of torch.Tensor. Modules are an exception.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.interpreter import CallSite
from breaklint.interp.models.instances import as_tensor, is_module
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.frame_ends import End, Node, node_end
from breaklint.rules.module_starts import Place, with_callers


def lost_objects(
    interp: AbstractInterpreter,
    breaks: Sequence[tuple[Record, Place]],
    nodes: Sequence[tuple[Record, Node]],
    graph: CallGraph,
) -> list[tuple[CallSite, Place]]:
    """The calls of such methods, each with the conditions of the break. `nodes` are the breaks in each call."""
    graph = graph.certain
    methods = [site for site in graph.sites if _is_method(interp, site)]
    broken = with_callers(breaks, graph) if methods else {}
    reaching = [(site.frame.record, site.node) for site in graph.sites if site.node and site.record in broken]
    first: dict[Record, End] = {}
    for record, node in (*nodes, *reaching):
        first[record] = min(node_end(node), first.get(record, node_end(node)))

    def is_lost(site: CallSite) -> bool:
        record, owner = site.frame.record, site.owner
        assert isinstance(owner, Instance)
        is_new = not owner.outside and owner.serial > record.serial
        return (is_new and node_end(site.node) == first[record]) or as_tensor(interp, owner) is not owner

    return [(site, broken[site.record]) for site in methods if site.record in broken and is_lost(site)]


def _is_method(interp: AbstractInterpreter, site: CallSite) -> bool:
    """Whether a call names the method of an object that is not a module."""
    if not isinstance(site.node, ast.Call) or not isinstance(site.owner, Instance):
        return False
    is_named = getattr(site.node.func, "attr", "") == site.callee.name.rpartition(".")[2]
    return is_named and (as_tensor(interp, site.owner) is not site.owner or not is_module(interp, site.owner.cls))
