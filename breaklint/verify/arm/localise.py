"""Find the first operation, or the first graph, whose output differs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import zip_longest
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from breaklint.verify.arm.calls import clone, seed_all
from breaklint.verify.arm.compare import differences
from breaklint.verify.arm.process import in_one_line, is_users
from breaklint.verify.arm.record import snapshot
from breaklint.verify.arm.session import ArmSession, Call
from breaklint.verify.arm.variants import Change, changed_attribute, resized, tensors_in

MOST_OPERATIONS, MOST_ELEMENTS = 5000, 1 << 20
"""So many operations are recorded, and outputs of so many elements."""


class _Operations(TorchDispatchMode):
    """Records each operation with the user's line that it comes from and its output."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[dict[str, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        output = func(*args, **(kwargs or {}))
        if len(self.seen) < MOST_OPERATIONS:
            small = [tensor for tensor in tensors_in(output) if tensor.numel() <= MOST_ELEMENTS]
            self.seen.append({"name": str(func), "place": _user_place(), "output": snapshot(small, "output")})
        return output


def _user_place() -> str:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def arguments(session: ArmSession, name: str, rows: int) -> tuple[Call, Change | None]:
    """The arguments of the further call of this name ("" is the given one), with so many rows if not 0, and what is
    changed in the model for it."""
    probe = next((each for each in session.shared.probes if each.name == name), None)
    case = session.fresh(probe.inputs if probe else None)
    chosen = case.args, case.kwargs
    return (resized(chosen, rows) if rows else None) or chosen, probe.change if probe else None


def operations(session: ArmSession, chosen: Call, change: Change | None, other_mode: bool) -> dict[str, Any]:
    """What each operation of an uncompiled call gives, and the whole call."""
    case = session.fresh(chosen, other_mode=other_mode)
    seed_all(session.setup.seed + 1)
    recorded = _Operations()
    result: dict[str, Any] = {}
    with torch.no_grad(), changed_attribute(case.model, change), recorded:
        try:
            result["output"] = snapshot(case.model(*clone(case.args), **clone(case.kwargs)), "output")
        except Exception as error:  # noqa: BLE001 - then this is what differs
            result["raised"] = in_one_line(error)
            recorded.seen.append({"name": f"raises {type(error).__name__}", "place": _user_place(), "output": {}})
    return {"operations": recorded.seen, "result": result}


def first_operation(expected: list[dict[str, Any]], actual: list[dict[str, Any]], tf32: bool) -> str:
    """The first operation that is another than that of the original, or gives something else; "" if none does."""
    for index, (own, new) in enumerate(zip_longest(expected, actual)):
        if own is None or new is None or own["name"] != new["name"]:
            both = f"the original {_operation(own)}, the rewritten source {_operation(new)}"
            return f"operation {index} is the first that is another: {both}"
        if line := next(differences(own["output"], new["output"], {}, tf32), ""):
            both = f"{_operation(new)}, in the original {_operation(own)}"
            return f"operation {index} is the first whose output differs: {both}; {line}"
    return ""


def _operation(seen: dict[str, Any] | None) -> str:
    return f"{seen['name']} at {seen['place']}" if seen else "ends"


def first_graph(session: ArmSession, chosen: Call) -> str:
    """The first graph that gives something else once compiled, and its operations; "" if each does as uncompiled."""
    from torch._dynamo.backends.registry import lookup_backend

    session.forget_compiled()
    compiler, found = lookup_backend(session.setup.backend), list[str]()
    graphs: list[torch.fx.GraphModule] = []

    def checking(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        number = len(graphs)
        graphs.append(graph)
        real = compiler(graph, inputs)

        def run(*values: Any) -> Any:
            expected = snapshot(graph.forward(*clone(values)), "output")
            actual = snapshot(real(*clone(values)), "output")
            if not found and (line := next(differences(expected, actual, {}), "")):
                found.append(f"graph {number} ({_described(graph)}): {line}")
            return graph.forward(*values)

        return run

    case = session.fresh(chosen)
    seed_all(session.setup.seed + 1)
    with torch.no_grad():
        torch.compile(case.model, backend=checking, dynamic=session.setup.dynamic)(*clone(case.args), **case.kwargs)
    return found[0] if found else ""


def _described(graph: torch.fx.GraphModule) -> str:
    """Its first operation with the line that it comes from."""
    node = next((node for node in graph.graph.nodes if node.op.startswith("call_")), None)
    lines = [line.strip() for line in ((node and node.meta.get("stack_trace")) or "").splitlines()]
    places = [line for line in lines if line.startswith("File ")]
    return f"from {node} on, {places[-1]}" if places else f"from {node} on"
