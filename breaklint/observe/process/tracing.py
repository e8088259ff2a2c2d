"""Listen to Dynamo in this process: rows it traces, breaks, recompilations. Imported once torch is."""

# mypy: disable-error-code="no-untyped-call,method-assign,attr-defined"
# (torch leaves some of its functions untyped, and does not list what others may name)

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from types import CodeType
from typing import Any

import torch
from torch._dynamo import convert_frame
from torch._dynamo.exc import SkipFrame, Unsupported, UserError
from torch._dynamo.symbolic_convert import InstructionTranslatorBase

from breaklint.observe.process.own_code import OwnCode, original

_JUDGED = (SkipFrame, Unsupported, UserError)
"""By what Dynamo tells that it does not compile a frame. Whatever else it raises says nothing of the user's code."""

Place = tuple[str, int]


class Tracing:
    """Tells `write` of what Dynamo does, as keyword arguments: `traced`, `failed`, `broken` or `recompiled`.

    Beside rows it tells the digests of the `texts` that they are of, and on which rows code of `others` ran.
    `is_own` says of which files rows are wanted; `around` is entered while Dynamo traces. Reports are taken where
    Dynamo hands them to its structured trace: a handler of that trace would have it write out every graph. Rows are
    told when a frame is done: where Dynamo itself fails, or its process is ended, they have not been judged.
    """

    def __init__(
        self, write: Callable[..., None], is_own: Callable[[str], bool], around: Callable[[], Any] | None = None
    ) -> None:
        self._write, self._is_own = write, functools.lru_cache(maxsize=None)(is_own)
        self._around = around or nullcontext
        self._own_code = OwnCode()
        self._known: set[Place] = set()
        self._rows: dict[Place, CodeType] = {}  # of the frame that Dynamo took up last, each with what ran there
        self._others: set[tuple[str, str]] = set()
        self._only_recompiles = False
        self._reasons = ""
        self._depth = self._compiling = 0
        self._frame: CodeType | None = None  # by a break, it is given up with all that is traced in it

    def install(self) -> None:
        """Begin to listen, until the process ends."""
        starts_line, run = InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run
        structured, compile_frame = torch._logging.trace_structured, convert_frame._compile
        self._undo = starts_line, run, structured, compile_frame
        tracing = self

        def starts_line_and_tell(self: Any, lineno: int) -> Any:
            tracing.row(self.f_code, lineno)
            return starts_line(self, lineno)

        def run_and_tell(self: Any, *args: Any) -> Any:
            if not tracing._depth:
                tracing.begins(self.f_code)
            tracing._depth += 1
            try:
                with tracing._around():
                    return run(self, *args)
            finally:
                tracing._depth -= 1

        def compile_and_tell(*args: Any, **kwargs: Any) -> Any:
            if not tracing._compiling:
                tracing._rows = {}
            tracing._compiling += 1
            is_judged = False
            try:
                compiled = compile_frame(*args, **kwargs)
                is_judged = True
                return compiled
            except _JUDGED:
                is_judged = True
                raise
            finally:
                tracing._compiling -= 1
                if not tracing._compiling:
                    tracing.ends(is_judged)

        def structured_and_tell(name: str, metadata_fn: Any = dict, *, payload_fn: Any = str, **options: Any) -> Any:
            told = metadata_fn() if name == "artifact" else {}
            tracing.told(told.get("name", ""), payload_fn)
            return structured(name, metadata_fn, payload_fn=payload_fn, **options)

        InstructionTranslatorBase.starts_line = starts_line_and_tell
        InstructionTranslatorBase.run = run_and_tell
        torch._logging.trace_structured = structured_and_tell
        convert_frame._compile = compile_and_tell

    def remove(self) -> None:
        """End it."""
        starts_line, run, torch._logging.trace_structured, convert_frame._compile = self._undo
        InstructionTranslatorBase.starts_line, InstructionTranslatorBase.run = starts_line, run

    def only_recompiles(self) -> None:
        """Report nothing from now on."""
        self._only_recompiles = True

    def begins(self, code: CodeType) -> None:
        """Dynamo begins with a frame, for which it may just have told why it compiles it again."""
        self._frame = code
        reasons, self._reasons = self._reasons, ""
        if reasons and (frame := self._place_of(code)):
            self._write(recompiled=reasons, filename=frame[0], row=frame[1])

    def row(self, code: CodeType, row: int) -> None:
        """A row that Dynamo begins to trace."""
        if not self._only_recompiles and isinstance(row, int) and self._is_own(code.co_filename):
            self._rows[code.co_filename, row] = code

    def ends(self, is_judged: bool) -> None:
        """Dynamo is done with a frame, or has failed at it."""
        if self._only_recompiles:
            return
        if not is_judged:
            self._tell("failed", self._rows)
            self._rows = {}
            return
        new = [place for place in self._rows if place not in self._known]
        self._known.update(new)
        self._tell("traced", new)

    def told(self, name: str, payload: Callable[[], Any]) -> None:
        """Dynamo reports something under this name."""
        if name == "dynamo_graph_break_reason" and not self._only_recompiles:
            frame = self._place_of(self._frame) if self._frame is not None else None
            self._tell("reached", self._rows, broken=_user_part(str(payload())), frame=frame)
        elif name == "recompile_reasons":
            self._reasons = str(payload()) or "unknown"

    def _place_of(self, code: CodeType) -> Place | None:
        if self._is_own(code.co_filename) and self._own_code.text(code)[0] is not None:
            return code.co_filename, code.co_firstlineno
        return None

    def _tell(self, kind: str, places: Iterable[Place], **told: Any) -> None:
        """Write rows by file, where the code there is the file's own."""
        rows: dict[str, list[int]] = {}
        texts: dict[str, str] = {}
        others: dict[str, list[int]] = {}
        for filename, row in places:
            code = self._rows[filename, row]
            text, rewritten = self._own_code.text(code)
            if text is None or row in rewritten:
                others.setdefault(filename, []).append(row)
            else:
                rows.setdefault(text.path, []).append(row)
                texts[text.path] = text.digest
            if text is None:
                self._note(code)
        if rows or told:
            self._write(**{kind: rows, "texts": texts, "others": others}, **told)

    def _note(self, code: CodeType) -> None:
        code = original(code)
        other = (code.co_filename, getattr(code, "co_qualname", code.co_name))
        if other not in self._others:
            self._others.add(other)
            self._write(other=other)


def _user_part(report: str) -> str:
    """The report without Dynamo's own traceback."""
    for marker in ("\nTraceback (most recent call last)", "\nNoneType: None"):
        report = report.split(marker, 1)[0]
    return report
