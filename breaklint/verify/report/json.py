"""The report as JSON, in the documented shape."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from breaklint.model import Finding
from breaklint.verify.judge.results import ArmReport, Break, FixReport, Speedup, TargetReport, VerifyReport
from breaklint.verify.paths import shown


def write(report: VerifyReport) -> str:
    """One JSON object, indented, ending in a newline."""
    return json.dumps(as_dict(report), indent=2, allow_nan=False) + "\n"


def line(report: VerifyReport) -> str:
    """The same in one line."""
    return json.dumps(as_dict(report), separators=(",", ":"), allow_nan=False) + "\n"


def as_dict(report: VerifyReport) -> dict[str, Any]:
    """The report as plain containers."""
    run = {"run": asdict(report.run)} if report.run else {}
    head = {"environment": report.environment, "options": report.options, **run}
    return {**head, "targets": [_target(target) for target in report.targets]}


def _target(target: TargetReport) -> dict[str, Any]:
    joined = target.findings
    return {
        "target": target.target,
        "verdict": target.verdict.value,
        "why": target.why,
        "arms": {name: _arm(arm) for name, arm in target.arms.items()},
        "fixes": [_fix(fix) for fix in target.fixes],
        "findings": {
            "confirmed": [_finding(finding) for finding in joined.confirmed],
            "not_confirmed": [_finding(finding) for finding in joined.not_confirmed],
            "missed": [_break(missed) for missed in joined.missed],
        },
        **_speed(target.speedup),
        "after_vs_best": asdict(target.after_vs_best) if target.after_vs_best else None,
        "noise": _finite(target.noise),
        "retimed": asdict(target.retimed) if target.retimed else None,
        "seconds": round(target.seconds, 3),
        "measured_at": target.measured_at,
        "from_cache": target.from_cache,
        "ran_on": target.ran_on,
        "branches": [asdict(branch) | {"filename": shown(branch.filename)} for branch in target.branches],
        "sources": {name: {"filename": shown(s.filename), "text": s.text} for name, s in target.sources.items()},
    }


def _arm(arm: ArmReport) -> dict[str, Any]:
    samples = [ms for ms in arm.samples_ms if math.isfinite(ms)]
    breaks = [_break(broken) for broken in arm.breaks]
    plain = asdict(arm) | {"breaks": breaks, "samples_ms": samples, "median_ms": _finite(arm.median_ms)}
    if arm.made is not None:
        plain["made"]["graphs"] = [_graph(graph) for graph in arm.made.graphs]
    return plain


def _graph(graph: dict[str, Any]) -> dict[str, Any]:
    return graph | {"lines": [[shown(filename), row] for filename, row in graph["lines"]]}


def _break(broken: Break) -> dict[str, Any]:
    caller = broken.called_from
    told = {"filename": shown(caller[0]), "row": caller[1]} if caller else None
    gave_up = [asdict(frame) | {"filename": shown(frame.filename)} for frame in broken.gave_up]
    return asdict(broken) | {"filename": shown(broken.filename), "called_from": told, "gave_up": gave_up}


def _fix(fix: FixReport) -> dict[str, Any]:
    offered = fix.finding.fix
    return {
        **_finding(fix.finding),
        "applicability": offered.applicability.value if offered else None,
        "arm": fix.arm,
        "verdict": fix.verdict.value,
        "why": fix.why,
        "break_removed": fix.break_removed,
        "equal": fix.equal,
        **_speed(fix.speedup),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "filename": shown(finding.filename),
        "row": finding.span.start.row,
        "end_row": finding.span.end.row,
        "dynamo": list(finding.dynamo),
    }


def _speed(speed: Speedup | None) -> dict[str, Any]:
    return {"speedup": speed.ratio if speed else None, "interval": list(speed.interval) if speed else None}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
