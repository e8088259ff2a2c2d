"""Read Dynamo's reports of breaks and recompilations, in words that are the same in every run."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from breaklint.calls.lines import Plan
from breaklint.dynamo.breaks import read_reports
from breaklint.observe.profile import REASON, Break, Recompile

_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]+")
_NUMBER: Final = re.compile(r"\b\d+(?:\.\d+)?\b")
_AGAIN: Final = 2
"""How often a guard of one row has to fail in a row of equal calls, or in one test that compiles: once may settle."""

Line = Mapping[str, Any]
Place = tuple[str, int]


class Broken(NamedTuple):
    """A break at a line of the project, or called from one; `given_up`: a line of the frame that runs in eager mode."""

    filename: str
    row: int
    what: Break
    given_up: Place | None


def breaks_of(lines: Iterable[Line], plan: Plan) -> Iterator[Broken]:
    """The breaks at lines of the project, one per report."""
    for report in read_reports([text for line in lines for text in line["broken"]], plan.is_own):
        filename, row = (report.filename, report.row) if report.own else report.called_from or ("", 0)
        ends: list[Place | None] = [(os.path.realpath(frame.filename), frame.row) for frame in report.gave_up]
        broken = Break(row, report.gb, _plain(report.reason, plan))
        for end in ends or [None]:
            yield Broken(os.path.realpath(filename), row, broken, end)


def recompiles_of(lines: Iterable[Line], plan: Plan) -> Iterator[tuple[str, int, Recompile]]:
    """File and row that each guard is about that fails again and again; row 0 with the first row of the frame if the
    guard names no own row."""
    counts = Counter[tuple[str, int, str, bool]]()
    at_limit = set()
    for guard_file, guard_row, file, first, guard, limit in (item for line in lines for item in line["recompiled"]):
        has_row = plan.is_own(guard_file)
        filename, row = (guard_file, guard_row) if has_row else (file, first)
        key = (os.path.realpath(filename), row, _NUMBER.sub("N", _plain(guard, plan)), has_row)
        counts[key] += 1
        if limit:
            at_limit.add(key)
    for (filename, row, guard, has_row), count in counts.items():
        if count >= _AGAIN or (filename, row, guard, has_row) in at_limit:
            yield filename, row, Recompile(row if has_row else 0, guard)


def _plain(reason: str, plan: Plan) -> str:
    """A reason without addresses and the machine's folders."""
    text = _ADDRESS.sub("0x…", " ".join(reason.split())).replace(plan.root + os.sep, "")
    return text if len(text) <= REASON else f"{text[: REASON - 1]}…"
