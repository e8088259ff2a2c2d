"""Code that is compiled with `fullgraph=True` alone: torch captures numbers and sizes, and a break is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from breaklint.interp.compilation import NAMED, Region
from breaklint.interp.record import Record
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
