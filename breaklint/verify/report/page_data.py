"""What the HTML page shows, as plain values: texts, numbers and positions, but no markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from breaklint.verify.judge.results import ArmReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.report.plots import interval_bar, latency, strips, sweep
from breaklint.verify.report.wording import (
    TONES,
    amount,
    break_line,
    cache_line,
    environment_line,
    finding_place,
    fix_name,
    gate_lines,
    not_confirmed_line,
    run_line,
    seconds_text,
    speed_stands_out,
    speed_text,
)

View = dict[str, Any]


def page(report: VerifyReport) -> View:
    """All that the template asks for."""
    counts = Counter(target.verdict for target in report.targets)
    return {
        "environment": environment_line(report),
        "details": [(key, value) for key, value in sorted(report.environment.items()) if value is not None],
        "options": [(key, value) for key, value in sorted(report.options.items()) if value not in (None, [], False)],
        "run": run_line(report),
        "shares": _shares(report),
        "counts": [(v.value, TONES[v], counts[v]) for v in Verdict if counts[v]],
        "targets": [_target(target, number) for number, target in enumerate(report.targets, 1)],
    }


def _shares(report: VerifyReport) -> list[View]:
    run = report.run
    if run is None or not run.wall:
        return []
    parts = [(name, getattr(run, name)) for name in ("compile", "timing", "checks", "rest")]
    return [{"name": name, "seconds": seconds_text(value), "percent": 100 * value / run.wall} for name, value in parts]


def _target(target: TargetReport, number: int) -> View:
    return {
        "id": f"target-{number}",
        "name": target.target,
        "verdict": target.verdict.value,
        "tone": TONES[target.verdict],
        "why": target.why,
        "speed": f"{target.speedup.ratio:.2f}×" if target.speedup and speed_stands_out(target) else "",
        "compared": "after against before" if "after" in target.arms else "compiled against eager",
        "interval": speed_text(target.speedup),
        "bar": interval_bar(target.speedup),
        "noise": "" if target.noise is None else f"±{target.noise:.1%}",
        "best": speed_text(target.after_vs_best),
        "ran_on": target.ran_on,
        "took": seconds_text(target.seconds),
        "facts": list(_facts(target)),
        "latency": latency(target.arms),
        "sweep": sweep(target.arms),
        "strips": strips(target),
        "arms": [_arm(name, arm) for name, arm in target.arms.items()],
        "made": [_made(name, arm) for name, arm in target.arms.items() if arm.made is not None],
        "fixes": [_fix(fix) for fix in target.fixes],
        "notes": [cached for cached in [cache_line(target)] if cached]
        + [f"{name}: {note}" for name, arm in target.arms.items() for note in arm.notes],
        "gates": list(gate_lines(target)),
        "missed": [break_line(broken) for broken in target.findings.missed],
        "not_confirmed": [not_confirmed_line(finding, target) for finding in target.findings.not_confirmed],
    }


def _facts(target: TargetReport) -> Iterator[tuple[str, str]]:
    """Figures of before and after, where both were measured."""
    before, after = target.arms.get("before"), target.arms.get("after")
    if before is None or before.error:
        return
    sides = [before] + ([after] if after is not None and not after.error else [])

    yield "breaks", " → ".join(str(len(arm.breaks)) for arm in sides)
    rows = (
        ("graphs a call", [amount(arm.graphs_per_call) for arm in sides]),
        ("kernels launched", [amount(arm.kernels_launched) for arm in sides]),
        ("kernels generated", [amount(arm.kernels) for arm in sides]),
        ("compile", [seconds_text(arm.compile_s) for arm in sides]),
        ("ms a call", [f"{arm.median_ms:.4g}" if arm.median_ms else "" for arm in sides]),
        ("peak memory", [memory(arm.peak_memory_bytes) for arm in sides]),
    )
    for name, texts in rows:
        if all(texts):
            yield name, " → ".join(texts)


def _arm(name: str, arm: ArmReport) -> View:
    compiled = name != "eager"
    gates = (("fullgraph", arm.fullgraph), ("error_on_graph_break", arm.error_on_graph_break))
    return {
        "name": name,
        "error": f"{arm.error.kind}: {arm.error.message}" if arm.error else "",
        "breaks": str(len(arm.breaks)) if compiled and not arm.error else "",
        "fullgraph": "" if arm.fullgraph is None else "ok" if arm.fullgraph.ok else "fails",
        "graphs": amount(arm.graphs_per_call),
        "recompiles": amount(arm.recompiles),
        "compile": seconds_text(arm.compile_s),
        "beside": arm.compile_beside or 0,
        "warm": seconds_text(arm.compile_warm_s),
        "ms": f"{arm.median_ms:.4g}" if arm.median_ms else "",
        "do_bench": f"{arm.do_bench_ms:.4g}" if arm.do_bench_ms else "",
        "break_even": f"{arm.break_even_calls:,}" if arm.break_even_calls is not None else "",
        "memory": memory(arm.peak_memory_bytes),
        "complaints": [f"{gate}: {g.error}" for gate, g in gates if g is not None and g.error],
        "differences": [*arm.rewrite_differences, *arm.differences],
    }


def _made(name: str, arm: ArmReport) -> View:
    made = arm.made
    assert made is not None
    kernels = [{**kernel, "ops": ", ".join(kernel["ops"]).replace("_", " ")} for kernel in made.kernels]
    return {
        "name": name,
        "graphs": [graph["ops"] for graph in made.graphs],
        "generated": [kernel for kernel in kernels if kernel["language"] != "library"],
        "library": [kernel for kernel in kernels if kernel["language"] == "library"],
        "guards": made.guards,
        "reasons": made.recompile_reasons,
    }


def _fix(fix: Any) -> View:
    finding = fix.finding
    return {
        "arm": fix_name(fix),
        "place": finding_place(finding),
        "rule": f"{finding.code} {finding.name}",
        "applicability": finding.fix.applicability.value if finding.fix else "",
        "verdict": fix.verdict.value,
        "tone": TONES[fix.verdict],
        "why": fix.why,
        "speed": speed_text(fix.speedup),
    }


def memory(size: int | None) -> str:
    """Bytes as MiB or GiB."""
    if size is None:
        return ""
    return f"{size / 2**20:.1f} MiB" if size < 2**30 else f"{size / 2**30:.2f} GiB"
