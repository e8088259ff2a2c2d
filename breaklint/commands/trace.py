"""`breaklint trace`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, settings_for
from breaklint.commands.terminal import click
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.dynamo.events import Break, FailedGuard, Recompile
    from breaklint.model import Finding

    Why = Mapping[Recompile, Sequence[tuple[FailedGuard, Sequence[Finding]]]]

BREAKS = 1


@click.command(
    epilog="Exit code: 0 nothing found, 1 the log has breaks or recompilations, 2 a usage or configuration error."
)
@click.argument("log", type=PLACE, metavar="DIR|LOG")
@click.option(
    "--own-paths", multiple=True, type=PLACE, metavar="FOLDER", help="Show only breaks in code below this folder."
)
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="The output format."
)
@config_options
def trace(log: str, own_paths: tuple[str, ...], output_format: str, **options: Any) -> int:
    """Read graph breaks and recompilations from torch's logs, with the rule and the fix for each. No code is run.

    DIR is a TORCH_TRACE folder; LOG is one of its files, or the output of TORCH_LOGS=graph_breaks,recompiles. Source
    files are looked up by the paths in the log.

    \b
    TORCH_TRACE=traces python train.py
    breaklint trace traces
    TORCH_LOGS=graph_breaks,recompiles python train.py 2> log.txt
    breaklint trace log.txt
    """
    from breaklint.dynamo.breaks import covers, is_own, read_reports
    from breaklint.dynamo.guards import place_of
    from breaklint.dynamo.logs import files_of, read_logs
    from breaklint.verify.targets.region import Region, readable

    told, again = read_logs(log)
    again = [one for one in again if is_own(one.filename, own_paths)]
    found = [broken for broken in read_reports(told, own_paths) if broken.own or not own_paths]
    paths = {path for report in told for path in files_of(report)} | {broken.filename for broken in found}
    paths |= {one.filename for one in again}
    region = Region(readable(sorted(path for path in paths if is_own(path)), {}), settings_for(Path.cwd(), options))
    joined = {broken: [finding for finding in region.findings if covers(finding, broken)] for broken in found}
    why = {one: [(guard, _at(region.findings, *place_of(one, guard))) for guard in one.guards[:1]] for one in again}
    click.echo(_json(joined, why) if output_format == "json" else _text(joined, why, region.texts))
    return BREAKS if found or again else 0


def _at(findings: Sequence[Finding], path: str, row: int) -> list[Finding]:
    """What `check` finds on a row; findings of graph breaks make nothing compile again."""
    on_row = [each for each in findings if each.filename == path and each.span.start.row <= row <= each.span.end.row]
    return [each for each in on_row if each.effect.value != "break"]


def _text(joined: Mapping[Break, Sequence[Finding]], why: Why, texts: Mapping[str, str]) -> str:
    from breaklint.dynamo.guards import place_of
    from breaklint.source.shown_paths import shown

    lines = []
    for broken, findings in joined.items():
        caller = broken.called_from
        via = f" (called from {shown(caller[0])}:{caller[1]})" if caller else ""
        lines.append(f"{shown(broken.filename)}:{broken.row} {broken.gb} {broken.title}{via}")
        lines += [f"  {finding.code} {finding.name}: {_remedy(finding)}" for finding in findings]
        if not findings:
            known = broken.filename in texts or (caller is not None and caller[0] in texts)
            lines.append(f"  {'no rule finds it' if known else 'its source is not here'}")
    count = len(joined)
    for one, guards in why.items():
        lines.append(f"{shown(one.filename)}:{one.row} {one.function} compiles again")
        for guard, findings in guards:
            path, row = place_of(one, guard)
            lines.append(f"  {guard.text}  ({shown(path)}:{row})")
            lines += [f"  {finding.code} {finding.name}: {_remedy(finding)}" for finding in findings]
    lines.append(f"{count} graph break{'' if count == 1 else 's'} in the log{_and(len(why))}")
    return "\n".join(printable_lines(line) for line in lines)


def _and(recompilations: int) -> str:
    return f", {recompilations} recompilation{'' if recompilations == 1 else 's'}" if recompilations else ""


def _remedy(finding: Finding) -> str:
    if finding.fix is None:
        return "no fix"
    return f"{finding.fix.applicability.value} fix, {finding.fix.message}"


def _json(joined: Mapping[Break, Sequence[Finding]], why: Why) -> str:
    from breaklint.dynamo.guards import place_of
    from breaklint.source.shown_paths import shown

    return json.dumps(
        [
            {
                "filename": shown(broken.filename),
                "row": broken.row,
                "gb": broken.gb,
                "reason": broken.reason,
                "called_from": [shown(broken.called_from[0]), broken.called_from[1]] if broken.called_from else None,
                "findings": [_as_data(finding) for finding in findings],
            }
            for broken, findings in joined.items()
        ]
        + [
            {
                "filename": shown(one.filename),
                "row": one.row,
                "function": one.function,
                "recompile": guard.text,
                "guard_filename": shown(place_of(one, guard)[0]),
                "guard_row": place_of(one, guard)[1],
                "findings": [_as_data(finding) for finding in findings],
            }
            for one, guards in why.items()
            for guard, findings in guards
        ],
        indent=2,
    )


def _as_data(finding: Finding) -> dict[str, Any]:
    from breaklint.source.shown_paths import shown

    return {
        "code": finding.code,
        "name": finding.name,
        "filename": shown(finding.filename),
        "row": finding.span.start.row,
        "fix": finding.fix.applicability.value if finding.fix else None,
    }
