"""Listens to the calls of modules while the user's own tests or script run. Lives in their processes.

Whatever goes wrong here must not disturb them: it is noted and reported at the end.
"""

# mypy: disable-error-code="no-untyped-call,method-assign"

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from breaklint.observe import raw
from breaklint.observe.process.forms import attributes, call_form, parts, structure
from breaklint.observe.process.signals import deferred
from breaklint.observe.raw import SYSTEM

_DEEPER = 1000  # calls that an import may need
FORMS = 32
"""How many forms of calls of one class are replayed at most in a process."""


_RECORDERS: list[Recorder] = []


def install() -> None:
    """Listen to every call of a module from now on; to what Dynamo does `with_dynamo`, once it has been imported."""
    if not _RECORDERS:
        _RECORDERS.append(Recorder(raw.Plan.from_environment()))
        _RECORDERS[0].install()


def with_dynamo() -> None:
    """Dynamo is there."""
    try:
        _RECORDERS[0].listen_to_dynamo()
    except Exception as error:  # noqa: BLE001 - as in `consider`
        _RECORDERS[0].note(torch.nn.Module, f"{type(error).__name__}: {error}")


class Recorder:
    """Decides which calls are replayed, and starts the replays."""

    def __init__(self, plan: raw.Plan) -> None:
        self._plan = plan
        self._local = threading.local()
        self._lines = raw.Lines(plan.out, "calls")
        self._call = torch.nn.Module.__call__
        self._is_own: dict[type, bool] = {}
        self._told: set[tuple[str, str]] = set()
        self._forms: dict[type, set[str]] = {}
        self._tracing = 0
        self._is_ready = False

    def install(self) -> None:
        """Take the place of `Module.__call__`; once Dynamo is there, it shall run that as it is."""
        recorder, call, local = self, self._call, self._local

        def call_and_listen(self: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            if getattr(local, "depth", 0):
                return call(self, *args, **kwargs)
            local.depth = 1
            try:
                recorder.consider(self, args, kwargs)
                return call(self, *args, **kwargs)
            finally:
                local.depth = 0

        self._listening = torch.nn.Module.__call__ = call_and_listen

    def listen_to_dynamo(self) -> None:
        """Report what Dynamo does in this process, and keep it from this module's own code."""
        from torch._dynamo.eval_frame import skip_code

        from breaklint.observe.process import replay  # with Dynamo's functions as they are now
        from breaklint.observe.process.tracing import Tracing

        self._replaying = replay

        skip_code(self._listening.__code__)
        self._compiling = Tracing(self._write_compiled, self._plan.is_own, self._unheard)
        self._compiling.install()

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """While Dynamo traces, it shall see the torch that it knows."""
        self._tracing += 1
        torch.nn.Module.__call__ = self._call
        try:
            yield
        finally:
            self._tracing -= 1
            if not self._tracing and torch.nn.Module.__call__ is self._call:
                torch.nn.Module.__call__ = self._listening

    def _write_compiled(self, **told: Any) -> None:
        try:
            self._lines.write(compiled=True, by=running(self._plan.root), torch=torch.__version__, **told)
        except OSError:  # the command has ended
            return

    def consider(self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Replay the call where its form is new."""
        with deferred():
            try:
                if not torch.jit._trace.is_tracing() and not _runs_compiled(module) and self._is_wanted(module):
                    self._consider(module, args, kwargs)
            except Exception as error:  # noqa: BLE001 - the user's process must go on, whatever its modules hold
                self.note(type(module), f"{type(error).__name__}: {error}")

    def _is_wanted(self, module: torch.nn.Module) -> bool:
        """Is there any of the project's code in the module?"""
        return any(self._is_own_class(type(part)) for _, part in parts(module))

    def _is_own_class(self, kind: type) -> bool:
        if kind not in self._is_own:
            self._is_own[kind] = any(self._plan.is_own(_file_of(base)) for base in kind.__mro__)
        return self._is_own[kind]

    def _consider(self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        kind = type(module)
        inputs = call_form(module, args, kwargs)
        form = raw.digest("\n".join([_name_of(kind), inputs, structure(module)]))
        by = running(self._plan.root)
        if (form, by) in self._told:
            return
        self._told.add((form, by))
        self._lines.write(form=form, by=by)
        forms = self._forms.setdefault(kind, set())
        if form in forms:
            return
        self._load()
        forms.add(form)
        if not raw.first_to_claim(self._plan.out, form):
            return
        told = {
            **{"form": form, "inputs": inputs, "class": kind.__qualname__, "file": _file_of(kind)},
            **{"torch": torch.__version__, "name": _name_of(kind), "budget": self._plan.budget},
        }
        self._replay(told, len(forms), module, args, kwargs)

    def _load(self) -> None:
        """Have Dynamo here, with what it imports, and not in every copy; where that fails, a later call tries again."""
        if self._is_ready:
            return
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + _DEEPER)
        try:
            with torch._C.DisableTorchFunction():  # a mode of the user's may count what is called
                from torch._dynamo.backends.registry import lookup_backend

                lookup_backend("eager")
        finally:
            sys.setrecursionlimit(limit)
        self._is_ready = True

    def _replay(self, told: dict[str, Any], number: int, module: torch.nn.Module, args: Any, kwargs: Any) -> None:
        left = self._plan.budget - raw.time_taken(self._plan.out, told["name"], self._plan.budget)
        why = self._replaying.why_not()
        if not why and number > FORMS:
            why = f"the class was called in more than {FORMS} forms"
        if not why and left <= 0:
            why = raw.over_budget(self._plan.budget)
        if why:
            self._lines.write(**told, end="skipped", why=why)
            return

        def given() -> tuple[Any, Any, Any]:
            self._compiling.remove()
            torch.nn.Module.__call__ = self._call
            return module, args, kwargs

        self._replaying.replay(self._plan, told, given)

    def note(self, kind: type, why: str) -> None:
        """Tell why something could not be observed."""
        try:
            self._lines.write(**{"class": kind.__qualname__, "file": _file_of(kind)}, end="skipped", why=why[:300])
        except OSError:
            return


def _runs_compiled(module: torch.nn.Module) -> bool:
    """Has the user's code compiled this, or what calls it? Then it is read what Dynamo does with it."""
    if "torch._dynamo.eval_frame" not in sys.modules:
        return False
    from torch._C._dynamo.eval_frame import get_eval_frame_callback

    compiled = type(module).__name__ == "OptimizedModule" or attributes(module).get("_compiled_call_impl") is not None
    return compiled or get_eval_frame_callback() not in (None, False)


def running(root: str) -> str:
    """The test that is running, or the script or module that was started, relative to the root."""
    test = os.environ.get(raw.TEST, "")
    if test:
        return test.rpartition(" (")[0] or test
    main = sys.modules.get("__main__")
    module: str = getattr(getattr(main, "__spec__", None), "name", "")
    if module:
        return f"python -m {module.removesuffix('.__main__')}"
    script = sys.argv[0] if sys.argv else ""
    if not script or script == "-c":
        return "python -c" if script else "python"
    path = SYSTEM.realpath(script)
    return (
        os.path.relpath(path, root).replace(os.sep, "/") if path.startswith(root + os.sep) else os.path.basename(path)
    )


def _name_of(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _file_of(kind: type) -> str:
    """Where a class is written: as its module says, else as the code of its methods does."""
    codes = (getattr(each, "__code__", None) for each in (*vars(kind).values(),))
    files = [getattr(sys.modules.get(kind.__module__), "__file__", None), *(each.co_filename for each in codes if each)]
    file = next((each for each in files if isinstance(each, str)), "")
    return SYSTEM.realpath(file) if file.endswith(".py") else ""
