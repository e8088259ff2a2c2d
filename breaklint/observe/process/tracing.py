"""Listen to Dynamo in this process: rows it traces, breaks, recompilations. Imported once torch is."""

# mypy: disable-error-code="no-untyped-call,method-assign,attr-defined"
# (torch leaves some of its functions untyped, and does not list what others may name)

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch._dynamo.symbolic_convert import InstructionTranslatorBase

_ROWS_AT_ONCE = 500


class Tracing:
    """Tells `write` of what Dynamo does, as keyword arguments: `traced`, `broken` or `recompiled`.

    `is_own` says of which files rows are wanted; `around` is entered while Dynamo traces. Reports are taken where
    Dynamo hands them to its structured trace: a handler of that trace would have it write out every graph.
    """

    def __init__(
        self, write: Callable[..., None], is_own: Callable[[str], bool], around: Callable[[], Any] | None = None
    ) -> None:
        self._write, self._is_own = write, functools.lru_cache(maxsize=None)(is_own)
        self._around = around or nullcontext
        self._known: set[tuple[str, int]] = set()
        self._new: dict[str, list[int]] = {}
        self._only_recompiles = False
        self._reasons = ""
        self._depth = 0
        self._frame = ("", 0)  # which Dynamo took up last: by a break, it is given up with all that is traced in it

    def install(self) -> None:
        """Begin to listen, until the process ends."""
        starts_line, run = InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run
        structured = torch._logging.trace_structured
        self._undo = starts_line, run, structured
        tracing = self

        def starts_line_and_tell(self: Any, lineno: int) -> Any:
            tracing.row(self.f_code.co_filename, lineno)
            return starts_line(self, lineno)

        def run_and_tell(self: Any, *args: Any) -> Any:
            tracing.begins(self.f_code.co_filename, self.f_code.co_firstlineno)
            tracing._depth += 1
            try:
                with tracing._around():
                    return run(self, *args)
            finally:
                tracing._depth -= 1
                if not tracing._depth:
                    tracing.flush()

        def structured_and_tell(name: str, metadata_fn: Any = dict, *, payload_fn: Any = str, **options: Any) -> Any:
            told = metadata_fn() if name == "artifact" else {}
            tracing.told(told.get("name", ""), payload_fn)
            return structured(name, metadata_fn, payload_fn=payload_fn, **options)

        InstructionTranslatorBase.starts_line = starts_line_and_tell
        InstructionTranslatorBase.run = run_and_tell
        torch._logging.trace_structured = structured_and_tell

    def remove(self) -> None:
        """End it."""
        InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run, torch._logging.trace_structured = (
            self._undo
        )

    def only_recompiles(self) -> None:
        """Report nothing from now on."""
        self.flush()
        self._only_recompiles = True

    def begins(self, filename: str, row: int) -> None:
        """Dynamo begins with a frame, for which it may just have told why it compiles it again."""
        if not self._depth:
            self._frame = (filename, row)
        reasons, self._reasons = self._reasons, ""
        if reasons and self._is_own(filename):
            self._write(recompiled=reasons, filename=filename, row=row)

    def row(self, filename: str, row: int) -> None:
        """A row that Dynamo begins to trace."""
        if self._only_recompiles or (filename, row) in self._known or not isinstance(row, int):
            return
        self._known.add((filename, row))
        if self._is_own(filename):
            self._new.setdefault(filename, []).append(row)
            if len(self._known) % _ROWS_AT_ONCE == 0:
                self.flush()

    def flush(self) -> None:
        """Report the rows that were traced since the last call."""
        told, self._new = self._new, {}
        if told:
            self._write(traced=told)

    def told(self, name: str, payload: Callable[[], Any]) -> None:
        """Dynamo reports something under this name."""
        if name == "dynamo_graph_break_reason" and not self._only_recompiles:
            self.flush()
            self._write(broken=_user_part(str(payload())), frame=self._frame)
        elif name == "recompile_reasons":
            self._reasons = str(payload()) or "unknown"


def _user_part(report: str) -> str:
    """The report without Dynamo's own traceback."""
    for marker in ("\nTraceback (most recent call last)", "\nNoneType: None"):
        report = report.split(marker, 1)[0]
    return report
