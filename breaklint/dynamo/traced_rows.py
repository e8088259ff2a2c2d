"""The lines of files that Dynamo traces in this process. Imported after torch._dynamo."""

# mypy: disable-error-code="no-untyped-call,method-assign"

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

from torch._dynamo.symbolic_convert import InstructionTranslatorBase

_REWRITTEN = "@pytest_ar"  # the name by which asserts that pytest has rewritten call its functions


class TracedRows:
    """Notes the rows of files for which `is_own` holds; `around` is entered while Dynamo traces a frame."""

    def __init__(self, is_own: Callable[[str], bool], enclosing: Callable[[], AbstractContextManager[Any]]) -> None:
        self._is_own, self._around = lru_cache(maxsize=None)(is_own), enclosing
        self._rows: dict[str, set[int]] = {}
        self._rewritten: set[str] = set()
        self._depth = 0
        self._install()

    def take(self) -> tuple[dict[str, list[int]], list[str]]:
        """The lines by file since the previous call, and those of files whose asserts pytest has rewritten."""
        rows = {path: sorted(rows) for path, rows in self._rows.items()}
        rewritten = sorted(self._rewritten)
        self._rows, self._rewritten = {}, set()
        return rows, rewritten

    def _install(self) -> None:
        starts_line, run = InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run
        traced = self

        def starts_line_and_note(self: Any, lineno: int) -> Any:
            traced._note(self.f_code, lineno)
            return starts_line(self, lineno)

        def run_and_note(self: Any, *args: Any) -> Any:
            if traced._depth:
                return run(self, *args)
            traced._depth += 1
            try:
                with traced._around():
                    return run(self, *args)
            finally:
                traced._depth -= 1

        InstructionTranslatorBase.starts_line = starts_line_and_note
        InstructionTranslatorBase.run = run_and_note

    def _note(self, code: Any, row: int) -> None:
        if isinstance(row, int) and self._is_own(code.co_filename):
            self._rows.setdefault(code.co_filename, set()).add(row)
            if _REWRITTEN in code.co_names:
                self._rewritten.add(code.co_filename)
