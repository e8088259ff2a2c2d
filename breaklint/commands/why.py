"""`breaklint why`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, environment_options, form_option, settings_for
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import message_of, paint, printable

if TYPE_CHECKING:
    from breaklint.lint.why import Why


@click.command()
@click.argument("place", metavar="FILE:LINE", type=PLACE)
@click.argument("callers", metavar="[FILE]...", nargs=-1, type=PLACE)
@form_option("text", "json")
@config_options
@environment_options
def why(place: str, callers: tuple[str, ...], form: str, **options: Any) -> None:
    """Show the inference for a line: the calls that reach it, the values, and the reasons for unknown values.

    The line is traced from that file, and from the further FILEs if they call it.

    \b
    breaklint why net.py:42
    breaklint why layers.py:7 net.py
    """
    path, row = _place(place)
    from breaklint.lint.why import why as explain
    from breaklint.source.decoding import read_source

    rows = len(read_source(path).text.splitlines())
    if not 1 <= row <= rows and not path.endswith(".ipynb"):
        raise UsageError(f"{path}: has no line {row}; its last one is {rows}")

    result = explain(path, row, callers, settings_for(Path(path).parent, options))
    click.echo(f"{json.dumps(_as_data(result), indent=2)}\n" if form == "json" else _as_text(result), nl=False)


def _place(place: str) -> tuple[str, int]:
    """The file and the line; raises UsageError if the argument has another form."""
    path, _, row = place.rpartition(":")
    if path and row.isdigit() and not Path(place).exists():
        before, _, first = path.rpartition(":")  # `net.py:42:13`, as findings are shown
        return (before, int(first)) if before and first.isdigit() and not Path(path).exists() else (path, int(row))
    if Path(place).is_dir():
        raise UsageError(f"{place}: is a folder; give a file and a line, as {Path(place) / 'net.py'}:42")
    raise UsageError(f"{place}: give a file and a line, as net.py:42")


def _as_text(why: Why) -> str:
    color = sys.stdout.isatty()
    lines = [f"{why.filename}:{why.row}"]
    for way in why.reached:
        condition = f" (when: {way.when})" if way.when else ""
        lines.append(f"  traced from {way.region} ({way.filename}:{way.row}){condition}")
        lines += [f"    by {call}" for call in way.calls]
    lines += [f"  {line}" for line in why.unreached]
    for item in why.inferred:
        lines.append(f"  {paint(item.source, color, bold=True)}: {item.value}")
        lines += [f"    {step}" for step in item.because]
    lines += [f"  {finding.code} {message_of(finding)}" for finding in why.findings]
    return "".join(f"{printable(line) if not color else line}\n" for line in lines)


def _as_data(why: Why) -> dict[str, Any]:
    from breaklint.output.json import as_object

    return {
        "filename": why.filename,
        "row": why.row,
        "reached": [asdict(way) for way in why.reached],
        "unreached": list(why.unreached),
        "inferred": [
            {
                "location": item.span.start._asdict(),
                "end_location": item.span.end._asdict(),
                "source": item.source,
                "value": item.value,
                "because": list(item.because),
            }
            for item in why.inferred
        ],
        "findings": [as_object(finding) for finding in why.findings],
    }
