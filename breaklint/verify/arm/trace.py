"""Listen to what Dynamo reports in its structured trace while a model compiles.

This is the reliable list of graph breaks: `explain()` and the counters miss breaks in frames Dynamo gives up.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

from breaklint.verify.arm.compile_artifacts import CompileArtifacts
from breaklint.verify.judge.recompile_logs import (
    BREAK,
    REASONS,
    TracedFrame,
    guards_of,
    is_artifact,
    shown,
    without_internals,
)

_LOGGER = logging.getLogger("torch.__trace")
_OURS = ("torch.", "breaklint.")


class CompileTrace(logging.Handler):
    """Context manager: `breaks` are the graph-break reports in order, `recompiles` how often a frame compiled again.

    `reasons` are the guards that failed then, with their rows. `made` tells what the compiler made; in `folder`, where
    given, all of it is kept.
    """

    def __init__(self, folder: str = "") -> None:
        super().__init__(logging.DEBUG)
        self.breaks: list[str] = []
        self.made = CompileArtifacts(folder)
        self.reasons: list[str] = []
        self._compiled: set[tuple[int, int]] = set()

    @property
    def compilations(self) -> int:
        """How many times a frame was given to the compiler."""
        return len(self._compiled)

    @property
    def recompiles(self) -> int:
        """How many compilations were not the first of their frame."""
        return sum(1 for _, nth in self._compiled if nth > 0)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what matters of a record."""
        metadata = getattr(record, "metadata", None)
        if not isinstance(metadata, dict):
            return
        self._traced.take(metadata)
        if "dynamo_start" in metadata and "frame_compile_id" in metadata:
            self._compiled.add((metadata.get("frame_id", 0), metadata["frame_compile_id"]))
        payload = str(getattr(record, "payload", ""))
        if is_artifact(metadata, BREAK):
            traced = self._traced
            self.breaks.append(without_internals(payload, traced.filename, traced.function, _followed_calls()))
        if is_artifact(metadata, REASONS):
            self.reasons += [shown(guard) for guard in guards_of(payload)[:1]]
        self.made.take(metadata, payload)

    def __enter__(self) -> CompileTrace:
        """Start listening."""
        self._level, self._traced = _LOGGER.level, TracedFrame(_known_strings())
        # pytest listens to every logger, and would show hundreds of records of a test that fails.
        self._others = [each for each in _LOGGER.handlers if not type(each).__module__.startswith(_OURS)]
        for handler in self._others:
            _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(logging.DEBUG)
        for handler in filter(None, (self, self.made.trace)):
            _LOGGER.addHandler(handler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        for handler in filter(None, (self, self.made.trace)):
            _LOGGER.removeHandler(handler)
            handler.close()
        _LOGGER.setLevel(self._level)
        for handler in self._others:
            _LOGGER.addHandler(handler)


def _known_strings() -> dict[int, str]:
    """What the trace has named by numbers in this process so far."""
    structured = sys.modules.get("torch._logging.structured")
    return {number: text for text, number in getattr(structured, "INTERN_TABLE", {}).items()}


def _followed_calls() -> Iterator[str]:
    """The calls that Dynamo is following, the outermost first, as lines of a traceback.

    The report of a break inside of a module of torch's says nothing of them in torch 2.13, but who calls Dynamo.
    """
    found: list[Any] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        tracer = frame.f_locals.get("self")
        if isinstance(getattr(tracer, "f_code", None), CodeType) and tracer not in found and hasattr(tracer, "lineno"):
            found.append(tracer)
        frame = frame.f_back
    for tracer in reversed(found):
        yield f'\n  File "{tracer.f_code.co_filename}", line {tracer.lineno}, in {tracer.f_code.co_name}'
