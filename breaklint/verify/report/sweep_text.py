"""Sweeps for a person to read, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from breaklint.output.wording import paint
from breaklint.verify.host.sweeps import LIMIT, Sweep, SweptCall


def as_text(found: Sequence[Sweep], color: bool) -> str:
    """A table for each sweep, and what has changed from the first to the last."""
    lines: list[str] = []
    for sweep in found:
        lines += [f"{sweep.target} {sweep.arm}", *_table(sweep), _total(sweep, color), ""]
    if len(found) > 1:
        before, after = found[0], found[-1]
        lines.append(f"compilations {before.compilations} -> {after.compilations}, "
                     f"seconds {before.compile_s:.1f} -> {after.compile_s:.1f}")  # fmt: skip
    return "\n".join(lines).rstrip()


def _table(sweep: Sweep) -> list[str]:
    rows = [(*sweep.keys, "graphs", "seconds", "then ms", "guard that failed")]
    rows += [_row(call) for call in sweep.calls]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        "  " + "  ".join([*(text.ljust(width) for text, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]


def _row(call: SweptCall) -> tuple[str, ...]:
    steady = "" if call.steady_ms is None else f"{call.steady_ms:.3f}"
    why = call.error or (call.guard or "")
    if call.row is not None and not call.error:
        why += f"  (row {call.row}{', ' if call.finding else ''}{call.finding})"
    graphs = "eager" if call.ends == LIMIT else str(call.graphs)
    return (*(str(value) for value in call.values), graphs, f"{call.seconds:.2f}", steady, why)


def _total(sweep: Sweep, color: bool) -> str:
    count = sweep.compilations
    line = f"  {count} compilation{'' if count == 1 else 's'}, {sweep.compile_s:.1f} s"
    if not sweep.reaches_limit:
        return line
    return paint(f"{line}; recompile_limit is reached: it runs in eager from there on", color, fg="red")


def as_data(found: Sequence[Sweep]) -> list[dict[str, Any]]:
    """The sweeps as JSON has them."""
    return [
        {
            "target": sweep.target,
            "arm": sweep.arm,
            "compilations": sweep.compilations,
            "compile_s": round(sweep.compile_s, 3),
            "values": [
                dict(zip(sweep.keys, call.values, strict=True))
                | {name: value for name, value in asdict(call).items() if name != "values"}
                for call in sweep.calls
            ],
        }
        for sweep in found
    ]
