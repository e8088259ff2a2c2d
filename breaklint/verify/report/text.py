"""The report for a terminal: a table of verdicts, then what lies behind each; plain when piped."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from breaklint.output.wording import printable_lines
from breaklint.verify.judge.results import ArmReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.paths import shown
from breaklint.verify.report.gates import gate_lines
from breaklint.verify.report.wording import (
    BAD,
    FAIR,
    GOOD,
    OPEN,
    TONES,
    best_line,
    break_line,
    environment_line,
    fix_name,
    remarks,
    run_line,
    spread,
    unbroken,
)

_COLOURS = {GOOD: "green", FAIR: "yellow", OPEN: "magenta", BAD: "bold red"}


def write(report: VerifyReport, colour: bool = False, width: int = 0) -> str:
    """The report in text, its tables `width` columns wide (0: the terminal's, or 120); lines are left whole."""
    out = io.StringIO()
    columns = width or int(os.environ.get("COLUMNS", "0")) or 120
    console = Console(file=out, force_terminal=colour, no_color=not colour, width=columns, highlight=False)
    for target in report.targets:
        _show(console, target)
    for line in filter(None, (best_line(report), environment_line(report), run_line(report))):
        console.print(Text(printable_lines(line), style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n")).rstrip("\n") + "\n"


def _show(console: Console, target: TargetReport) -> None:
    name = printable_lines(target.target)
    console.print(Text.assemble((target.verdict.value, _colour(target.verdict)), " ", (name, "bold")))
    console.print(Text(f"  {printable_lines(target.why)}"), soft_wrap=True)
    if any(arm.error is None and arm.median_ms for arm in target.arms.values()):
        console.print(_arms(target))
    for line in _details(target):
        console.print(Text(f"  {printable_lines(line)}"), soft_wrap=True)
    console.print()


def _colour(verdict: Verdict) -> str:
    return f"{'bold ' * (verdict is Verdict.CONFIRMED)}{_COLOURS[TONES[verdict]]}"


def _arms(target: TargetReport) -> Table:
    table = Table(box=None, padding=(0, 2), header_style="dim")
    table.add_column("arm")
    for heading in ("breaks", "fullgraph", "graphs/call", "recompiles", "compile s", "ms/call", "spread"):
        table.add_column(heading, justify="right")
    for name, arm in target.arms.items():
        table.add_row(printable_lines(name), *_cells(arm, compiled=name != "eager"))
    return table


def _cells(arm: ArmReport, compiled: bool) -> list[str]:
    if arm.error is not None:
        return [arm.error.kind, "", "", "", "", "", ""]
    gate = "" if arm.fullgraph is None else "ok" if arm.fullgraph.ok else "fails"
    measured = [_number(arm.graphs_per_call), _number(arm.recompiles), f"{arm.compile_s:.1f}" if arm.compile_s else ""]
    timed = ["", ""] if arm.median_ms is None else [f"{arm.median_ms:.4g}", spread(arm)]
    return [str(len(arm.breaks)) if compiled else "", gate, *(measured if compiled else ["", "", ""]), *timed]


def _details(target: TargetReport) -> Iterator[str]:
    before = target.arms.get("before", ArmReport())
    missed = set(target.findings.missed)
    for broken in before.breaks:
        yield f"break  {break_line(broken)}{'  (missed by check)' if broken in missed else ''}"
    for finding in target.findings.not_confirmed:
        place = f"{shown(finding.filename)}:{finding.span.start.row}"
        yield f"not confirmed  {place} {finding.code} {finding.name}: {unbroken(finding, target)}"
    for fix in target.fixes:
        place = f"{shown(fix.finding.filename)}:{fix.finding.span.start.row}"
        yield f"{fix_name(fix):6} {place} {fix.finding.code} {fix.finding.name}: {fix.verdict.value}, {fix.why}"
    for name, arm in target.arms.items():
        yield from (f"note   {name}: {note}" for note in arm.notes)
    yield from gate_lines(target)
    yield from (f"{kind:<6} {line}" for kind, line in remarks(target))


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
