"""The calls for a person to read, and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from breaklint.output.wording import number_of, paint, printable
from breaklint.recompiles.counting import RecompileCount
from breaklint.recompiles.vary import LIMIT


def as_data(count: RecompileCount) -> dict[str, Any]:
    """The calls as JSON has them."""
    values = []
    for arguments, call in zip(count.values, count.calls, strict=True):
        item: dict[str, Any] = dict(zip(count.keys, map(_plain, arguments), strict=True))
        item |= {"compiles": call["compiles"], "guard": call["guard"]}
        if call["row"] is not None:
            item["row"] = call["row"]
            if not _is_own(count, call):
                item["filename"] = call["filename"]
        item |= {name: call[name] for name in ("ends", "error") if name in call}
        values.append(item)
    remedies = [{"text": step.text, "compilations": step.compilations} for step in count.remedies]
    return {"entry": count.entry, "compilations": count.compilations, "values": values, "remedies": remedies}


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, str, float, type(None))) else repr(value)


def _is_own(count: RecompileCount, call: dict[str, Any]) -> bool:
    return count.filename.endswith(str(call["filename"]))


def as_text(count: RecompileCount) -> str:
    """The calls as a table, and the remedies."""
    color = sys.stdout.isatty()
    rows = [(*count.keys, "compiles", "guard that failed")]
    for arguments, call in zip(count.values, count.calls, strict=True):
        rows.append((*map(str, arguments), _compiles(call), call.get("error") or _guard(call)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = []
    for place, row in enumerate(rows):
        line = "  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        lines.append(paint(line, color, bold=True) if place == 0 else line)
    calls = number_of(len(count.calls), "call")
    lines.append(f"{count.entry}: {number_of(count.compilations, 'compilation')} in {calls}")
    lines += _notes(count)
    lines += [f"remedy: {step.text}  ({number_of(step.compilations, 'compilation')})" for step in count.remedies]
    return "\n".join(lines) if color else "\n".join(map(printable, lines))


def _compiles(call: dict[str, Any]) -> str:
    if call.get("ends") == LIMIT:
        return "eager"
    return "raises" if "error" in call else "yes" if call["compiles"] else "no"


def _guard(call: dict[str, Any]) -> str:
    if call["guard"] is None:
        return ""
    where = f"  ({Path(call['filename']).name}:{call['row']})" if call["row"] is not None else ""
    return f"{call['guard']}{where}"


def _notes(count: RecompileCount) -> Iterator[str]:
    if count.reaches_limit:
        yield "the limit is reached: from there on the function runs in eager, without a message"
    if not count.compilations and not any("error" in call for call in count.calls):
        yield "no call has an operation to compile"
    for place in dict.fromkeys(place for call in count.calls for place in call["skips"]):
        yield f"Dynamo skips a frame because of the break at {place}: it runs in eager mode, and compiles no more"
    if any(call["graphs"] > 1 for call in count.calls):
        yield "the graph breaks: a call that compiles makes several graphs, and guards are those of the first"
