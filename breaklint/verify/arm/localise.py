"""Find the first operation, or the first graph, whose output differs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from itertools import zip_longest
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from breaklint.verify.arm.accuracy import compare
from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.changing import clone
from breaklint.verify.arm.observe import seed_all
from breaklint.verify.arm.plain_values import Change, changed_attribute
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.user_lines import is_users
from breaklint.verify.arm.variants import resized, tensors_in

MOST_OPERATIONS, MOST_ELEMENTS = 5000, 1 << 20
"""So many operations are recorded, and outputs of so many elements."""
Place = str


class _Operations(TorchDispatchMode):
    """Records each operation with the user's line that it comes from and what it gives."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[dict[str, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        output = func(*args, **(kwargs or {}))
        if len(self.seen) < MOST_OPERATIONS:
            kept = [snapshot(tensor) for tensor in tensors_in(output) if tensor.numel() <= MOST_ELEMENTS]
            self.seen.append({"name": str(func), "place": _user_place(), "outputs": kept})
        return output


def _user_place() -> Place:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def arguments(session: ArmSession, call: str, rows: int) -> tuple[Any, Change | None]:
    """The arguments of the further call of this name ("" is the given one), with so many rows where not 0, and what is
    changed in the model for it."""
    probe: dict[str, Any] = next((each for each in session.shared["probes"] if each["name"] == call), {})
    chosen = probe.get("inputs") or session.shared["inputs"]
    return (resized(chosen, rows) if rows else None) or chosen, probe.get("change")


def operations(session: ArmSession, chosen: Any, change: Change | None, other_mode: bool) -> dict[str, Any]:
    """What each operation of an uncompiled call gives, and the whole call."""
    case = session.fresh(chosen, other_mode=other_mode)
    seed_all(session.setup.seed + 1)
    recorded, result = _Operations(), None
    with torch.no_grad(), changed_attribute(case.model, change) if change else nullcontext(), recorded:
        try:
            result = case.model(*clone(case.args), **clone(case.kwargs))
        except Exception as error:  # noqa: BLE001 - then this is what differs
            recorded.seen.append({"name": f"raises {type(error).__name__}", "place": _user_place(), "outputs": []})
    return {"operations": recorded.seen, "result": snapshot(result)}


def first_graph(session: ArmSession, chosen: Any) -> str:
    """Which graph, and which operation in it, gives something else once compiled; "" where each does as uncompiled."""
    from torch._dynamo.backends.registry import lookup_backend

    session.forget_compiled()
    compiler, found = lookup_backend(session.setup.backend), list[str]()

    def checking(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        number = len(graphs)
        graphs.append(graph)
        real = compiler(graph, inputs)

        def run(*values: Any) -> Any:
            expected = graph.forward(*clone(values))
            if not found and (lines := compare(snapshot(expected), snapshot(real(*clone(values))), "output")):
                node = _first_node(graph, inputs, values, compiler)
                found.append(f"graph {number}{f', {_described(node)}' if node else ''}: {lines[0]}")
            return graph.forward(*values)

        return run

    graphs: list[torch.fx.GraphModule] = []
    case = session.fresh(chosen)
    seed_all(session.setup.seed + 1)
    with torch.no_grad():
        torch.compile(case.model, backend=checking, dynamic=session.setup.dynamic)(*clone(case.args), **case.kwargs)
    return found[0] if found else ""


def _first_node(graph: torch.fx.GraphModule, inputs: Any, values: Any, compiler: Any) -> torch.fx.Node | None:
    """By bisection, the first node such that the graph up to it, compiled by itself, gives something else."""
    nodes = [node for node in graph.graph.nodes if node.op in ("call_function", "call_method", "call_module")]
    low, high = 0, len(nodes)
    while low < high:
        middle = (low + high) // 2
        if _differs_up_to(graph, nodes[middle].name, inputs, values, compiler):
            high = middle
        else:
            low = middle + 1
    return nodes[low] if low < len(nodes) else None


def _differs_up_to(graph: torch.fx.GraphModule, name: str, inputs: Any, values: Any, compiler: Any) -> bool:
    part = torch.fx.GraphModule(graph, torch.fx.Graph())
    part.graph.graph_copy(graph.graph, renamed := dict[Any, Any]())
    for node in list(part.graph.nodes):
        if node.op == "output":
            part.graph.erase_node(node)
    last = next(new for old, new in renamed.items() if old.name == name)
    part.graph.output((last,))
    part.graph.eliminate_dead_code()
    part.recompile()
    try:
        expected = part.forward(*clone(values))
        return bool(compare(snapshot(expected), snapshot(compiler(part, inputs)(*clone(values))), "output"))
    except Exception:  # noqa: BLE001 - a part that cannot be compiled by itself tells nothing
        return False


def _described(node: torch.fx.Node) -> str:
    lines = [line.strip() for line in (node.meta.get("stack_trace") or "").splitlines()]
    places = [line for line in lines if line.startswith("File ")]
    return f"{node.name} ({places[-1]})" if places else node.name


def first_operation(expected: list[dict[str, Any]], actual: list[dict[str, Any]], tf32: bool) -> str:
    """The first operation that is another than that of the original, or gives something else; "" where none does."""
    for index, (own, new) in enumerate(zip_longest(expected, actual)):
        if own is None or new is None or own["name"] != new["name"]:
            told = f"the original {_operation(own)}, the rewritten source {_operation(new)}"
            return f"operation {index} is the first that is another: {told}"
        if lines := compare(own["outputs"], new["outputs"], "its output", None, tf32):
            told = f"{_operation(new)}, in the original {_operation(own)}"
            return f"operation {index} is the first whose output differs: {told}; {lines[0]}"
    return ""


def _operation(told: dict[str, Any] | None) -> str:
    return f"{told['name']} at {told['place']}" if told else "ends"
