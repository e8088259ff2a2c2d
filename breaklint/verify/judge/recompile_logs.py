"""The events of torch's trace, and recompilations as torch logs them: function, guards that failed, their rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

_HEAD: Final = re.compile(r"Recompiling function (?P<function>\S+) in (?P<filename>.+):(?P<row>\d+)\s*$")
_GUARD: Final = re.compile(r"- (?:\d+/\d+: )(?P<text>.*)$")
_NOTE: Final = re.compile(r"\s+# (?P<code>.*?)\s+# (?P<filename>\S+):(?P<row>\d+) in (?P<function>\S+)")
_PREFIX: Final = re.compile(r"^\[?[VIWE]?\d{4} [\d:.]+ .*?\] (?:\[[\d/_]+\] )?(?:\[__recompiles\] )?")
_STACK: Final = re.compile(r'File "(?P<filename>[^"]+)", line (?P<row>\d+), in (?P<function>\S+)')
_EVENT: Final = re.compile(r"^[A-Z]\d{4} \S+ \d+ [^\]]*\] (\{.*\})\s*$")
_LOGGED: Final = "[__recompiles]"
REASONS: Final = "recompile_reasons"
BREAK: Final = "dynamo_graph_break_reason"
TRACED: Final = re.compile(r"^Traced from (?P<filename>.+), in (?P<function>\S+)$", re.MULTILINE)
"""What is added to a report of a break: the function whose frame was traced when it was met."""
_SIZE: Final = re.compile(r"tensor '(?P<name>.+?)' size mismatch at index (?P<dim>\d+)\. expected (?P<old>\d+)")
_ENTRY: Final = re.compile(r"^\[?\d+/\d+\]?: ")


@dataclass(frozen=True, slots=True)
class FailedGuard:
    """A guard that failed, and the row that torch names for it (None for a guard on an input as it is)."""

    text: str
    filename: str | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Recompile:
    """One recompilation: the function's place, and the guards of its entries that failed, the newest first."""

    filename: str
    row: int
    function: str
    guards: tuple[FailedGuard, ...]


def read_recompiles(text: str) -> list[Recompile]:
    """The recompilations in a text: output of `TORCH_LOGS=recompiles`, or one message of it."""
    found: list[Recompile] = []
    for line in (_PREFIX.sub("", line) for line in text.splitlines()):
        if head := _HEAD.search(line):
            found.append(Recompile(head["filename"].strip(), int(head["row"]), head["function"], ()))
        elif found and (guard := _GUARD.search(line)):
            last = found[-1]
            found[-1] = Recompile(last.filename, last.row, last.function, (*last.guards, _guard(guard["text"])))
        elif found and found[-1].guards and (place := _STACK.search(line)):
            found[-1] = _with_place(found[-1], place["filename"], int(place["row"]))
    return list(dict.fromkeys(found))


def _guard(text: str) -> FailedGuard:
    if size := _SIZE.search(text):
        return FailedGuard(f"{size['name']}.size({size['dim']}) == {size['old']}")
    note = _NOTE.search(text)
    if note is None:
        return FailedGuard(text.partition("  # ")[0].strip())
    return FailedGuard(text[: note.start()].strip(), note["filename"], int(note["row"]))


def _with_place(one: Recompile, filename: str, row: int) -> Recompile:
    """The last guard with the full path of its row, which its own line may have cut."""
    *rest, last = one.guards
    return Recompile(one.filename, one.row, one.function, (*rest, FailedGuard(last.text, filename, row)))


def guards_of(payload: str) -> list[FailedGuard]:
    """The guards of the event `recompile_reasons` in torch's trace: a text, or a list of them."""
    try:
        told = json.loads(payload)
    except ValueError:
        told = payload
    texts = told if isinstance(told, list) else [told]
    return [_guard(_ENTRY.sub("", str(text).splitlines()[0])) for text in texts if str(text).strip()]


def shown(guard: FailedGuard) -> str:
    """A guard in one line, with the row that makes it."""
    return guard.text if guard.row is None else f"{guard.text}  ({Path(guard.filename or '').name}:{guard.row})"


def place_of(one: Recompile, guard: FailedGuard) -> tuple[str, int]:
    """Where a guard comes from: its row, else the function that compiles again."""
    if guard.filename is None or guard.row is None:
        return one.filename, one.row
    # Of a path that does not begin at the root the log has the end only.
    is_cut = not guard.filename.startswith("/") and one.filename.endswith(guard.filename)
    return one.filename if is_cut else guard.filename, guard.row


def of_log(lines: Iterable[str]) -> list[Recompile]:
    """The recompilations in the lines of a log: a file of TORCH_TRACE, or output under TORCH_LOGS=recompiles."""
    rows = list(lines)
    return [*_of_trace(rows), *read_recompiles("\n".join(line for line in rows if _LOGGED in line))]


def _of_trace(lines: list[str]) -> Iterator[Recompile]:
    """Of a trace: the event has the guards, and that which starts the compilation the function's place."""
    traced, guards = TracedFrame(), tuple[FailedGuard, ...]()
    for event, payload in trace_events(lines):
        if is_artifact(event, REASONS):
            guards = tuple(guards_of(payload))
        if traced.take(event) and guards:
            yield Recompile(traced.filename, traced.row, traced.function, guards)
            guards = ()


def trace_events(lines: Iterable[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """The events of a log of TORCH_TRACE, and the payload of each: the lines below it that begin with a tabulator."""
    event: dict[str, Any] | None = None
    payload: list[str] = []
    for line in chain(lines, [""]):
        if event is not None and line.startswith("\t"):
            payload.append(line[1:])
            continue
        if event is not None:
            yield event, "\n".join(payload)
        event, payload = _event(line), []


def is_artifact(event: dict[str, Any], name: str) -> bool:
    """Is it what torch calls an artifact of this name?"""
    return isinstance(event.get("artifact"), dict) and event["artifact"].get("name") == name


def _event(line: str) -> dict[str, Any] | None:
    found = _EVENT.match(line)
    try:
        told = json.loads(found[1]) if found else None
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def without_internals(report: str, filename: str = "", function: str = "", calls: Iterable[str] = ()) -> str:
    """A report of a break without Dynamo's own traceback, which is most of it; with what was traced, if known.

    The user's traceback, where it has one, ends with those `calls` that Dynamo followed and that it lacks.
    """
    for marker in ("\nTraceback (most recent call last)", "\nNoneType: None"):
        report = report.split(marker, 1)[0]
    if "User code traceback:" in report:
        report += "".join(call for call in calls if call.rpartition(", in ")[0] not in report)
    return f"{report}\nTraced from {filename}, in {function}" if filename else report


class TracedFrame:
    """The frame that Dynamo traces, by the events of its trace."""

    def __init__(self, strings: dict[int, str] | None = None) -> None:
        self._strings: dict[int, str] = strings or {}
        self.filename = self.function = ""
        self.row = 0

    def take(self, event: dict[str, Any]) -> bool:
        """Does the trace of another frame begin with this event?"""
        if "str" in event:
            self._strings[event["str"][1]] = event["str"][0]
        if "dynamo_start" not in event or not event["dynamo_start"].get("stack"):
            return False
        frame = event["dynamo_start"]["stack"][-1]
        self.filename, self.row = self._strings.get(frame.get("filename"), ""), frame["line"]
        self.function = frame["name"]
        return True
