"""What an arm's process does with its model: run it, compile it, compare, time, and hold it to the strict gates."""

from __future__ import annotations

import importlib
import pickle
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from breaklint.calls.thaw import enter_conditions
from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.branches import Branch
from breaklint.verify.arm.calls import STEADY_CALLS, Case, clone, seed_all, with_gradients
from breaklint.verify.arm.compare import compare, incomparable
from breaklint.verify.arm.further_calls import Ready, compiled_calls, in_a_row, plan, rewrite_differences
from breaklint.verify.arm.gates import count_operations, graphs_in_ranges, trace_fullgraph
from breaklint.verify.arm.importing import Location, region_modules
from breaklint.verify.arm.loading import choice
from breaklint.verify.arm.process import describe, is_users, user_line
from breaklint.verify.arm.record import Record, attribute_of, random_state
from breaklint.verify.arm.session import GRADIENTS, OTHER_MODE, RECORD, ArmSession, Call, Setup, Shared
from breaklint.verify.arm.variants import attribute_names

Reply = dict[str, Any]
Backend = Callable[[torch.fx.GraphModule, list[torch.Tensor]], Callable[..., Any]]
_NOT_THE_MODELS = ("<", str(Path(__file__).resolve().parent.parent))


class DeviceError(Exception):
    """The device requested is not there."""

    breaklint_kind = "no-cuda"


class Arm:
    """The state of one arm's process; each public method answers one request."""

    def start(self, device: str | None) -> Reply:
        """Have torch start on the device, which disturbs no arm that is timed on it, and run nothing."""
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

    def reached(self) -> Reply:
        """The functions that a call of the model runs, as file and first row, and the lines of the user's files that
        run when it is built or called."""
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
        """Run the model without compiling, twice, and with all further calls; leave the records for the other arms.

        `unstable` is how two equal calls differ, `incomparable` why equal results would prove nothing, or "".
        """
        session = self.session
        case, second = session.fresh(), session.fresh()
        shared = session.shared = Shared(keys=_keys(case.model), attributes=attribute_names(case.model))
        if not _holds_own_classes((case.args, case.kwargs), session.location):
            shared.inputs = clone((case.args, case.kwargs))
        if not _same_state(case.model, second.model):  # gigabytes that the seed reproduces need not be handed over
            shared.state = clone(dict(case.model.state_dict()))
        began = time.process_time()
        session.observe(case)
        shared.given_s = time.process_time() - began
        shared.records = session.source_records()
        seed_all(session.setup.seed + 1)
        shared.uses_rng = shared.records[RECORD]["random"] != {"the state of the random generators": random_state()}
        notes = [*filter(None, [choice(session.location, case.model), _disabled(case.model)])]
        if raised := shared.records[RECORD].get("raised"):
            told = f"{raised}{_raised_at(session)}"
            return {"exception": told, "branches": [], "notes": notes, "unstable": [], "incomparable": ""}
        unstable, varying = _unstable(session, second)
        notes += varying
        shared.exact = {RECORD: session.in_float64(), GRADIENTS: session.in_float64(gradients=True)}
        branches: list[Branch] = []
        if shared.inputs is None:
            notes.append("its inputs are objects of its own classes: only the given call is compared")
        else:
            shared.in_a_row = in_a_row(session) if session.setup.rewritten else []
            shared.probes, branches, left_out = plan(session, shared.inputs)
            notes += left_out
        self._save(shared)
        self.stopwatch = session.stopwatch(case.model, case)
        self.stopwatch.prepare()
        return {
            "exception": None,
            "branches": [{"place": branch.place, "reached": list(branch.reached.items())} for branch in branches],
            "notes": notes,
            "unstable": unstable,
            "incomparable": incomparable(_outputs(shared)),
        }

    def _save(self, shared: Shared) -> None:
        try:
            torch.save(shared, self.session.setup.reference)
        except (pickle.PicklingError, TypeError, AttributeError):  # inputs that cannot be pickled:
            shared.inputs, shared.probes = None, []  # the other arms make them again under the same seed
            torch.save(shared, self.session.setup.reference)

    def rewritten(self) -> Reply:
        """How this arm's source, uncompiled, differs from the original: in the given call, else in a further one."""
        session, shared = self.session, self.session.read_shared()
        own, new = shared.records, session.source_records()
        keys = _keys(session.fresh().model)
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
        """Have Dynamo trace the model, and run its graphs as they are: breaks, graphs, operations and results."""
        reply, session = self._compile(graphs_in_ranges), self.session
        case = self.ready.case
        given = (case.args, case.kwargs)
        args, kwargs = with_gradients(given)[0] if session.setup.train else given
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
            for _ in range(STEADY_CALLS):
                self.stopwatch.step()
        if not session.setup.train:
            observation.again()
        self.stopwatch.prepare()
        own, exact = self._expected()
        return {
            "breaks": trace.reports,
            "recompiles": trace.recompiles,
            "compiled_from_to": [started, ended],
            "call_s": self.stopwatch.measure(1) / 1000,
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

    def rung(self, backend: str, in_mode: bool) -> Reply:
        """What is wrong with the call with another backend ("": uncompiled), in the user's mode if `in_mode`."""
        session = self.session
        session.read_shared()

        def recorded(case: Case) -> Record:
            call = session.compiled(case.model, backend, in_mode) if backend else None
            return session.observe(case, call=call, gradients=session.setup.train)

        outcome = session.attempt(recorded)
        own, exact = self._expected()
        differences = session.compare(own, outcome["value"], exact) if outcome["ok"] else [outcome["error"]]
        return {"problem": next(iter(differences), None)}

    def round(self) -> Reply:
        """One timing sample: milliseconds a call."""
        return {"ms": self.stopwatch.sample()}

    def call(self, function: str, **fields: Any) -> Reply:
        """What a function of breaklint's gives, named as `MODULE:FUNCTION`."""
        module, _, name = function.partition(":")
        told: Reply = getattr(importlib.import_module(module), name)(**fields)
        return told

    def fullgraph(self) -> Reply:
        """Does it trace under `fullgraph=True`?"""
        return {"fullgraph": self.session.attempt(trace_fullgraph)}


def _keys(model: Any) -> list[str]:
    return list(model.state_dict()) if isinstance(model, torch.nn.Module) else []


def _same_state(one: Any, other: Any) -> bool:
    left, right = (model.state_dict() if isinstance(model, torch.nn.Module) else {} for model in (one, other))
    return left.keys() == right.keys() and all(_equal(left[name], right[name]) for name in left)


def _equal(one: Any, other: Any) -> bool:
    return not isinstance(one, torch.Tensor) or torch.equal(one, other)


def _holds_own_classes(given: Call, location: Location) -> bool:
    """Is a part of the inputs an object of a class from the region, of which each load makes another?"""
    modules = region_modules(location)
    return any(type(leaf).__module__ in modules for leaf in tree_leaves(given))


def _unstable(session: ArmSession, second: Case) -> tuple[list[str], list[str]]:
    """How the results of two equal calls differ, and a note on state that does, such as a timer: it is not compared."""
    shared = session.shared
    own, again = shared.records[RECORD], session.observe(second, again=True)
    places = {*own["state"], *again["state"]}
    differ = [at for at in places if _moves(own["state"].get(at), again["state"].get(at)) or at not in own["state"]]
    shared.varying = {attribute_of(place) for place in differ}
    shared.again = session.observe(session.fresh(), gradients=True)["gradients"]
    names = ", ".join(sorted(name.removeprefix("state.") for name in shared.varying))
    note = [f"not compared, since it differs from run to run of the original: {names}"] if names else []
    return session.compare(own, again), note


def _moves(one: Any, other: Any) -> bool:
    """Do two values of an attribute differ, a float by however little? A clock goes on by less than rounding may."""
    if isinstance(one, float) and isinstance(other, float):
        return one == one and one != other
    return bool(compare({"state": {"": one}}, {"state": {"": other}}))


def _in_other_mode(session: ArmSession, own: dict[str, Record], new: dict[str, Record]) -> list[str]:
    if OTHER_MODE not in own or OTHER_MODE not in new or "raised" in own[OTHER_MODE]:
        return []
    mode = "evaluation" if session.setup.train else "training"
    return [f"in {mode} mode: {line}" for line in session.compare(own[OTHER_MODE], new[OTHER_MODE])]


def _notes(own: dict[str, Record], new: dict[str, Record]) -> list[str]:
    """Gradients that are zeros instead of None, and what is printed otherwise."""
    left, right = (records[GRADIENTS].get("gradients", {}) for records in (own, new))
    names = [name for name in left if left[name] is None and right.get(name) is not None]
    notes = [f"{name} is zeros where the original leaves None" for name in names]
    before, after = (records[RECORD]["printed"] for records in (own, new))
    if before != after:
        notes.append(f"it prints {_quoted(after)} where the original prints {_quoted(before)}")
    return notes


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…") if text else "nothing"


def _outputs(shared: Shared) -> list[dict[str, Any]]:
    """All outputs of the original with which a result can be compared."""
    records = [shared.records[RECORD], *(probe.record for probe in shared.probes)]
    outputs = [record["output"] for record in records if "output" in record]
    again = records[0].get("again", {"raised": ""})
    return outputs if "raised" in again else [*outputs, again]


def _kernels_generated(backend: str) -> int | None:
    if backend != "inductor":
        return None
    import torch._inductor.metrics as metrics

    return int(metrics.generated_kernel_count)


def _disabled(model: Any) -> str:
    forward = getattr(model, "forward", model)
    return "its forward is disabled for the compiler" if getattr(forward, "_torchdynamo_disable", False) else ""


def _raised_at(session: ArmSession) -> str:
    """The user's line at which a model that fails does so, in parentheses."""
    case = session.fresh()
    try:
        case.model(*case.args, **case.kwargs)
    except Exception as error:  # noqa: BLE001 - a model may raise anything
        place = user_line(error)
        return f" ({place})" if place else ""
    return ""
