"""The lines of files that Dynamo traces in this process. Imported after torch._dynamo."""

# mypy: disable-error-code="assignment,no-untyped-call,method-assign,attr-defined"

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from types import CodeType
from typing import Any

from torch._dynamo import trace_rules
from torch._dynamo.convert_frame import CatchErrorsWrapper
from torch._dynamo.symbolic_convert import InstructionTranslator, InstructionTranslatorBase
from torch._dynamo.types import ConvertFrameReturn, FrameAction, FrameExecStrategy

from breaklint.dynamo.rows_ahead import RowsAhead

_REWRITTEN = "@pytest_ar"  # the name by which asserts that pytest has rewritten call its functions
_AS_IT_IS, _WITH_CALLEES = (
    ConvertFrameReturn(frame_exec_strategy=FrameExecStrategy(FrameAction.DEFAULT, callees), apply_to_code=False)
    for callees in (FrameAction.DEFAULT, FrameAction.SKIP)
)
MOST_KNOWN = 100
"""So many lines in sequence without a new line of the project end the trace of a frame."""


class NothingNew(BaseException):
    """Dynamo traces known lines only. No Exception: Dynamo would take it for an error of the program."""


class TraceEnd(BaseException):
    """Dynamo has traced a whole frame."""


class TracedRows:
    """Notes the rows of files for which `is_own` holds; `enclosing` is entered while Dynamo traces a frame.

    While `only_new()` holds, a frame is traced only if a row of it is new, and some fact about its arguments
    (`facts_of`) is new for the function. The trace ends if no new row lies ahead in the functions that are traced, or
    after `MOST_KNOWN` rows: the frame runs as it is, and Dynamo takes up the frames that it calls. A frame that does
    not break runs as it is after its trace, and so do those that it calls.
    """

    def __init__(
        self,
        is_own: Callable[[str], bool],
        enclosing: Callable[[], AbstractContextManager[Any]],
        only_new: Callable[[], bool],
        facts_of: Callable[[CodeType, Mapping[str, object]], Iterable[str]],
    ) -> None:
        self._is_own, self._around, self._only_new = lru_cache(maxsize=None)(is_own), enclosing, only_new
        self._facts_of = facts_of
        self._facts: dict[tuple[str, int, str], set[str]] = {}  # Dynamo makes the code of a resumed function anew
        self._ahead = RowsAhead()
        self._old: dict[int, CodeType] = {}  # by id, with the code, so that no other gets its id
        self._rows: dict[str, set[int]] = {}
        self._rewritten: set[str] = set()
        self._depth = self._runs = self._in_sequence = 0
        self._has_arrays = False
        self._install()

    def take(self) -> tuple[dict[str, list[int]], list[str]]:
        """The lines by file since the previous call, and those of files whose asserts pytest has rewritten."""
        rows = {path: sorted(rows) for path, rows in self._rows.items()}
        rewritten = sorted(self._rewritten)
        self._rows, self._rewritten = {}, set()
        return rows, rewritten

    def _install(self) -> None:
        starts_line, run = InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run
        convert, finish = CatchErrorsWrapper.__call__, InstructionTranslator._return
        recorder = self

        def starts_line_and_note(self: Any, lineno: int) -> Any:
            if self.lineno != lineno:
                recorder._note(self, lineno)
            return starts_line(self, lineno)

        def run_and_note(self: Any, *args: Any) -> Any:
            if recorder._depth:
                return run(self, *args)
            recorder._depth, recorder._runs, recorder._in_sequence = 1, recorder._runs + 1, 0
            try:
                with recorder._around():
                    return run(self, *args)
            finally:
                recorder._depth = 0

        def finish_if_needed(self: Any, *args: Any) -> Any:
            if recorder._only_new() and not recorder._has_arrays:
                raise TraceEnd
            return finish(self, *args)

        def convert_if_new(self: Any, frame: Any, *args: Any) -> Any:
            recorder._runs, recorder._has_arrays = 0, _has_arrays(frame)
            if not recorder._has_news(frame) and recorder._only_new() and not recorder._has_arrays:
                return _AS_IT_IS
            try:
                return convert(self, frame, *args)
            except NothingNew:
                return _AS_IT_IS
            except TraceEnd:
                return _WITH_CALLEES

        InstructionTranslatorBase.starts_line = starts_line_and_note
        InstructionTranslatorBase.run = run_and_note
        InstructionTranslator._return = finish_if_needed
        CatchErrorsWrapper.__call__ = convert_if_new

    def _note(self, translator: Any, row: int) -> None:
        code: CodeType = translator.f_code
        new = _new_rows(translator)
        self._in_sequence += 1
        if self._is_own(code.co_filename):
            self._rows.setdefault(code.co_filename, set()).add(row)
            if _REWRITTEN in code.co_names:
                self._rewritten.add(code.co_filename)
            if self._ahead.add(code.co_filename, row):
                new.add(row)
                self._in_sequence = 0
        if self._has_arrays or not self._only_new():
            return
        # After a break, Dynamo traces the frame once more.
        is_long = self._in_sequence > MOST_KNOWN and self._runs == 1
        if is_long or not self._has_more(translator, row):
            raise NothingNew

    def _has_more(self, translator: Any, row: int) -> bool:
        """Whether a new row is traced, or lies ahead, in this function or in those that call it."""
        while translator is not None:
            if row in _new_rows(translator) or self._is_ahead(translator.f_code, translator.instruction_pointer or 0):
                return True
            translator = getattr(translator, "parent", None)
            row = getattr(translator, "lineno", 0)
        return False

    def _is_ahead(self, code: CodeType, place: int) -> bool:
        return self._is_own(code.co_filename) and self._ahead.any(code, place)

    def _has_news(self, frame: Any) -> bool:
        """Whether a trace of this frame may reach new lines of the project; stores the facts about its arguments."""
        code: CodeType = frame.f_code
        if id(code) in self._old:
            return False
        if not self._is_ahead(code, 0):
            self._old[id(code)] = code
            return trace_rules.check(code)  # code of torch: Dynamo skips it from now on, without a call
        facts = self._facts.setdefault((code.co_filename, code.co_firstlineno, code.co_name), set())
        before = len(facts)
        facts.update(self._facts_of(code, frame.f_locals))
        return len(facts) > before


def _new_rows(translator: Any) -> set[int]:
    """The rows that were new when this call began to trace them."""
    rows: set[int] = translator.__dict__.setdefault("breaklint_new_rows", set())
    return rows


def _has_arrays(frame: Any) -> bool:
    """Whether a frame has an array of NumPy: after a break, it replaces a number of the uncompiled frame."""
    return any(type(value).__module__ == "numpy" for value in frame.f_locals.values())
