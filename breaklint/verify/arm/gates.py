"""Does a model trace whole and export, and what does another backend make of it? Runs inside an arm's process."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.arm_session import ArmSession
from breaklint.verify.arm.observe import Case
from breaklint.verify.arm.operations import count_operations


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
    outcome = session.attempt(partial(_recorded, session, backend, in_mode))
    return outcome.get("value") or {}, outcome["error"]


def _recorded(session: ArmSession, backend: str, in_mode: bool, case: Case) -> Record:
    call = session.compiled(case.model, backend, in_mode) if backend else None
    return session.observe(case, call=call, gradients=session.setup.train)


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
