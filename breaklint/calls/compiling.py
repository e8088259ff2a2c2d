"""Make a call under Dynamo with the backend eager, and record Dynamo's reports. Imported after Dynamo."""

# mypy: disable-error-code="no-untyped-call,no-untyped-def,attr-defined"

from __future__ import annotations

import atexit
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
import torch._dynamo
from torch._C._dynamo.eval_frame import get_eval_frame_callback
from torch._dynamo.exc import TorchDynamoException

from breaklint.calls.forms import frame_facts
from breaklint.calls.lines import Lines, Plan, digest, running
from breaklint.calls.listening import Call, Listening
from breaklint.dynamo.events import Recompile
from breaklint.dynamo.guards import guard_line, place_of
from breaklint.dynamo.listener import Listener
from breaklint.dynamo.trace_events import Metadata
from breaklint.dynamo.traced_rows import TracedRows

_MOST: Final = 1000  # entries of a function: many forms share one, and equal calls are few
_SETTINGS: Final = {
    **{"suppress_errors": True, "disable": False, "recompile_limit": _MOST, "accumulated_recompile_limit": _MOST},
    **{"fail_on_recompile_limit_hit": False, "error_on_recompile": False, "run_gc_after_compile": False},
}
_JUDGED: Final = ("", "None", "SkipFrame", "Unsupported", "UserError", "FailOnRecompileLimitHit")
"""The errors by which Dynamo tells that it does not compile a frame. Others say nothing of the user's code."""
torch._dynamo.guards.profile_guard_manager = lambda *_: 0.0  # a timing that first empties the processor's caches
_LOGGERS: Final = [logging.getLogger(f"torch{name}") for name in ("", "._dynamo", "._subclasses", ".fx")]


class Compiling:
    """Compiles calls of this process, and writes a line for each frame that Dynamo has taken up.

    If compiled calls are costly, only frames with lines that no trace has met are traced.
    """

    def __init__(self, plan: Plan, lines: Lines, listening: Listening, is_costly: Callable[[], bool]) -> None:
        self._plan, self._lines = plan, lines
        self._local = threading.local()
        self._backends: dict[str, Callable[..., Any]] = {}
        self._texts: dict[str, str] = {}
        self._reports = self._recompiles = 0
        self._is_costly = is_costly
        self._rows = TracedRows(plan.is_own, listening.pause, self._only_new, frame_facts)
        self._heard = Listener([self._take])
        self._heard.__enter__()
        atexit.register(self._flush)

    def _only_new(self) -> bool:
        """Whether only frames with new lines are traced: in a compiled call, from the time at which it is costly."""
        local = self._local
        if getattr(local, "form", "") and not local.is_costly:
            local.is_costly = self._is_costly()
        return bool(getattr(local, "form", "")) and local.is_costly

    def is_compiled_by_program(self) -> bool:
        """Whether the program itself runs this thread under Dynamo."""
        return get_eval_frame_callback() not in (None, False)

    def call(self, form: str, is_equal: bool, call: Call, module: torch.nn.Module, args: Any, kwargs: Any) -> Any:
        """The result of the call, compiled; uncompiled if Dynamo itself raises."""
        self._local.form, self._local.is_equal, self._local.is_costly = form, is_equal, self._is_costly()
        try:
            with _quiet_settings(dynamic=not self._local.is_costly):
                return self._compile(form, call)(module, *args, **kwargs)
        except TorchDynamoException as error:
            self._write(failed=f"{type(error).__name__}: {_first_line(error)}")
            return call(module, *args, **kwargs)
        finally:
            self._flush()
            self._local.form = ""

    def _compile(self, form: str, call: Call) -> Callable[..., Any]:
        """The call under a backend of this form: entries of another backend are none of Dynamo's cache for it."""
        if form not in self._backends:

            def eager(graph: Any, _: Any) -> Any:
                return graph.forward

            self._backends[form] = torch._dynamo.optimize(eager)(call)
        return self._backends[form]

    def _take(self, event: Metadata, _: str) -> None:
        """Write the results of a frame after Dynamo has finished it."""
        if "compilation_metrics" not in event:
            return
        figures = event["compilation_metrics"]
        error = str(figures.get("fail_type") or "").rpartition(".")[2].strip("'>")
        failure = f"{error}: {figures.get('fail_reason')}" if error not in _JUDGED else ""
        self._flush(" ".join(failure.split())[:300])

    def _flush(self, failure: str = "") -> None:
        reports, again = self._heard.reports[self._reports :], self._heard.recompilations[self._recompiles :]
        self._reports += len(reports)
        self._recompiles += len(again)
        rows, rewritten = self._rows.take()
        if rows or reports or again:
            recompiles = [_as_data(item) for item in again if self._counts(item)]
            texts, broken = {path: self._text(path) for path in rows}, [*map(_below_call, reports)]
            self._write(
                failed=failure, traced=rows, texts=texts, rewritten=rewritten, broken=broken, recompiled=recompiles
            )

    def _counts(self, again: Recompile) -> bool:
        """Whether a recompilation is the program's own, or by a call that equals the one before."""
        form = getattr(self._local, "form", "")
        return bool(again.guards) and "BACKEND_MATCH" not in again.guards[0].text and (not form or self._local.is_equal)

    def _write(self, **fields: Any) -> None:
        form = getattr(self._local, "form", "")
        try:
            self._lines.write(torch=torch.__version__, by=running(self._plan.root), form=form, **fields)
        except OSError:  # the command has ended
            return

    def _text(self, path: str) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = digest(Path(path).read_bytes())
            except OSError:
                self._texts[path] = ""
        return self._texts[path]


@contextmanager
def _quiet_settings(dynamic: bool) -> Iterator[None]:
    """Dynamo's settings for a compiled call; its logs are not output of the program.

    Garbage is collected afterwards: it would take a tenth of the time that Dynamo needs. So do symbolic sizes, without
    which a size that changes compiles again.
    """
    config: Any = torch._dynamo.config
    collects = gc.isenabled()
    gc.disable()
    levels = [logger.level for logger in _LOGGERS]
    for logger in _LOGGERS:
        logger.setLevel(logging.CRITICAL)
    try:
        settings = {**_SETTINGS, "automatic_dynamic_shapes": config.automatic_dynamic_shapes and dynamic}
        with config.patch(**{name: value for name, value in settings.items() if hasattr(config, name)}):
            yield
    finally:
        for logger, level in zip(_LOGGERS, levels, strict=True):
            logger.setLevel(level)
        if collects:
            gc.enable()


def _below_call(report: str) -> str:
    """The report of a break without the frames that made the call: they are not callers of the break."""
    heading, frames = "User code traceback:", f'File "{__file__}", line '
    before, _, stack = report.partition(heading)
    _, own, inside = stack.rpartition(frames)
    return f"{before}{heading}\n{inside.partition(chr(10))[2]}" if own else report


def _as_data(again: Recompile) -> list[Any]:
    guard = again.guards[0]
    return [*place_of(again, guard), again.filename, again.row, guard_line(guard), again.limit_reached]


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0]
