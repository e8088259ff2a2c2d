"""The requests to an arm's process: run the model, compile it, compare, time, and apply the gates."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from breaklint.calls.thaw import enter_conditions
from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import STEADY_CALLS, with_gradients
from breaklint.verify.arm.compiled_calls import Ready, compiled_calls
from breaklint.verify.arm.further_calls import rewrite_differences
from breaklint.verify.arm.importing import Location
from breaklint.verify.arm.operations import count_operations, graphs_in_ranges
from breaklint.verify.arm.process import describe, in_one_line, is_users
from breaklint.verify.arm.record import Record
from breaklint.verify.arm.reference import run_original, state_keys
from breaklint.verify.arm.session import GRADIENTS, OTHER_MODE, RECORD, ArmSession, Setup, guards_unmeasured

Reply = dict[str, Any]
Backend = Callable[[torch.fx.GraphModule, list[torch.Tensor]], Callable[..., Any]]
_NOT_THE_MODELS = ("<", str(Path(__file__).resolve().parent.parent))


class DeviceError(Exception):
    """The device requested is not there."""

    breaklint_kind = "no-cuda"


class Arm:
    """The state of one arm's process; each public method answers one request."""

    def start(self, device: str | None) -> Reply:
        """Start torch on the device, without a call of the model. This disturbs no arm that is timed there."""
        if device != "cpu" and torch.cuda.is_available():
            torch.cuda.synchronize()
        return {}

    def load(self, location: dict[str, Any], setup: dict[str, Any]) -> Reply:
        """Build the model once, to see that it can be, and describe the machine."""
        device = setup["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise DeviceError(f"torch {torch.__version__} finds no CUDA device on this machine")
        self.session = ArmSession(Location(**location), Setup(**{**setup, "device": device}))
        if folder := self.session.location.recipe.get("captured"):
            enter_conditions(Path(folder), self.session.location.recipe["paths"], device)
        self.session.fresh()
        return {"device": device, "environment": describe(device)}

    def coverage(self) -> Reply:
        """The functions that a call of the model runs, as file and first row, and the lines of the user's files that
        run during its construction or call."""
        functions, lines = set[tuple[str, int]](), set[tuple[str, int]]()

        def note_line(frame: FrameType, event: str, _: object) -> Any:
            if event == "line":
                lines.add((frame.f_code.co_filename, frame.f_lineno))
            return note_line

        def note_call(frame: FrameType, _: str, __: object) -> Any:
            code = frame.f_code
            if code.co_filename.startswith(_NOT_THE_MODELS):
                return None
            functions.add((code.co_filename, code.co_firstlineno))
            return note_line if is_users(code.co_filename) else None

        sys.settrace(note_call)
        try:
            case = self.session.fresh()
            functions.clear()
            self.session.observe(case)
        finally:
            sys.settrace(None)
        return {"functions": sorted(functions), "lines": sorted(lines)}

    def reference(self) -> Reply:
        """Run the model without compiling, twice, and with all further calls; leave the records for the other arms."""
        reply, case = run_original(self.session)
        if case is not None:
            self.stopwatch = self.session.stopwatch(case.model, case)
            self.stopwatch.prepare()
        return reply

    def rewritten(self) -> Reply:
        """How this arm's source, uncompiled, differs from the original: in the first call, else in a further one."""
        session, shared = self.session, self.session.read_shared()
        own, new = shared.records, session.source_records()
        keys = state_keys(session.fresh().model)
        checks: Iterable[Callable[[], list[str]]] = (
            lambda: session.compare(own[RECORD], new[RECORD], shared.exact[RECORD]),
            lambda: [f"the state dict has no key {key!r}" for key in shared.keys if key not in keys],
            lambda: session.compare(own[GRADIENTS], new[GRADIENTS], shared.exact[GRADIENTS]),
            lambda: _in_other_mode(session, own, new),
            lambda: list(rewrite_differences(session))[:1],
        )
        notes = [f"its state dict has the new key {key!r}" for key in keys if key not in shared.keys]
        return {
            "rewrite_differences": next(filter(None, (check() for check in checks)), []),
            "notes": [*notes, *_notes(own, new)],
        }

    def trace(self) -> Reply:
        """Trace the model with Dynamo, and run its graphs as they are: breaks, graphs, operations and results."""
        reply, session = self._compile(graphs_in_ranges), self.session
        case = self.ready.case
        arguments = (case.args, case.kwargs)
        args, kwargs = with_gradients(arguments)[0] if session.setup.train else arguments
        with nullcontext() if session.setup.train else torch.no_grad():
            return reply | count_operations(lambda: self.ready.call(*args, **kwargs))

    def compile(self) -> Reply:
        """Compile with the user's backend, and call: breaks, recompiles, compile time, differences."""
        return self._compile("")

    def _compile(self, backend: str | Backend) -> Reply:
        session = self.session
        session.read_shared()
        session.forget_compiled()
        case = session.fresh()
        compiled = session.compiled(case.model, backend)
        self.ready = Ready(case, compiled)
        self.stopwatch = session.stopwatch(compiled, case)
        observation = session.observation(case, compiled)
        with Listener() as trace:
            started = time.monotonic()
            record = observation.first()
            ended = time.monotonic()
            for _ in range(STEADY_CALLS - 1):
                self.stopwatch.step()
            call_s = self.stopwatch.measure(1) / 1000  # few calls: Dynamo runs code in eager mode after 8 compilations
        if not session.setup.train:
            observation.again()
        self.stopwatch.prepare()
        own, exact = self._expected()
        return {
            "breaks": trace.reports,
            "recompiles": trace.recompiles,
            "compiled_from_to": [started, ended],
            "call_s": call_s,
            "kernels": None if backend else _kernels_generated(session.setup.backend),
            "differences": session.compare(own, record, exact),
        }

    def _expected(self) -> tuple[Record, Record | None]:
        """The record of the original that a compiled call is held to, and the same in float64."""
        key = GRADIENTS if self.session.setup.train else RECORD
        return self.session.shared.records[key], self.session.shared.exact[key]

    def probes(self, raising: bool) -> Reply:
        """The further calls, compiled."""
        return {"probes": compiled_calls(self.session, self.ready, raising)}

    def round(self) -> Reply:
        """One timing sample: milliseconds a call."""
        return {"ms": self.stopwatch.sample()}

    def call(self, function: str, **fields: Any) -> Reply:
        """The result of a function of breaklint, named `MODULE:FUNCTION`."""
        module, _, name = function.partition(":")
        reply: Reply = getattr(importlib.import_module(module), name)(**fields)
        return reply

    def fullgraph(self) -> Reply:
        """Whether it traces under `fullgraph=True`, which also captures scalars and dynamic shapes."""
        session, error = self.session, None
        session.forget_compiled()  # else frames skipped by the compilation would be skipped here silently
        case = session.fresh()
        try:
            with guards_unmeasured(), nullcontext() if session.setup.train else torch.no_grad():
                torch.compile(case.model, backend="eager", fullgraph=True)(*case.args, **case.kwargs)
        except Exception as raised:  # noqa: BLE001 - the reason, whatever Dynamo or the model raised
            error = in_one_line(raised)
        return {"fullgraph": {"ok": error is None, "error": error}}


def _in_other_mode(session: ArmSession, own: dict[str, Record], new: dict[str, Record]) -> list[str]:
    if OTHER_MODE not in own or OTHER_MODE not in new or "raised" in own[OTHER_MODE]:
        return []
    mode = "evaluation" if session.setup.train else "training"
    return [f"in {mode} mode: {line}" for line in session.compare(own[OTHER_MODE], new[OTHER_MODE])]


def _notes(own: dict[str, Record], new: dict[str, Record]) -> list[str]:
    """Notes on gradients that are zeros instead of None, and on other output."""
    own_gradients, new_gradients = (records[GRADIENTS].get("gradients", {}) for records in (own, new))
    names = [name for name in own_gradients if own_gradients[name] is None and new_gradients.get(name) is not None]
    notes = [f"{name} is zeros where the original leaves None" for name in names]
    before, after = (records[RECORD]["printed"] for records in (own, new))
    if before != after:
        notes.append(f"it prints {_quoted(after)} where the original prints {_quoted(before)}")
    return notes


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…") if text else "nothing"


def _kernels_generated(backend: str) -> int | None:
    if backend != "inductor":
        return None
    import torch._inductor.metrics as metrics

    return int(metrics.generated_kernel_count)
