"""The lines of files that Dynamo traces in this process. Imported after torch._dynamo."""

# mypy: disable-error-code="no-untyped-call,method-assign,attr-defined"

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

from torch._dynamo.convert_frame import ConvertFrame
from torch._dynamo.symbolic_convert import InstructionTranslatorBase
from torch._dynamo.types import ConvertFrameReturn, FrameAction, FrameExecStrategy

_REWRITTEN = "@pytest_ar"  # the name by which asserts that pytest has rewritten call its functions


class NothingNew(BaseException):
    """Dynamo traces known lines only. No Exception: Dynamo would take it for an error of the program."""


class TracedRows:
    """Notes the rows of files for which `is_own` holds; `enclosing` is entered while Dynamo traces a frame.

    Tracing a frame ends after `most_known()` lines in sequence that were traced before, unless the frame breaks.
    """

    def __init__(
        self,
        is_own: Callable[[str], bool],
        enclosing: Callable[[], AbstractContextManager[Any]],
        most_known: Callable[[], int],
    ) -> None:
        self._is_own, self._around, self._most_known = lru_cache(maxsize=None)(is_own), enclosing, most_known
        self._rows: dict[str, set[int]] = {}
        self._known: set[tuple[str, int]] = set()
        self._last = ("", 0)
        self._rewritten: set[str] = set()
        self._depth = self._in_sequence = 0
        self._traced: Any = None
        self._install()

    def take(self) -> tuple[dict[str, list[int]], list[str]]:
        """The lines by file since the previous call, and those of files whose asserts pytest has rewritten."""
        rows = {path: sorted(rows) for path, rows in self._rows.items()}
        rewritten = sorted(self._rewritten)
        self._rows, self._rewritten = {}, set()
        return rows, rewritten

    def _install(self) -> None:
        starts_line, run = InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run
        convert = ConvertFrame.__call__
        traced = self

        def starts_line_and_note(self: Any, lineno: int) -> Any:
            traced._note(self.f_code, lineno)
            return starts_line(self, lineno)

        def run_and_note(self: Any, *args: Any) -> Any:
            if traced._depth:
                return run(self, *args)
            traced._depth += 1
            # After a break, Dynamo traces the frame once more.
            traced._in_sequence = -sys.maxsize if traced._traced is self.f_code else 0
            traced._traced = self.f_code
            try:
                with traced._around():
                    return run(self, *args)
            finally:
                traced._depth -= 1

        def convert_or_stop(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return convert(self, *args, **kwargs)
            except NothingNew:  # this frame and its callees run as they are, this time
                strategy = FrameExecStrategy(FrameAction.DEFAULT, FrameAction.RUN_ONLY)
                return ConvertFrameReturn(frame_exec_strategy=strategy, apply_to_code=False)
            finally:
                traced._traced = None

        InstructionTranslatorBase.starts_line = starts_line_and_note
        InstructionTranslatorBase.run = run_and_note
        ConvertFrame.__call__ = convert_or_stop

    def _note(self, code: Any, row: int) -> None:
        if not isinstance(row, int) or not self._is_own(code.co_filename):
            return
        self._rows.setdefault(code.co_filename, set()).add(row)
        if _REWRITTEN in code.co_names:
            self._rewritten.add(code.co_filename)
        place = code.co_filename, row
        if place == self._last:  # another instruction of the line
            return
        self._in_sequence = self._in_sequence + 1 if place in self._known else min(self._in_sequence, 0)
        self._last = place
        self._known.add(place)
        if self._in_sequence > 0 and self._in_sequence > self._most_known():
            raise NothingNew
