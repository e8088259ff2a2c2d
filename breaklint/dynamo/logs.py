"""Read graph breaks and recompilations from a TORCH_TRACE folder, or one of its files."""

from __future__ import annotations

import re
from pathlib import Path

from breaklint.dynamo.events import Recompile
from breaklint.dynamo.trace_events import TraceReader, trace_events
from breaklint.errors import UsageError

_FRAME = re.compile(r'^\s*File "(.+?)", line \d+, in ', re.MULTILINE)


def read_logs(place: str) -> tuple[list[str], list[Recompile]]:
    """Dynamo's report of every graph break, and the recompilations, in a log or in all logs of a folder.

    Raises: UsageError: there is no such file or folder, it cannot be read, or it is not a log of torch.
    """
    path = Path(place)
    files = sorted(path.rglob("*.log")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{place}: no *.log in this folder; run with TORCH_TRACE={place} first")
    result, again, has_events = list[str](), list[Recompile](), False
    for file in files:
        try:
            lines = file.read_text("utf-8", errors="replace").splitlines()
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
        events = list(trace_events(lines))
        has_events = has_events or bool(events)
        reader = TraceReader()
        for event, payload in events:
            reader.take(event, payload)
        result += reader.reports
        again += reader.recompilations
    if not has_events:
        raise UsageError(f"{place}: no log of TORCH_TRACE; run with TORCH_TRACE={path.parent} first")
    return result, again


def files_of(report: str) -> list[str]:
    """The files on the stack of a break, the outermost first."""
    return list(dict.fromkeys(_FRAME.findall(report)))
