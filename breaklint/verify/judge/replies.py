"""From what a worker answers to an arm's report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from breaklint.verify.judge import breaks
from breaklint.verify.judge.gate_results import BranchReport, FurtherCall, Gate, Operations, Rung
from breaklint.verify.judge.results import ArmReport, Made

Reply = dict[str, Any]


def compiled(arm: ArmReport, told: Reply, own_paths: Sequence[str]) -> ArmReport:
    """After the first compiled calls."""
    return replace(
        arm,
        breaks=breaks.read_reports(told["breaks"], own_paths),
        recompiles=told["recompiles"],
        kernels=told["kernels"],
        made=_made(told["made"]),
        differences=tuple(told["differences"]),
        float64_errors=tuple(told["float64_errors"]) if told["float64_errors"] else None,
    )


def probed(arm: ArmReport, profiled: Reply, calls: Sequence[Reply], timed: Sequence[str]) -> ArmReport:
    """After timing, with how the last timed call differs, the profile and the further calls."""
    return replace(arm, **profiled, further_calls=_further(calls), differences=(*arm.differences, *timed))


def inspected(arm: ArmReport, calls: Sequence[Reply], gates: Reply) -> ArmReport:
    """After the strict gates and the last of the further calls."""
    further = arm.further_calls + _further(calls)
    return replace(
        arm,
        fullgraph=Gate(**gates["fullgraph"]),
        error_on_graph_break=Gate(**gates["error_on_graph_break"]),
        export=Gate(**gates["export"]) if gates["export"] else None,
        operations=Operations(**gates["operations"]) if gates["operations"] else None,
        further_calls=further,
        differences=(*arm.differences, *(line for call in further for line in call.differences)),
    )


def _further(told: Sequence[Reply]) -> tuple[FurtherCall, ...]:
    return tuple(FurtherCall(**{**call, "differences": tuple(call["differences"])}) for call in told)


def bisected(arm: ArmReport, ladder: Sequence[Reply]) -> ArmReport:
    """After the layers of the compiler were tried one by one."""
    arm = replace(arm, ladder=tuple(Rung(**rung) for rung in ladder))
    if arm.error is None:
        return arm
    return replace(arm, error=replace(arm.error, message=arm.error.message + arm.fault))


def branch(place: Sequence[Any], reached: Sequence[tuple[bool, str]]) -> BranchReport:
    """A branch that was searched for inputs which reach its sides."""
    by = dict(reached)
    return BranchReport(place[0], place[1], by.get(True), by.get(False))


def _made(told: Reply) -> Made:
    lists = {key: tuple(told[key]) for key in ("graphs", "kernels", "recompile_reasons")}
    return Made(guards=told["guards"], **lists)
