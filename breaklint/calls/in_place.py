"""Compile the outermost calls of modules while the user's program runs. Lives in the program's processes.

Whatever goes wrong here must not disturb the program: it is noted, and the call is made as it is.
"""

from __future__ import annotations

import gc
import time
import weakref
from dataclasses import dataclass
from typing import Any, Final

import torch
import torch._dynamo

from breaklint.calls.compiling import Compiling
from breaklint.calls.forms import attributes, call_form, exact, parts, structure
from breaklint.calls.lines import Lines, Plan, digest, is_first, running
from breaklint.calls.listening import Call, Listening, file_of

FREE, SHARE = 4.0, 0.5
"""Once compiled calls took `FREE` seconds of processor time and `SHARE` times the rest of the program, each input
signature is compiled once, and only frames with new lines are traced."""
MOST: Final = 2
"""At `MOST` times these limits, no other signature of a class is compiled."""
EQUAL_CALLS: Final = 3
"""Calls of one input signature: the second call shows recompilations, the third one shows that they repeat."""

_STARTED: list[InPlace] = []


def install() -> None:
    """Compile the outermost calls from now on, and observe calls that the program compiles itself.

    What torch and Dynamo have created is never garbage: searching it would take a quarter of the program's time.
    """
    if not _STARTED:
        gc.freeze()
        _STARTED.append(InPlace(Plan.from_environment()))


@dataclass
class _Form:
    """A form of calls: how often it was compiled, and the last call of it."""

    name: str
    calls: int = 0
    module: weakref.ref[torch.nn.Module] | None = None
    exact: tuple[object, ...] = ()


class InPlace:
    """Selects the calls to compile: a new input signature, and the next equal calls."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._lines = plan, Lines(plan.out)
        self._forms: dict[str, _Form | None] = {}
        self._classes = set[type]()
        self._compiled_seconds = 0.0
        self._start: float | None = None  # of the compiled call that runs
        self._is_own: dict[type, bool] = {}
        self._seen: set[tuple[str, str]] = set()
        self._listening = Listening(self.call)
        for function in (self._listening.wrapper, InPlace.call):
            torch._dynamo.eval_frame.skip_code(function.__code__)
        self._compiling = Compiling(plan, self._lines, self._listening, self._is_costly)

    def call(self, call: Call, module: torch.nn.Module, args: Any, kwargs: Any, depth: int) -> Any:
        """Make the call, compiled if it is one of the first of its form."""
        form = None
        try:
            if not depth and self._is_wanted(module):
                form = self._form(module, args, kwargs)
        except Exception as error:  # noqa: BLE001 - the program must go on, whatever its modules hold
            self._note(type(module), f"{type(error).__name__}: {error}")
        if form is None:
            return call(module, *args, **kwargs)
        start = self._start = time.process_time()
        try:
            return self._compiling.call(form.name, form.calls > 1, call, module, args, kwargs)
        finally:
            self._compiled_seconds += time.process_time() - start
            self._start = None

    def _is_wanted(self, module: torch.nn.Module) -> bool:
        """Whether a module contains code of the project, and nothing around the call concerns Dynamo."""
        if not any(self._is_own_class(type(part)) for _, part in parts(module)):
            return False
        if attributes(module).get("_compiled_call_impl") is not None or torch.compiler.is_compiling():
            return False
        if self._compiling.is_compiled_by_program():
            return False
        is_traced = torch.jit._trace.is_tracing() or getattr(torch.fx._symbolic_trace, "_is_fx_tracing_flag", False)
        is_transformed = torch._C._functorch.peek_interpreter_stack() is not None
        is_captured = torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()
        return not (is_traced or is_transformed or is_captured)

    def _is_own_class(self, kind: type) -> bool:
        if kind not in self._is_own:
            self._is_own[kind] = any(self._plan.is_own(file_of(base)) for base in kind.__mro__)
        return self._is_own[kind]

    def _form(self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Form | None:
        """The form of a call that is to be compiled; None: it is made as it is."""
        kind = type(module)
        name = digest(f"{call_form(module, args, kwargs)}\n{structure(module)}".encode())
        by = running(self._plan.root)
        if (name, by) not in self._seen:
            self._seen.add((name, by))
            self._lines.write(form=name, by=by)
        if name not in self._forms:
            self._forms[name] = self._new_form(name, kind)
        form = self._forms[name]
        if form is None or form.calls == EQUAL_CALLS:
            return None
        values = exact(args, kwargs)
        if form.calls and self._is_costly():
            return None
        if form.calls and (form.module is None or form.module() is not module or values != form.exact):
            return None
        form.calls, form.module, form.exact = form.calls + 1, weakref.ref(module), values
        return form

    def _new_form(self, name: str, kind: type) -> _Form | None:
        if not is_first(self._plan.out, name):
            return None
        is_late = kind in self._classes and self._is_costly(MOST)
        why = "compiled calls took too much of the processor time of the program" if is_late else ""
        self._classes.add(kind)
        self._lines.write(**{"class": kind.__qualname__, "file": file_of(kind)}, **({"why": why} if why else {}))
        return None if why else _Form(name)

    def _is_costly(self, times: float = 1.0) -> bool:
        """Whether compiled calls have taken more than their share of the processor time of this process."""
        seconds = self._compiled_seconds + (0.0 if self._start is None else time.process_time() - self._start)
        return seconds > times * max(FREE, SHARE * (time.process_time() - seconds))

    def _note(self, kind: type, why: str) -> None:
        """Write why a class could not be observed, once for each reason."""
        if (kind.__qualname__, why) not in self._seen:
            self._seen.add((kind.__qualname__, why))
            self._lines.write(**{"class": kind.__qualname__, "file": file_of(kind), "why": why[:300]})
