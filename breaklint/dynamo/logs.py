"""Read graph breaks and recompilations from a TORCH_TRACE folder, or the output of TORCH_LOGS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from breaklint.dynamo.events import Recompile
from breaklint.dynamo.recompilations import of_log
from breaklint.dynamo.trace_events import TraceReader, trace_events, without_internals
from breaklint.errors import UsageError

_LOGGED = re.compile(r"^.*?\[__graph_breaks\] ?(.*)$")
_STARTS = re.compile(r"^(Graph break in user code at|Graph break \(user stack suppressed)")
_FRAME = re.compile(r'^\s*File "(.+?)", line \d+, in ', re.MULTILINE)


def read_logs(place: str) -> tuple[list[str], list[Recompile]]:
    """Dynamo's report of every graph break, and the recompilations, in a log or in all logs of a folder, in order.

    Raises: UsageError: there is no such file or folder, it cannot be read, or it is not a log of torch.
    """
    path = Path(place)
    files = sorted(path.rglob("*.log")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{place}: no *.log in this folder; run with TORCH_TRACE={place} first")
    result, again, known = list[str](), list[Recompile](), False
    for file in files:
        try:
            lines = file.read_text("utf-8", errors="replace").splitlines()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
        events = list(trace_events(lines))
        known = known or bool(events) or any(_LOGGED.match(line) for line in lines)
        reader = TraceReader()
        for event, payload in events:
            reader.take(event, payload)
        result += reader.reports
        result += _from_log(lines)
        again += [*reader.recompilations, *of_log(lines)]
    if not known and not again:
        raise UsageError(f"{place}: neither a TORCH_TRACE log nor the output of TORCH_LOGS=graph_breaks,recompiles")
    return result, again


def files_of(report: str) -> list[str]:
    """The files on the stack of a break, the outermost first."""
    return list(dict.fromkeys(_FRAME.findall(report)))


def _from_log(lines: Iterable[str]) -> Iterator[str]:
    """The reports of a log whose lines begin with the name of the logger."""
    report: list[str] = []
    for line in lines:
        logged = _LOGGED.match(line)
        if logged is None:
            continue
        if _STARTS.match(logged[1]) and report:
            yield without_internals("\n".join(report))
            report = []
        report.append(logged[1])
    if report:
        yield without_internals("\n".join(report))
