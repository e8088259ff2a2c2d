"""The report as Markdown, for a pull request or a CI job's summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from breaklint.output.markdown import as_markdown
from breaklint.output.wording import printable
from breaklint.verify.judge.results import ArmReport, TargetReport, VerifyReport
from breaklint.verify.judge.verdict import FAILING
from breaklint.verify.report.wording import (
    details,
    environment_line,
    figures,
    run_line,
    speed_stands_out,
    speed_text,
)


def write(report: VerifyReport) -> str:
    """The number of targets per verdict, a table of all targets, then one section per target."""
    counts = Counter(target.verdict.value for target in report.targets)
    lines = [f"**breaklint verify:** {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}", ""]
    lines += ["| target | verdict | speed | why |", "| --- | --- | --- | --- |"]
    for target in report.targets:
        verdict, speed = f"**{target.verdict.value}**", speed_text(target) if speed_stands_out(target) else ""
        lines.append(f"| {_code(target.target)} | {verdict} | {speed} | {as_markdown(target.why)} |")
    for target in report.targets:
        lines += ["", *(_section(target) if len(report.targets) == 1 else _details(target))]
    for line in filter(None, (environment_line(report), run_line(report))):
        lines += ["", as_markdown(line)]
    return "\n".join([*lines, ""])


def _details(target: TargetReport) -> Iterator[str]:
    state = " open" if target.verdict in FAILING else ""
    name = escape(printable(target.target))
    yield f"<details{state}><summary><code>{name}</code>: {target.verdict.value}</summary>"
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
    yield from (f"- {as_markdown(line)}" for line in details(target))


def _cells(arm: ArmReport, compiled: bool) -> list[str]:
    *cells, ms, spread = figures(arm, compiled)
    if arm.error is not None:
        cells = [as_markdown(arm.error.message), "", "", "", ""]
    elif arm.fullgraph is not None and arm.fullgraph.error:
        cells[1] = as_markdown(arm.fullgraph.error)
    return [*cells, f"{ms} {spread}".strip()]


def _code(text: str) -> str:
    """Text as code; as plain text if it could end the code."""
    return f"`{text}`" if text.isprintable() and not set(text) & set("`|\\") else as_markdown(text)
