"""Calls of functions that break, and constructors of modules that do."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import BreakingCall, LibraryBreak, OwnFrame
from breaklint.rules.base import Check, Hit
from breaklint.rules.comprehension_frames import COMPREHENSIONS


class CallThatBreaks(Check):
    """A call whose callee has a finding of its own; shown with `--show-callers`."""

    def visit_breaking_call(self, call: BreakingCall) -> Iterator[Hit]:
        if not call.lost:
            yield Hit(call.node, f"`{call.callee}` breaks the graph, and with it the graph of this function")


class LibraryCallThatBreaks(Check):
    """A call into an installed package that has a finding; the finding's own place is not the user's to fix."""

    def visit_library_break(self, call: LibraryBreak) -> Iterator[Hit]:
        yield Hit(call.node, f"this call breaks in {call.place} ({call.code})")


class ModuleOutsideGraph(Check):
    """The first use of a module in a constructor that runs outside the graph."""

    def visit_own_frame(self, start: OwnFrame) -> Iterator[Hit]:
        if not isinstance(start.node, COMPREHENSIONS):
            message = "`{source}` breaks: a constructor that breaks, and those it calls, run outside the graph"
            yield Hit(start.node, message)
