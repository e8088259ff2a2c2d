"""Guards for the work on one file: a time limit, and an error with the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from breaklint.errors import BreaklintError, RuleBug, SourceError
from breaklint.lint.time_limit import VARIABLE, TimeLimitExceeded, time_limit


@contextmanager
def guard_file(path: str, seconds: float, interrupted: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let the body work at the file at `path` for so many seconds of processor time.

    SourceError when it takes longer or cannot be done, RuleBug when breaklint itself fails at it. `interrupted` is
    called if the body did not run to its end.
    """
    try:
        with time_limit(seconds):
            yield
        return
    except BreaklintError:
        raise
    except TimeLimitExceeded:
        reason = f"took more than {seconds:g} s of processor time: exclude it, or set {VARIABLE} higher"
        problem: BreaklintError = SourceError(path, reason)
    except RecursionError:
        problem = SourceError(path, "is nested too deeply to be checked: exclude it")
    except MemoryError:
        problem = SourceError(path, "needs more memory than there is: exclude it")
    except Exception as error:  # noqa: BLE001 - a bug at one file, reported; the other files go on
        problem = RuleBug(f"{path}: bug in breaklint: {type(error).__name__}: {error}{_where(error)}")
    interrupted()
    raise problem from None


def _where(error: BaseException) -> str:
    """The place in breaklint at which an exception was raised, for the report."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}); please report it"
