"""Phrases and lines that reports for people share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from breaklint.dynamo.events import Break
from breaklint.source.shown_paths import shown
from breaklint.verify.judge.bench import MUCH_NOISE
from breaklint.verify.judge.results import (
    ArmReport,
    BranchReport,
    FixReport,
    ReportedFinding,
    TargetReport,
    VerifyReport,
)

Key = TypeVar("Key")
Value = TypeVar("Value")
UNREPORTED = "  (not reported by check)"


def spread(arm: ArmReport) -> str:
    """Half the interquartile range of the samples in per cent of their median."""
    ordered = sorted(arm.samples_ms)
    if len(ordered) < 4 or not arm.median_ms:
        return ""
    quarter = len(ordered) // 4
    return f"±{(ordered[-1 - quarter] - ordered[quarter]) / 2 / arm.median_ms:.0%}"


def _kind(broken: Break) -> str:
    """The id, reason and cost of a break."""
    frame = "; the whole frame runs eagerly" if broken.skips_frame else ""
    return f"{broken.gb} {broken.title}{frame}"


def speed_text(target: TargetReport) -> str:
    """The ratio with its interval, or nothing."""
    if target.speedup is None or target.interval is None:
        return ""
    return f"{target.speedup:.2f}× [{target.interval[0]:.2f}, {target.interval[1]:.2f}]"


def environment_line(report: VerifyReport) -> str:
    """The machine and the versions, in one line."""
    env = report.environment
    labels = [("torch", "torch"), ("triton", "triton"), ("python", "Python"), ("device", ""), ("cuda", "CUDA")]
    return ", ".join(f"{label} {env[key]}".strip() for key, label in labels if env.get(key))


def run_line(report: VerifyReport) -> str:
    """How long the run took; "" if nothing was run."""
    run = report.run
    if run is None or not run.wall or not any(target.arms for target in report.targets):
        return ""
    places = f" on {', '.join(run.places)}" if any(run.places) else ""
    targets = f"{len(report.targets)} target{'s' if len(report.targets) != 1 else ''}"
    return f"{targets} in {run.wall:.0f} s{places}"


def noise_line(target: TargetReport) -> str:
    """The noise, and the time spent to reduce it; "" if nothing was timed."""
    if target.noise is None:
        return ""
    again = target.retimed
    spent = f"; timed again alone, {again.rounds} rounds in {again.seconds:.0f} s" if again else ""
    return f"±{target.noise:.1%} (before against itself){spent}"


def figures(arm: ArmReport, compiled: bool) -> list[str]:
    """Breaks, fullgraph, graphs per call, recompiles, compile seconds, ms per call and its spread, if measured."""
    gate = "" if arm.fullgraph is None else "ok" if arm.fullgraph.ok else "fails"
    counts = [str(len(arm.breaks)) if compiled else "", gate, amount(arm.graphs_per_call), amount(arm.recompiles)]
    timed = ["", ""] if arm.median_ms is None else [f"{arm.median_ms:.4g}", spread(arm)]
    return [*counts, f"{arm.compile_s:.1f}" if arm.compile_s else "", *timed]


def details(target: TargetReport) -> Iterator[str]:
    """The reasons for the verdict of a target: one line per statement, which begins with its kind."""
    for kind, line in (*_break_lines(target), *_fix_lines(target), *_unconfirmed_lines(target)):
        yield f"{kind:<6} {line}"
    notes = ((note, name) for name, arm in target.arms.items() for note in arm.notes)
    yield from (f"{'note':<6} {', '.join(names)}: {note}" for note, names in _groups(notes))
    yield from gate_lines(target)
    if noise := noise_line(target):
        yield f"{'noise':<6} {noise}"


def _break_lines(target: TargetReport) -> Iterator[tuple[str, str]]:
    """The breaks of the original: a line for each kind of break."""
    unreported = set(target.findings.missed)
    breaks = target.arms.get("before", ArmReport()).breaks
    of_kinds = ((f"{_kind(broken)}{UNREPORTED if broken in unreported else ''}", broken.place) for broken in breaks)
    for kind, places in _groups(of_kinds):
        yield "break", f"{', '.join(places)} {kind}"


def _fix_lines(target: TargetReport) -> Iterator[tuple[str, str]]:
    """The verdicts of fixes: a line for each verdict and reason."""
    for (verdict, why), fixes in _groups(((fix.verdict, fix.why), fix) for fix in target.fixes):
        yield fix_name(fixes[0]) if len(fixes) == 1 else "fixes", f"{_rules_at(fixes)}: {verdict.value}, {why}"


def _unconfirmed_lines(target: TargetReport) -> Iterator[tuple[str, str]]:
    """Findings without a fix on whose lines Dynamo reported no break: a line for each reason."""
    fixed = {(fix.code, fix.place) for fix in target.fixes}
    others = ((item.why, item) for item in target.findings.not_confirmed if (item.code, item.place) not in fixed)
    for why, findings in _groups(others):
        yield "not confirmed", f"{_rules_at(findings)}: {why}"


def _groups(pairs: Iterable[tuple[Key, Value]]) -> Iterator[tuple[Key, list[Value]]]:
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    yield from groups.items()


def _rules_at(findings: Sequence[ReportedFinding]) -> str:
    """Places and rules; the file is named once if those that follow each other lie in it."""
    earlier = [None, *(finding.filename for finding in findings)]
    places = (
        f":{finding.row}" if finding.filename == before else finding.place
        for finding, before in zip(findings, earlier, strict=False)
    )
    rules = (f"{finding.code} {finding.name}" for finding in findings)
    return ", ".join(f"{place} {rule}" for place, rule in zip(places, rules, strict=True))


def amount(value: int | None) -> str:
    """A count, or nothing if it was not measured."""
    return "" if value is None else f"{value:,}"


def speed_stands_out(target: TargetReport) -> bool:
    """Whether the speed exceeds a small noise, to be shown by itself; else the ratio is only in the reason."""
    speed, noise = target.speedup, target.noise or 0.0
    return speed is not None and noise <= MUCH_NOISE and abs(speed - 1) > noise


def fix_name(fix: FixReport) -> str:
    """`fix:1`, the name of its arm; `fix` if it is the only one, which is measured as `after`."""
    return fix.arm if fix.arm.startswith("fix:") else "fix"


def gate_lines(target: TargetReport) -> Iterator[str]:
    """The results of further gates, one line each, beginning with the kind."""
    for branch in target.branches:
        yield f"branch {shown(branch.filename)}:{branch.row} {_sides(branch)}"
    name = "after" if "after" in target.arms else "before"
    if name in target.arms:
        yield from (f"{kind:<6} {name}: {line}" for kind, line in _call_lines(target.arms[name]))


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
