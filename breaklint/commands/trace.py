"""`breaklint trace`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from breaklint.commands.options import PLACE, config_options, form_option, settings_for
from breaklint.commands.terminal import click
from breaklint.dynamo.breaks import covers, is_own, read_reports
from breaklint.dynamo.events import Break, Recompile
from breaklint.dynamo.guards import place_of
from breaklint.dynamo.logs import files_of, read_logs
from breaklint.model import Finding
from breaklint.output.wording import number_of, printable_lines
from breaklint.source.shown_paths import shown

BREAKS = 1


@click.command(
    epilog="Exit code: 0 nothing found, 1 the log has breaks or recompilations, 2 a usage or configuration error."
)
@click.argument("log", type=PLACE, metavar="DIR|LOG")
@form_option("text", "json")
@config_options
def trace(log: str, form: str, **options: Any) -> int:
    """Read graph breaks and recompilations from logs of torch, with rule and fix. No code is run.

    DIR is a TORCH_TRACE folder; LOG is one of its files. Source files are looked up by the paths in the log.

    \b
    TORCH_TRACE=traces python train.py
    breaklint trace traces
    """
    from breaklint.verify.targets.region import Region, readable

    output, again = read_logs(log)
    again, breaks = [one for one in again if is_own(one.filename)], read_reports(output)
    paths = {path for report in output for path in files_of(report)} | {broken.filename for broken in breaks}
    paths |= {one.filename for one in again}
    texts = readable(sorted(path for path in paths if is_own(path)), {})
    region = Region(texts, lambda path: settings_for(Path(path).parent, options))
    rows = [_break(broken, [finding for finding in region.findings if covers(finding, broken)]) for broken in breaks]
    rows += [_recompilation(group, region.findings) for group in _groups(again)]
    click.echo(json.dumps(rows, indent=2) if form == "json" else _text(rows, set(map(shown, region.texts))))
    return BREAKS if rows else 0


def _groups(again: Sequence[Recompile]) -> Iterable[Sequence[Recompile]]:
    """The recompilations of one function and line of a guard: the guards of one line differ only in values."""
    groups: dict[tuple[object, ...], list[Recompile]] = {}
    for one in again:
        for guard in one.guards[:1]:
            key = (one.filename, one.row, one.function, *place_of(one, guard), "" if guard.row else guard.text)
            groups.setdefault(key, []).append(one)
    return groups.values()


def _break(broken: Break, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "filename": shown(broken.filename),
        "row": broken.row,
        "gb": broken.gb,
        "reason": broken.reason,
        "called_from": [shown(broken.called_from[0]), broken.called_from[1]] if broken.called_from else None,
        "findings": [_as_data(finding) for finding in findings],
    }


def _recompilation(group: Sequence[Recompile], findings: Sequence[Finding]) -> dict[str, Any]:
    """Recompilations of a function with the newest guard on one line, and the findings of `check` that explain it."""
    one, guard = group[0], group[0].guards[0]
    path, row = place_of(one, guard)
    on_row = [item for item in findings if item.filename == path and row in item.span.rows]
    return {
        "filename": shown(one.filename),
        "row": one.row,
        "function": one.function,
        "recompile": guard.text,
        "guard_filename": shown(path),
        "guard_row": row,
        "count": sum(not item.limit_reached for item in group),
        "limit_reached": any(item.limit_reached for item in group),
        "findings": [_as_data(item) for item in on_row if item.effect.value != "break"],
    }


def _as_data(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "filename": shown(finding.filename),
        "row": finding.span.start.row,
        "fix": finding.fix.applicability.value if finding.fix else None,
    }


def _text(rows: Sequence[dict[str, Any]], sources: Collection[str]) -> str:
    lines = []
    for row in rows:
        place = f"{row['filename']}:{row['row']}"
        if "recompile" in row:
            times = "" if row["count"] == 1 else f", {row['count']} times"
            ends = "; then it reached the recompile limit, and calls that fit no entry run eagerly"
            lines.append(f"{place} {row['function']} compiles again{times}{ends if row['limit_reached'] else ''}")
            lines.append(f"  {row['recompile']}  ({row['guard_filename']}:{row['guard_row']})")
        else:
            caller = row["called_from"]
            via = f" (called from {caller[0]}:{caller[1]})" if caller else ""
            lines.append(f"{place} {row['gb']} {row['reason'].partition(': ')[0]}{via}")
            if not row["findings"]:
                is_read = row["filename"] in sources or (caller is not None and caller[0] in sources)
                lines.append(f"  {'no rule finds it' if is_read else 'its source is not here'}")
        lines += [f"  {item['code']} {item['name']}: {item['fix'] or 'no'} fix" for item in row["findings"]]
    again = [row["count"] for row in rows if "recompile" in row]
    recompilations = f", {number_of(sum(again), 'recompilation')}" if sum(again) else ""
    lines.append(f"{number_of(len(rows) - len(again), 'graph break')} in the log{recompilations}")
    return "\n".join(printable_lines(line) for line in lines)
