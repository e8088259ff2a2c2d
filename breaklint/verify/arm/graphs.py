"""The graphs that Dynamo made, read from the structured trace."""

from __future__ import annotations

import re
from typing import Any

from breaklint.dynamo.trace_events import Metadata

_LINE = re.compile(r"^\s+# File: (.+?):(\d+) in ", re.MULTILINE)
_OPERATION = re.compile(r'^\s+\w+(?:: "[^"]*")? = (?!\w+(?:;|$))', re.MULTILINE)  # anything but a mere new name
GRAPH = "dynamo_output_graph"


class Graphs:
    """Gathers the graphs from the events of a trace: `made` has `ops` and `lines` of each."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []

    def take(self, metadata: Metadata, payload: str) -> None:
        """Note the graph of an event."""
        if GRAPH in metadata:
            self.made.append(read_graph(payload))


def read_graph(text: str) -> dict[str, Any]:
    """The number of operations in a readable FX graph, and the source lines they come from, each once."""
    lines = dict.fromkeys((path, int(row)) for path, row in _LINE.findall(text))
    return {"ops": len(_OPERATION.findall(text)), "lines": [list(place) for place in lines]}
