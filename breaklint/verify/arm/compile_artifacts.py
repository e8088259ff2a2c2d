"""The graphs and the code that the compiler made of a model, read from the structured trace."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

Metadata = dict[str, Any]
_LINE = re.compile(r"^\s+# File: (.+?):(\d+) in ", re.MULTILINE)
_OPERATION = re.compile(r'^\s+\w+(?:: "[^"]*")? = (?!\w+(?:;|$))', re.MULTILINE)  # anything but a mere new name
GRAPH, CODE = "dynamo_output_graph", "inductor_output_code"


class CompileArtifacts:
    """Gathers from the events of one compilation.

    `folder`, where given, keeps the graphs and the code as files, and the trace itself where `tlparse` finds it.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else None
        self.handlers = [_trace_file(self._folder)] if self._folder else []
        self._graphs: list[dict[str, Any]] = []

    def take(self, metadata: Metadata, payload: str) -> None:
        """Note what one event of the trace tells."""
        if GRAPH in metadata:
            self._keep(f"graph-{len(self._graphs)}.py", payload)
            self._graphs.append(read_graph(payload))
        elif CODE in metadata:
            self._keep(f"code-{len(list(self._folder.glob('code-*'))) if self._folder else 0}.py", payload)

    def summary(self) -> dict[str, Any]:
        """All of it as plain data, in the order it was made."""
        return {"graphs": self._graphs}

    def _keep(self, name: str, text: str) -> None:
        if self._folder is not None:
            (self._folder / name).write_text(text, encoding="utf-8")


def _trace_file(folder: Path) -> logging.Handler:
    from torch._logging._internal import TorchLogsFormatter

    folder.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(folder / "dedicated_log_torch_trace.log", encoding="utf-8")
    handler.setFormatter(TorchLogsFormatter(trace=True))  # type: ignore[no-untyped-call,unused-ignore]
    return handler


def read_graph(text: str) -> dict[str, Any]:
    """The number of operations in a readable FX graph, and the source lines they come from, each once."""
    lines = dict.fromkeys((path, int(row)) for path, row in _LINE.findall(text))
    return {"ops": len(_OPERATION.findall(text)), "lines": [list(place) for place in lines]}
