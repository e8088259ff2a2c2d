"""The report as Markdown, for a pull request or a CI job's summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from breaklint.output.markdown import as_markdown
from breaklint.output.wording import printable
from breaklint.verify.judge.results import ArmReport, TargetReport, VerifyReport
from breaklint.verify.judge.verdict import FAILING
from breaklint.verify.report.gates import gate_lines
from breaklint.verify.report.wording import (
    best_line,
    break_line,
    environment_line,
    fix_name,
    remarks,
    run_line,
    speed_stands_out,
    speed_text,
    spread,
)


def write(report: VerifyReport) -> str:
    """How many of which verdict, a table of all targets, then a section each, folded where there are several."""
    counts = Counter(target.verdict.value for target in report.targets)
    lines = [f"**breaklint verify:** {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}", ""]
    lines += ["| target | verdict | speed | why |", "| --- | --- | --- | --- |"]
    for target in report.targets:
        verdict, speed = f"**{target.verdict.value}**", speed_text(target.speedup) if speed_stands_out(target) else ""
        lines.append(f"| {_code(target.target)} | {verdict} | {speed} | {as_markdown(target.why)} |")
    for target in report.targets:
        lines += ["", *(_section(target) if len(report.targets) == 1 else _folded(target))]
    for line in filter(None, (best_line(report), environment_line(report), run_line(report))):
        lines += ["", as_markdown(line)]
    return "\n".join([*lines, ""])


def _folded(target: TargetReport) -> Iterator[str]:
    opened = " open" if target.verdict in FAILING else ""
    name = escape(printable(target.target))
    yield f"<details{opened}><summary><code>{name}</code>: {target.verdict.value}</summary>"
    yield ""
    yield from _section(target)
    yield ""
    yield "</details>"


def _section(target: TargetReport) -> Iterator[str]:
    yield "| arm | breaks | fullgraph | graphs a call | recompiles | compile s | ms a call |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, arm in target.arms.items():
        yield "| " + " | ".join([as_markdown(name), *_cells(arm, compiled=name != "eager")]) + " |"
    yield ""
    for broken in target.arms.get("before", ArmReport()).breaks:
        yield f"- break: {as_markdown(break_line(broken))}"
    for fix in target.fixes:
        place = f"{fix.finding.code} at row {fix.finding.span.start.row}"
        yield f"- {as_markdown(fix_name(fix))} {place}: **{fix.verdict.value}**, {as_markdown(fix.why)}"
    for name, arm in target.arms.items():
        yield from (f"- note {as_markdown(name)}: {as_markdown(note)}" for note in arm.notes)
    for line in gate_lines(target):
        yield f"- {as_markdown(line)}"
    yield from (f"- {kind}: {line}" for kind, line in remarks(target))


def _cells(arm: ArmReport, compiled: bool) -> list[str]:
    timed = "" if arm.median_ms is None else f"{arm.median_ms:.4g} {spread(arm)}".strip()
    if arm.error is not None:
        return [as_markdown(arm.error.message), "", "", "", "", timed]
    if not compiled:
        return ["", "", "", "", "", timed]
    gate = "" if arm.fullgraph is None else "ok" if arm.fullgraph.ok else as_markdown(arm.fullgraph.error or "fails")
    compile_s = "" if arm.compile_s is None else f"{arm.compile_s:.1f}"
    counts = ["" if n is None else str(n) for n in (arm.graphs_per_call, arm.recompiles)]
    return [str(len(arm.breaks)), gate, *counts, compile_s, timed]


def _code(text: str) -> str:
    """Text as code; where it could end the code, as plain text."""
    return f"`{text}`" if text.isprintable() and not set(text) & set("`|\\") else as_markdown(text)
