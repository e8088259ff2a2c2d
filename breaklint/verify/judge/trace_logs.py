"""Graph breaks out of what torch has logged: a TORCH_TRACE folder, or the output under TORCH_LOGS=graph_breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from breaklint.errors import UsageError
from breaklint.verify.judge.recompile_logs import Recompile, of_log

_EVENT = re.compile(r"^[A-Z]\d{4} \S+ \d+ [^\]]*\] (\{.*\})\s*$")
_LOGGED = re.compile(r"^.*?\[__graph_breaks\] ?(.*)$")
_STARTS = re.compile(r"^(Graph break in user code at|Graph break \(user stack suppressed)")
_FRAME = re.compile(r'^\s*File "(.+?)", line \d+, in ', re.MULTILINE)
BREAK = "dynamo_graph_break_reason"


def reports(place: str) -> list[str]:
    """Dynamo's report of every graph break in a log, or in all logs of a folder, in order.

    Raises:
        UsageError: there is no such file or folder, it cannot be read, or it is no log of torch's.
    """
    return read_logs(place)[0]


def read_logs(place: str) -> tuple[list[str], list[Recompile]]:
    """The reports of graph breaks, and the recompilations, in a log or in all logs of a folder; raises UsageError."""
    path = Path(place)
    files = sorted(path.rglob("*.log")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{place}: no *.log in this folder; run with TORCH_TRACE={place} first")
    found, again, known = [], [], False
    for file in files:
        try:
            lines = file.read_text("utf-8", errors="replace").splitlines()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
        known = known or any(_EVENT.match(line) or _LOGGED.match(line) for line in lines)
        found += [*_from_trace(lines), *_from_log(lines)]
        again += of_log(lines)
    if not known and not again:
        raise UsageError(f"{place}: neither a TORCH_TRACE log nor the output of TORCH_LOGS=graph_breaks,recompiles")
    return found, again


def files_of(report: str) -> list[str]:
    """The files on the stack of a break, the outermost first."""
    return list(dict.fromkeys(_FRAME.findall(report)))


def _from_trace(lines: Iterable[str]) -> Iterator[str]:
    """The payloads of the events that report a break: the lines below it that begin with a tabulator."""
    payload: list[str] | None = None
    for line in lines:
        if payload is not None and line.startswith("\t"):
            payload.append(line[1:])
            continue
        if payload is not None:
            yield _plain(payload)
            payload = None
        if (event := _EVENT.match(line)) and BREAK in event[1] and _is_break(event[1]):
            payload = []
    if payload is not None:
        yield _plain(payload)


def _is_break(metadata: str) -> bool:
    try:
        told = json.loads(metadata)
    except ValueError:
        return False
    return isinstance(told, dict) and isinstance(told.get("artifact"), dict) and told["artifact"].get("name") == BREAK


def _from_log(lines: Iterable[str]) -> Iterator[str]:
    """The reports of a log on which each line bears the name of what logs it."""
    report: list[str] = []
    for line in lines:
        logged = _LOGGED.match(line)
        if logged is None:
            continue
        if _STARTS.match(logged[1]) and report:
            yield _plain(report)
            report = []
        report.append(logged[1])
    if report:
        yield _plain(report)


def _plain(lines: list[str]) -> str:
    """A report without Dynamo's own traceback, as an arm of verify has it."""
    text = "\n".join(lines)
    for marker in ("\nTraceback (most recent call last)", "\nNoneType: None"):
        text = text.split(marker, 1)[0]
    return text
