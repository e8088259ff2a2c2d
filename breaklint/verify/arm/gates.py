"""Does a model trace whole and export, what runs outside of its graphs, and what does another backend make of it?

No break need be reported where Dynamo never sees the code: what `torch.compiler.disable` wraps from outside, for one.
Up to torch 2.11 `fullgraph=True` passes such a model as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile, record_function

from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import Case
from breaklint.verify.arm.record import Record
from breaklint.verify.arm.session import ArmSession

CALL, IN_GRAPH = "breaklint: call", "breaklint: graph"
TRIES = 4
NUMBERS = ("aten::empty", "aten::to", "aten::lift_fresh", "aten::detach_", "aten::item")
"""What makes a tensor of a number and the reverse: Dynamo does so before a graph to which a number is an input."""


def strict_gates(session: ArmSession, informative: bool = True) -> dict[str, Any]:
    """Does it trace under `fullgraph=True` and `error_on_graph_break`? `informative`: does it export? That is no
    part of a verdict.

    `operations` are None where they cannot be counted. `fullgraph=True` also captures scalars and dynamic shapes, so it
    passes some models that break by default.
    """
    return {
        "fullgraph": session.attempt(_trace_fullgraph),
        "error_on_graph_break": session.attempt(_trace_erring),
        "export": session.attempt(_export) if informative else None,
        "operations": session.attempt(lambda case: count_operations(case, session.setup.dynamic)).get("value"),
    }


def with_backend(session: ArmSession, backend: str, in_mode: bool) -> tuple[Record, str | None]:
    """What the call does compiled with a backend, or uncompiled with none, and what it raises where it does."""

    def recorded(case: Case) -> Record:
        call = session.compiled(case.model, backend, in_mode) if backend else None
        return session.observe(case, call=call, gradients=session.setup.train)

    outcome = session.attempt(recorded)
    return outcome.get("value") or {}, outcome["error"]


def _trace_fullgraph(case: Case) -> None:
    torch.compile(case.model, backend="eager", fullgraph=True)(*case.args, **case.kwargs)


def _trace_erring(case: Case) -> None:
    import torch._dynamo

    with torch._dynamo.error_on_graph_break(True):
        torch.compile(case.model, backend="eager")(*case.args, **case.kwargs)


def _export(case: Case) -> None:
    if not isinstance(case.model, torch.nn.Module):
        raise TypeError("only a module can be exported")
    torch.export.export(case.model, case.args, case.kwargs)


def count_operations(case: Case, dynamic: bool | None) -> dict[str, int] | None:
    """`compiled` and `eager`: operations of one steady forward call that run in a graph, and those outside of any.

    None where call after call recompiles, which runs operations of its own.
    """
    model = torch.compile(case.model, backend=_marking, dynamic=dynamic)
    call = partial(model, *case.args, **case.kwargs)
    call()
    for _ in range(TRIES):
        with Listener() as trace:
            counted = _counted(call)
        if not trace.recompiles:
            return counted
    return None


def _counted(call: Callable[[], object]) -> dict[str, int]:
    with profile(activities=[ProfilerActivity.CPU]) as profiler, record_function(CALL):
        call()
    within = [set(_ranges(event)) for event in profiler.events() or [] if _is_outermost(event)]
    called = [names for names in within if CALL in names]
    compiled = sum(IN_GRAPH in names for names in called)
    return {"compiled": compiled, "eager": len(called) - compiled}


def _marking(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
    """A backend that runs the graph as it is, in a range that the profiler sees."""

    def run(*args: Any) -> Any:
        with record_function(IN_GRAPH):
            return graph.forward(*args)

    return run


def _is_outermost(event: Any) -> bool:
    """Is it an operation on tensors that was called by itself, not by another one?"""
    if not _is_operation(event.name) or event.name in NUMBERS:
        return False
    return not any(_is_operation(name) for name in _ranges(event))


def _is_operation(name: str) -> bool:
    return "::" in name and not name.startswith(("autograd::", "profiler::", "cuda"))


def _ranges(event: Any) -> Iterator[str]:
    """The names of the events around one, from the inside out."""
    while (event := event.cpu_parent) is not None:
        yield event.name
