"""Count the operations of a model that run in graphs: code that Dynamo never sees reports no break."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile, record_function

from breaklint.dynamo.listener import Listener

CALL, IN_GRAPH = "breaklint: call", "breaklint: graph"
TRIES = 2  # few calls: Dynamo runs code in eager mode after eight compilations
NUMBERS = ("aten::empty", "aten::to", "aten::lift_fresh", "aten::detach_", "aten::item")
"""Conversions between numbers and tensors: Dynamo runs them before a graph with a number as an input."""


def graphs_in_ranges(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
    """A backend that runs a graph as it is, in a range that the profiler sees."""

    def run(*args: Any) -> Any:
        with record_function(IN_GRAPH):
            return graph.forward(*args)

    return run


def count_operations(call: Callable[[], object]) -> dict[str, Any]:
    """The graphs of a steady call, and its operations inside and outside (None if each call recompiles)."""
    for _ in range(TRIES):
        with Listener() as heard, profile(activities=[ProfilerActivity.CPU]) as profiler, record_function(CALL):
            call()
        events = list(profiler.events() or [])
        graphs = sum(event.name == IN_GRAPH for event in events)
        if not heard.recompiles:
            return {"graphs_per_call": graphs, "operations": _counted(events)}
    return {"graphs_per_call": graphs, "operations": None}


def _counted(events: list[Any]) -> dict[str, int]:
    within = [set(_ranges(event)) for event in events if _is_outermost(event)]
    calls = [names for names in within if CALL in names]
    compiled = sum(IN_GRAPH in names for names in calls)
    return {"compiled": compiled, "eager": len(calls) - compiled}


def _is_outermost(event: Any) -> bool:
    """Whether an event is an operation on tensors that no other operation calls."""
    if not _is_operation(event.name) or event.name in NUMBERS:
        return False
    return not any(_is_operation(name) for name in _ranges(event))


def _is_operation(name: str) -> bool:
    return "::" in name and not name.startswith(("autograd::", "profiler::", "cuda"))


def _ranges(event: Any) -> Iterator[str]:
    """The names of the events around one, from the inside out."""
    while (event := event.cpu_parent) is not None:
        yield event.name
