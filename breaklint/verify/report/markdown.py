"""The report as Markdown, for a pull request or a CI job's summary."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.verify.report.wording import (
    against_best,
    best_line,
    break_line,
    environment_line,
    run_line,
    speed_text,
    spread,
)
from breaklint.verify.results import ArmReport, TargetReport, VerifyReport


def write(report: VerifyReport) -> str:
    """A table of all targets, then a section each."""
    lines = ["| target | verdict | speed | why |", "| --- | --- | --- | --- |"]
    for target in report.targets:
        cells = (f"`{target.target}`", f"**{target.verdict.value}**", speed_text(target.speedup), target.why)
        lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
    for target in report.targets:
        lines += ["", *_section(target)]
    for line in filter(None, (best_line(report), environment_line(report), run_line(report))):
        lines += ["", line]
    return "\n".join([*lines, ""])


def _section(target: TargetReport) -> Iterator[str]:
    yield f"### `{target.target}`: {target.verdict.value}"
    yield ""
    yield "| arm | breaks | fullgraph | graphs a call | recompiles | compile s | ms a call |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, arm in target.arms.items():
        yield "| " + " | ".join([name, *map(_escaped, _cells(arm, compiled=name != "eager"))]) + " |"
    yield ""
    for broken in target.arms.get("before", ArmReport()).breaks:
        yield f"- break: {break_line(broken)}"
    for fix in target.fixes:
        yield f"- fix {fix.finding.code} at row {fix.finding.span.start.row}: **{fix.verdict.value}**, {fix.why}"
    if target.after_vs_best is not None:
        yield f"- best: {against_best(target.after_vs_best)}"
    if target.noise is not None:
        yield f"- noise: ±{target.noise:.1%} (before against itself)"


def _cells(arm: ArmReport, compiled: bool) -> list[str]:
    timed = "" if arm.median_ms is None else f"{arm.median_ms:.4g} {spread(arm)}".strip()
    if arm.error is not None:
        return [arm.error.message, "", "", "", "", timed]
    if not compiled:
        return ["", "", "", "", "", timed]
    gate = "" if arm.fullgraph is None else "ok" if arm.fullgraph.ok else arm.fullgraph.error or "fails"
    compile_s = "" if arm.compile_s is None else f"{arm.compile_s:.1f}"
    counts = ["" if n is None else str(n) for n in (arm.graphs_per_call, arm.recompiles)]
    return [str(len(arm.breaks)), gate, *counts, compile_s, timed]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
