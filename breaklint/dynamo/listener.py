"""Listen to the structured trace of Dynamo while a program runs.

This is the reliable list of graph breaks: `explain()` and the counters miss breaks in frames that Dynamo gives up.

    with Listener() as heard:
        compiled(x)
    heard.breaks(), heard.recompilations
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType, TracebackType
from typing import Any

from breaklint.dynamo.breaks import OwnPaths, read_reports
from breaklint.dynamo.events import Break, Recompile
from breaklint.dynamo.guards import guard_line
from breaklint.dynamo.trace_events import Metadata, TraceReader

_LOGGER = logging.getLogger("torch.__trace")
_OURS = ("torch.", "breaklint.")
Sink = Callable[[Metadata, str], object]


class Listener(logging.Handler):
    """Context manager that hears every compilation inside it.

    `reports` are Dynamo's texts of graph breaks, in order. `sinks` get every event of the trace with its payload.
    """

    def __init__(self, sinks: Sequence[Sink] = ()) -> None:
        super().__init__(logging.DEBUG)
        self._sinks = sinks
        self._heard = TraceReader()

    @property
    def reports(self) -> list[str]:
        """Dynamo's report of every graph break, without its own traceback."""
        return self._heard.reports

    def breaks(self, own_paths: OwnPaths = ()) -> tuple[Break, ...]:
        """The lines on which the graph broke, in the order they were met."""
        return read_reports(self.reports, own_paths)

    @property
    def recompilations(self) -> list[Recompile]:
        """Recompilations, and calls after the limit of a function, with the failing guards."""
        return self._heard.recompilations

    @property
    def reasons(self) -> list[str]:
        """The newest guard of each recompilation that failed, in a line, each once."""
        newest = (recompilation.guards[0] for recompilation in self.recompilations if recompilation.guards)
        return list(dict.fromkeys(map(guard_line, newest)))

    @property
    def compilations(self) -> int:
        """How many times a frame was given to the compiler."""
        return len(self._heard.compiled)

    @property
    def recompiles(self) -> int:
        """How many compilations were not the first of their frame."""
        return sum(1 for _, nth in self._heard.compiled if nth > 0)

    def emit(self, record: logging.LogRecord) -> None:
        """Read an event of the trace."""
        self._remove_others()  # pytest adds one for each test
        event = getattr(record, "metadata", None)
        if isinstance(event, dict):
            payload = str(getattr(record, "payload", ""))
            self._heard.take(event, payload, _followed_calls)
            for sink in self._sinks:
                sink(event, payload)

    def __enter__(self) -> Listener:
        """Start listening."""
        self._level, self._heard = _LOGGER.level, TraceReader(_known_strings())
        self._others: list[logging.Handler] = []
        self._remove_others()
        _LOGGER.setLevel(logging.DEBUG)
        _LOGGER.addHandler(self)
        return self

    def _remove_others(self) -> None:
        """Without this, pytest, which listens to every logger, shows hundreds of records of a test that fails."""
        for other in [item for item in _LOGGER.handlers if not type(item).__module__.startswith(_OURS)]:
            _LOGGER.removeHandler(other)
            self._others.append(other)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        _LOGGER.removeHandler(self)
        self.close()
        _LOGGER.setLevel(self._level)
        for other in self._others:
            _LOGGER.addHandler(other)


def _known_strings() -> dict[int, str]:
    """The texts that the trace has named by numbers in this process so far."""
    structured = sys.modules.get("torch._logging.structured")
    return {number: text for text, number in getattr(structured, "INTERN_TABLE", {}).items()}


def _followed_calls() -> Iterator[str]:
    """The calls that Dynamo is following, the outermost first, as lines of a traceback.

    In torch 2.13 the report of a break in a module of torch names the caller of Dynamo instead of these frames.
    """
    results: list[Any] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        tracer = frame.f_locals.get("self")
        if (
            isinstance(getattr(tracer, "f_code", None), CodeType)
            and tracer not in results
            and hasattr(tracer, "lineno")
        ):
            results.append(tracer)
        frame = frame.f_back
    for tracer in reversed(results):
        yield f'\n  File "{tracer.f_code.co_filename}", line {tracer.lineno}, in {tracer.f_code.co_name}'
