"""The events of torch's structured trace, live or from a file of TORCH_TRACE: reports of breaks and recompilations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from breaklint.dynamo.events import FailedGuard, Recompile
from breaklint.dynamo.guards import guards_of

_EVENT: Final = re.compile(r"^[A-Z]\d{4} \S+ \d+ [^\]]*\] (\{.*\})\s*$")
REASONS: Final = "recompile_reasons"
BREAK: Final = "dynamo_graph_break_reason"
TRACED: Final = re.compile(r"^Traced from (?P<filename>.+), in (?P<function>\S+)$", re.MULTILINE)
"""The last line of a report of a break: the function whose frame was traced."""

Metadata = dict[str, Any]
CompileId = tuple[int, int]


class _Frame(NamedTuple):
    """The function whose frame Dynamo traces."""

    filename: str = ""
    row: int = 0
    function: str = ""


class TraceReader:
    """Gathers from the events of a trace.

    `reports` are the texts of graph breaks, in order. `compiled` are the compilations: a number for each function, and
    which of its compilations it is. `strings` are the numbers by which the trace names texts so far.
    """

    def __init__(self, strings: dict[int, str] | None = None) -> None:
        self.reports: list[str] = []
        self.compiled: set[CompileId] = set()
        self._strings = dict(strings or {})
        self._frame = _Frame()
        self._frames: dict[int, _Frame] = {}
        self._recompiles: list[Recompile] = []
        self._pending: tuple[CompileId, tuple[FailedGuard, ...]] | None = None

    @property
    def recompilations(self) -> list[Recompile]:
        """All recompilations so far; the last was compiled if its trace has begun."""
        return [*self._recompiles, *self._at_limit()]

    def take(self, event: Metadata, payload: str, followed_calls: Callable[[], Iterable[str]] = tuple) -> None:
        """Read one event. `followed_calls` gives the calls that Dynamo is following, as lines of a traceback."""
        if "str" in event:
            self._strings[event["str"][1]] = event["str"][0]
        elif "dynamo_start" in event:
            self._start(event)
        elif is_artifact(event, BREAK):
            filename, _, function = self._frame
            self.reports.append(without_internals(payload, filename, function, followed_calls()))
        elif is_artifact(event, REASONS):
            self._recompiles += self._at_limit()
            self._pending = _id_of(event), tuple(guards_of(payload))

    def _start(self, event: Metadata) -> None:
        if "frame_compile_id" in event:
            self.compiled.add(_id_of(event))
        if stack := event["dynamo_start"].get("stack"):
            last = stack[-1]
            self._frame = _Frame(self._strings.get(last.get("filename"), ""), last["line"], last["name"])
            self._frames[event.get("frame_id", 0)] = self._frame
        if self._pending is None:
            return
        compiled, guards = self._pending
        if compiled == _id_of(event):
            self._recompiles.append(Recompile(*self._frame, guards))
        else:
            self._recompiles += self._at_limit()
        self._pending = None

    def _at_limit(self) -> Iterator[Recompile]:
        """The recompilation with recorded guards that did not begin, because its function reached the limit."""
        if self._pending is not None:
            (function, _), guards = self._pending
            yield Recompile(*self._frames.get(function, _Frame()), guards, limit_reached=True)


def _id_of(event: Metadata) -> CompileId:
    return event.get("frame_id", 0), event.get("frame_compile_id", 0)


def trace_events(lines: Iterable[str]) -> Iterator[tuple[Metadata, str]]:
    """The events of a file of TORCH_TRACE, and the payload of each: the lines below it that begin with a tabulator."""
    event: Metadata | None = None
    payload: list[str] = []
    for line in chain(lines, [""]):
        if event is not None and line.startswith("\t"):
            payload.append(line[1:])
            continue
        if event is not None:
            yield event, "\n".join(payload)
        event, payload = _event(line), []


def is_artifact(event: Metadata, name: str) -> bool:
    """Whether it is a torch artifact of this name."""
    return isinstance(event.get("artifact"), dict) and event["artifact"].get("name") == name


def _event(line: str) -> Metadata | None:
    match = _EVENT.match(line)
    try:
        event = json.loads(match[1]) if match else None
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def without_internals(report: str, filename: str = "", function: str = "", calls: Iterable[str] = ()) -> str:
    """A report of a break without Dynamo's own traceback, with the traced function if known.

    The user's traceback, if the report has one, ends with those `calls` that Dynamo followed and that it lacks.
    """
    for marker in ("\nTraceback (most recent call last)", "\nNoneType: None"):
        report = report.split(marker, 1)[0]
    if "User code traceback:" in report:
        report += "".join(call for call in calls if call.rpartition(", in ")[0] not in report)
    return f"{report}\nTraced from {filename}, in {function}" if filename else report
