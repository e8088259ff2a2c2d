"""One check class on one source: the interpreter's events go to its visitors, without cards, settings and engine."""

from __future__ import annotations

from harness import INSTALLED_TORCH

from breaklint.interp.entries import regions
from breaklint.interp.events import Call, Event
from breaklint.interp.frame import EventFilter
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.regions import run_deep, trace
from breaklint.project.project import Project
from breaklint.rules.base import Check
from breaklint.source.decoding import read_source
from breaklint.torchops.facts import for_target


def visited_rows(check: Check, text: str, torch: str = INSTALLED_TORCH) -> list[int]:
    """The rows at which the check reports something in the regions of a source."""
    visitors = dict(check.visitors())
    rows: set[int] = set()

    def sink(event: Event) -> None:
        if type(event) not in visitors or (
            isinstance(event, Call) and not check.applies_to(event.target, event.method)
        ):
            return
        rows.update(hit.node.lineno for hit in visitors[type(event)](event))

    project = Project([], lambda path: read_source(path).text)
    module = project.add("model.py", text)
    interp = Interpreter(project, for_target(torch), sink, EventFilter())
    run_deep(lambda: [trace(interp, region) for region in regions(interp, module)])
    interp.forget()
    return sorted(rows)
