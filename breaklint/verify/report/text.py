"""The report for a terminal: a table of verdicts, then their reasons; plain if piped."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from breaklint.output.wording import printable_lines
from breaklint.verify.judge.results import TargetReport, VerifyReport
from breaklint.verify.report.wording import (
    details,
    environment_line,
    figures,
    run_line,
)


def write(report: VerifyReport) -> str:
    """The whole report, in which lines are left whole."""
    return "\n".join(filter(None, [*map(section, report.targets), summary(report)]))


def section(target: TargetReport) -> str:
    """One target."""
    return _printed(lambda console: _show(console, target))


def summary(report: VerifyReport) -> str:
    """The summary of all targets."""
    lines = filter(None, (environment_line(report), run_line(report)))
    return "".join(f"{printable_lines(line)}\n" for line in lines)


def _printed(show: Callable[[Console], None]) -> str:
    out = io.StringIO()
    width = int(os.environ.get("COLUMNS", "0")) or 120
    show(Console(file=out, no_color=True, width=width, highlight=False))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _show(console: Console, target: TargetReport) -> None:
    console.print(Text(f"{target.verdict.value} {printable_lines(target.target)}"), soft_wrap=True)
    console.print(Text(f"  {printable_lines(target.why)}"), soft_wrap=True)
    if any(arm.error is None and arm.median_ms for arm in target.arms.values()):
        console.print(_arms(target))
    for line in details(target):
        console.print(Text(f"  {printable_lines(line)}"), soft_wrap=True)


def _arms(target: TargetReport) -> Table:
    table = Table(box=None, padding=(0, 2))
    table.add_column("arm")
    for heading in ("breaks", "fullgraph", "graphs/call", "recompiles", "compile s", "ms/call", "spread"):
        table.add_column(heading, justify="right")
    for name, arm in target.arms.items():
        cells = [arm.error.kind, *[""] * 6] if arm.error else figures(arm, compiled=name != "eager")
        table.add_row(printable_lines(name), *cells)
    return table
