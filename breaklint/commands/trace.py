"""`breaklint trace`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from breaklint.commands.options import PLACE, config_options, form_option, settings_for
from breaklint.commands.terminal import click
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.dynamo.events import Break, Recompile
    from breaklint.model import Finding

BREAKS = 1


@click.command(
    epilog="Exit code: 0 nothing found, 1 the log has breaks or recompilations, 2 a usage or configuration error."
)
@click.argument("log", type=PLACE, metavar="DIR|LOG")
@click.option(
    "--own-paths", multiple=True, type=PLACE, metavar="FOLDER", help="Show only breaks in code below this folder."
)
@form_option("text", "json")
@config_options
def trace(log: str, own_paths: tuple[str, ...], form: str, **options: Any) -> int:
    """Read graph breaks and recompilations from logs of torch, with rule and fix. No code is run.

    DIR is a TORCH_TRACE folder; LOG is one of its files. Source files are looked up by the paths in the log.

    \b
    TORCH_TRACE=traces python train.py
    breaklint trace traces
    """
    from breaklint.dynamo.breaks import covers, is_own, read_reports
    from breaklint.dynamo.logs import files_of, read_logs
    from breaklint.verify.targets.region import Region, readable

    output, again = read_logs(log)
    again = [one for one in again if is_own(one.filename, own_paths)]
    breaks = [broken for broken in read_reports(output, own_paths) if broken.own or not own_paths]
    paths = {path for report in output for path in files_of(report)} | {broken.filename for broken in breaks}
    paths |= {one.filename for one in again}
    texts = readable(sorted(path for path in paths if is_own(path)), {})
    region = Region(texts, lambda path: settings_for(Path(path).parent, options))
    joined = {broken: [finding for finding in region.findings if covers(finding, broken)] for broken in breaks}
    repeated = [
        item._replace(findings=_at(region.findings, item.guard_file, item.guard_row)) for item in _grouped(again)
    ]
    click.echo(_json(joined, repeated) if form == "json" else _text(joined, repeated, region.texts))
    return BREAKS if breaks or again else 0


class _Repeated(NamedTuple):
    """Recompilations of a function with the newest guard on one line, and whether the last was refused."""

    filename: str
    row: int
    function: str
    guard: str
    guard_file: str
    guard_row: int
    compiled: int
    at_limit: bool
    findings: Sequence[Finding] = ()


def _grouped(again: Sequence[Recompile]) -> list[_Repeated]:
    """One entry for each function and line of a guard: the guards of one line differ only in values."""
    from breaklint.dynamo.guards import place_of

    groups: dict[tuple[object, ...], list[Recompile]] = {}
    for one in again:
        for guard in one.guards[:1]:
            key = (one.filename, one.row, one.function, *place_of(one, guard), "" if guard.row else guard.text)
            groups.setdefault(key, []).append(one)
    return [_repeated(group) for group in groups.values()]


def _repeated(group: Sequence[Recompile]) -> _Repeated:
    from breaklint.dynamo.guards import place_of

    one, guard = group[0], group[0].guards[0]
    compiled, at_limit = sum(not item.limit_reached for item in group), any(item.limit_reached for item in group)
    return _Repeated(one.filename, one.row, one.function, guard.text, *place_of(one, guard), compiled, at_limit)


def _at(findings: Sequence[Finding], path: str, row: int) -> list[Finding]:
    """The findings of `check` on a line that explain a recompilation."""
    on_row = [
        finding
        for finding in findings
        if finding.filename == path and finding.span.start.row <= row <= finding.span.end.row
    ]
    return [item for item in on_row if item.effect.value != "break"]


def _text(joined: Mapping[Break, Sequence[Finding]], again: Sequence[_Repeated], texts: Mapping[str, str]) -> str:
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
    for each in again:
        times = "" if each.compiled == 1 else f", {each.compiled} times"
        ends = "; then it reached the recompile limit, and calls that fit no entry run eagerly" if each.at_limit else ""
        lines.append(f"{shown(each.filename)}:{each.row} {each.function} compiles again{times}{ends}")
        lines.append(f"  {each.guard}  ({shown(each.guard_file)}:{each.guard_row})")
        lines += [f"  {finding.code} {finding.name}: {_remedy(finding)}" for finding in each.findings]
    recompilations = sum(item.compiled for item in again)
    lines.append(f"{count} graph break{'' if count == 1 else 's'} in the log{_and(recompilations)}")
    return "\n".join(printable_lines(line) for line in lines)


def _and(recompilations: int) -> str:
    return f", {recompilations} recompilation{'' if recompilations == 1 else 's'}" if recompilations else ""


def _remedy(finding: Finding) -> str:
    if finding.fix is None:
        return "no fix"
    return f"{finding.fix.applicability.value} fix, {finding.fix.message}"


def _json(joined: Mapping[Break, Sequence[Finding]], again: Sequence[_Repeated]) -> str:
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
                "filename": shown(item.filename),
                "row": item.row,
                "function": item.function,
                "recompile": item.guard,
                "guard_filename": shown(item.guard_file),
                "guard_row": item.guard_row,
                "count": item.compiled,
                "limit_reached": item.at_limit,
                "findings": [_as_data(finding) for finding in item.findings],
            }
            for item in again
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
