"""Does a model trace whole and export, and which layer of the compiler is at fault? Runs inside an arm's process."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

from functools import partial
from typing import Any

import torch
import torch._dynamo

from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.observe import Case
from breaklint.verify.arm.operations import count_operations

LAYERS = {"eager": "Dynamo", "aot_eager": "AOTAutograd", "inductor": "Inductor"}
"""Backends by how many of the compiler's layers they go through, and the layer that each adds."""


def strict_gates(session: ArmSession) -> dict[str, Any]:
    """Does it trace under `fullgraph=True` and `error_on_graph_break`, does it export, and what does `explain` say?

    `operations` are None where they cannot be counted. `fullgraph=True` also captures scalars and dynamic shapes, so it
    passes some models that break by default.
    """
    explained = session.attempt(lambda case: torch._dynamo.explain(case.model)(*case.args, **case.kwargs))
    output = explained.pop("value", None)
    if output is not None:
        explained |= {"graphs": output.graph_count, "breaks": output.graph_break_count, "ops": output.op_count}
    return {
        "fullgraph": session.attempt(_trace_fullgraph),
        "error_on_graph_break": session.attempt(_trace_erring),
        "export": session.attempt(_export),
        "explain": explained,
        "operations": session.attempt(lambda case: count_operations(case, session.setup.dynamic)).get("value"),
    }


def backend_bisect(session: ArmSession) -> list[dict[str, Any]]:
    """Add one layer of the compiler after the other until something raises or differs from eager.

    Each rung has `layer`, and `error` which is None where all is well. The first runs the source uncompiled.
    """
    rungs = {"the source itself": ""}
    for backend, layer in LAYERS.items():
        rungs[layer] = backend
        if backend == session.setup.backend:
            break
    else:
        rungs[f"the backend {session.setup.backend}"] = session.setup.backend
    rungs_done = []
    for layer, backend in rungs.items():
        outcome = session.attempt(partial(_difference, session, backend))
        error = outcome["error"] or outcome.get("value")
        rungs_done.append({"layer": layer, "backend": backend, "error": error})
        if error:
            break
    return rungs_done


def _difference(session: ArmSession, backend: str, case: Case) -> str | None:
    train = session.setup.train
    call = session.compiled(case.model, backend) if backend else case.model
    record = session.observe(case, call=call, gradients=train)
    name = "gradients" if train else "record"
    return next(iter(session.compare(session.shared[name], record, session.shared["exact"][name])), None)


def _trace_fullgraph(case: Case) -> None:
    torch.compile(case.model, backend="eager", fullgraph=True)(*case.args, **case.kwargs)


def _trace_erring(case: Case) -> None:
    with torch._dynamo.error_on_graph_break(True):
        torch.compile(case.model, backend="eager")(*case.args, **case.kwargs)


def _export(case: Case) -> None:
    if not isinstance(case.model, torch.nn.Module):
        raise TypeError("only a module can be exported")
    torch.export.export(case.model, case.args, case.kwargs)
