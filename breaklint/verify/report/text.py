"""The report for a terminal: a table of verdicts, then what lies behind each; plain when piped."""

from __future__ import annotations

import io
import os

from rich.console import Console
from rich.table import Table
from rich.text import Text

from breaklint.output.wording import printable_lines
from breaklint.verify.judge.results import TargetReport, Verdict, VerifyReport
from breaklint.verify.report.wording import (
    BAD,
    FAIR,
    GOOD,
    OPEN,
    TONES,
    best_line,
    details,
    environment_line,
    figures,
    run_line,
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
    colour = f"{'bold ' * (target.verdict is Verdict.CONFIRMED)}{_COLOURS[TONES[target.verdict]]}"
    console.print(Text.assemble((target.verdict.value, colour), " ", (name, "bold")))
    console.print(Text(f"  {printable_lines(target.why)}"), soft_wrap=True)
    if any(arm.error is None and arm.median_ms for arm in target.arms.values()):
        console.print(_arms(target))
    for line in details(target):
        console.print(Text(f"  {printable_lines(line)}"), soft_wrap=True)
    console.print()


def _arms(target: TargetReport) -> Table:
    table = Table(box=None, padding=(0, 2), header_style="dim")
    table.add_column("arm")
    for heading in ("breaks", "fullgraph", "graphs/call", "recompiles", "compile s", "ms/call", "spread"):
        table.add_column(heading, justify="right")
    for name, arm in target.arms.items():
        cells = [arm.error.kind, *[""] * 6] if arm.error else figures(arm, compiled=name != "eager")
        table.add_row(printable_lines(name), *cells)
    return table
