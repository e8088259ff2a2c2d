"""Read what Dynamo reported of breaks and recompilations, into words that are the same in every run."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from breaklint.dynamo.breaks import read_reports
from breaklint.observe.profile import REASON, Break, Recompile
from breaklint.observe.raw import Plan

_REPLAY = re.compile(
    r'^\s*File "[^"]*[/\\]breaklint[/\\]observe[/\\]process[/\\]replay\.py", line \d+, in .*$', re.MULTILINE
)
_FRAME = re.compile(r'File "(.+?)", line (\d+), in ')
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_COMPILED_FRAME = re.compile(r"^\d+/\d+: ")
_NUMBER = re.compile(r"\b\d+\b")


Line = Mapping[str, Any]
Place = tuple[str, int]


class Broken(NamedTuple):
    """A break at a row of own code, or that an own row led to. Where it made Dynamo give a frame up, `given_up` is the
    first row of that frame's code and its file, which may be that of a caller."""

    filename: str
    row: int
    what: Break
    given_up: tuple[str, int] | None


def breaks_of(
    lines: Iterable[Line], plan: Plan, traced: Set[Place], reached: Callable[[Line], Set[Place]]
) -> Iterator[Broken]:
    """The breaks at rows that were traced, before or in the frame that broke, one a report."""
    for line in lines:
        for report in read_reports([_below_replay(str(line["broken"]))] if "broken" in line else [], plan.is_own):
            filename, row = (report.filename, report.row) if report.own else report.called_from or ("", 0)
            place, here = (os.path.realpath(filename), row), reached(line)
            frame = (os.path.realpath(line["frame"][0]), line["frame"][1]) if line["frame"] else None
            if place in here or (frame and place in traced and row not in line["others"].get(filename, ())):
                ended = (
                    frame if frame and report.skips_frame and frame[0] in {path for path, _ in here | traced} else None
                )
                yield Broken(*place, Break(row, report.gb, _plain(report.reason, plan)), ended)


def _below_replay(report: str) -> str:
    """The report without the frames that led to the replay: they are no callers of what broke."""
    heading = "User code traceback:"
    before, _, stack = report.partition(heading)
    ends = [found.end() for found in _REPLAY.finditer(stack)]
    return f"{before}{heading}{stack[ends[-1] :]}" if ends else report


def recompiles_of(lines: Iterable[Line], plan: Plan, traced: Set[Place]) -> Iterator[tuple[str, int, Recompile]]:
    """File and row that each failed guard is about, of those traced; the first row of the frame where it names none."""
    files = {path for path, _ in traced}
    for line in lines:
        if "recompiled" not in line or os.path.realpath(line["filename"]) not in files:
            continue
        reason = _first(str(line["recompiled"]))
        places = [(os.path.realpath(path), int(row)) for path, row in _FRAME.findall(reason)]
        places = [place for place in places if place in traced]
        filename, row = places[-1] if places else (os.path.realpath(line["filename"]), line["row"])
        guard = _COMPILED_FRAME.sub("", reason.split("\n", 1)[0]).split("  #", 1)[0]
        yield filename, row, Recompile(row if places else 0, _NUMBER.sub("N", _plain(guard, plan)))


def _first(reasons: str) -> str:
    try:
        told = ast.literal_eval(reasons) if reasons.startswith("[") else reasons
    except (ValueError, SyntaxError):
        return reasons
    return str(told[0]) if isinstance(told, list) and told else str(told)


def _plain(reason: str, plan: Plan) -> str:
    """A reason without addresses and the machine's folders."""
    text = _ADDRESS.sub("0x…", " ".join(reason.split())).replace(plan.root + os.sep, "")
    return text if len(text) <= REASON else f"{text[: REASON - 1]}…"
