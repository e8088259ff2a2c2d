"""Code in which a break is an error: it is compiled with `fullgraph=True` alone, so that torch captures numbers and
sizes, or it is a branch of `torch.cond`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from breaklint.interp.compilation import NAMED, Region
from breaklint.interp.interpreter import CallSite
from breaklint.interp.models.torch_names import CONTROL_FLOW
from breaklint.interp.record import Record
from breaklint.interp.values import ExternalName
from breaklint.project.module import FunctionInfo
from breaklint.rules.call_graph import CallGraph

# The options that torch.compile sets with fullgraph=True (torch/_dynamo/eval_frame.py: optimize_assert).
CAPTURING: Final = frozenset(
    f"torch._dynamo.config.capture_{what}" for what in ("scalar_outputs", "dynamic_output_shape_ops")
)


def fullgraph_functions(roots: Mapping[Record, Region], graph: CallGraph) -> frozenset[FunctionInfo]:
    """The functions that only code compiled with `fullgraph=True` reaches.

    A `forward` that the file does not compile may be compiled elsewhere in any way.
    """
    strict = {record: region for record, region in roots.items() if region.fullgraph}
    others = {
        record: region
        for record, region in roots.items()
        if not region.fullgraph and (region.target is not None or region.kind == NAMED)
    }
    return _reachable(strict, graph) - _reachable(others, graph) if strict else frozenset()


def _reachable(roots: Mapping[Record, Region], graph: CallGraph) -> frozenset[FunctionInfo]:
    reached = (graph.functions.get(record) for record in graph.with_callees(roots))
    return frozenset([*(region.function for region in roots.values()), *filter(None, reached)])


def in_control_flow(graph: CallGraph) -> dict[Record, str]:
    """The calls that the branches of `torch.cond` and the bodies of loop operators reach, with the operator."""
    starts: dict[str, list[Record]] = {}
    for site in graph.sites:
        if operator := _operator(site):
            starts.setdefault(operator, []).append(site.record)
    return {record: operator for operator, records in starts.items() for record in graph.with_callees(records)}


def _operator(site: CallSite) -> str:
    callee = site.frame.interp.values.get(site.node.func) if isinstance(site.node, ast.Call) else None
    name = callee.name if isinstance(callee, ExternalName) else ""
    return name.rpartition(".")[2] if name in CONTROL_FLOW else ""
