"""Lines about the gates beyond the break itself: branches, other inputs, export, the compiler's layers, rounding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from breaklint.verify.judge.gate_results import BranchReport
from breaklint.verify.judge.results import ArmReport, TargetReport
from breaklint.verify.paths import shown


def gate_lines(target: TargetReport) -> Iterator[str]:
    """What the further gates found, one line each, a word for the kind first."""
    for branch in target.branches:
        yield f"branch {shown(branch.filename)}:{branch.row} {_sides(branch)}"
    judged = "after" if "after" in target.arms else "before"
    for name, arm in target.arms.items():
        lines = chain(_call_lines(arm) if name == judged else (), _bisect_lines(arm))
        yield from (f"{kind:<6} {name}: {line}" for kind, line in lines)


def _sides(branch: BranchReport) -> str:
    sides = {"true": branch.true, "false": branch.false}
    return ", ".join(
        f"{side} with {by}" if by else f"no input found that makes it {side}" for side, by in sides.items()
    )


def _call_lines(arm: ArmReport) -> Iterator[tuple[str, str]]:
    if arm.operations is not None and (outside := arm.operations.eager):
        yield "graphs", f"{outside} of {outside + arm.operations.compiled} operations run outside of them"
    if sized := [call for call in arm.further_calls if call.sized]:
        sizes = ", ".join(f"{call.name} +{call.recompiles}" for call in sized)
        yield "sizes", f"{arm.all_recompiles} recompiles ({sizes})"
    if others := [call.name for call in arm.further_calls if not call.sized]:
        yield "inputs", f"also compared with {', '.join(others)}"
    if arm.export is not None and not arm.export.ok:
        yield "export", f"torch.export fails: {arm.export.error}"
    eager, compiled = arm.float64_errors or (0.0, 0.0)
    if compiled > eager:
        yield "error", f"{compiled:.1e} against float64, eager {eager:.1e}"


def _bisect_lines(arm: ArmReport) -> Iterator[tuple[str, str]]:
    for rung in arm.ladder:
        yield "layer", f"{rung.layer} {'is well' if rung.error is None else f'is at fault: {rung.error}'}"
