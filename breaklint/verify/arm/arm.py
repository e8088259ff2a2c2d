"""What an arm's process does with its model: run it, compile it, compare, time, and hold it to the strict gates."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from breaklint.calls.thaw import enter_conditions
from breaklint.dynamo.listener import Listener
from breaklint.verify.arm import own_classes
from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.arm_session import ArmSession, Setup
from breaklint.verify.arm.changing import clone
from breaklint.verify.arm.compile_artifacts import CompileArtifacts
from breaklint.verify.arm.device_lock import YieldingLock
from breaklint.verify.arm.environment import describe
from breaklint.verify.arm.gates import strict_gates, with_backend
from breaklint.verify.arm.importing import Location
from breaklint.verify.arm.loading import choice
from breaklint.verify.arm.localise import arguments, first_graph, operations
from breaklint.verify.arm.observe import STEADY_CALLS, draws_random_numbers, same_state, state_of
from breaklint.verify.arm.outside import FilesRead
from breaklint.verify.arm.probes import (
    Ready,
    compiled_calls,
    exact_records,
    plan_probes,
    probe_alone,
    rewritten_records,
    split_probes,
)
from breaklint.verify.arm.process_state import ProcessState
from breaklint.verify.arm.sequence import sequence
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.user_lines import is_users, user_line

Reply = dict[str, Any]
Recorded = tuple[Reply, Any]
"""A reply, and what is to be recorded for the process that compares."""
GRAPH_EVENT, REGION_EVENT = "Pregraph bytecode", "Torch-Compiled Region"


_NOT_THE_MODELS = ("<", str(Path(__file__).resolve().parent.parent))


class DeviceError(Exception):
    """The device requested is not there."""

    breaklint_kind = "no-cuda"


class Arm:
    """The state of one arm's process; each public method answers one request."""

    def __init__(self) -> None:
        self._process = ProcessState()  # before any code of the target has run
        self._way: YieldingLock | None = None
        self.files_read: FilesRead | None = None

    def start(self, device: str | None) -> Reply:
        """Have torch start on the device, which disturbs no arm that is timed on it, and run nothing."""
        if device != "cpu" and torch.cuda.is_available():
            torch.cuda.synchronize()
        return {}

    def load(self, location: dict[str, Any], setup: dict[str, Any], lock: str = "") -> Reply:
        """Build the model once, to see that it can be, and describe the machine. `lock`: its file."""
        if lock and self._way is None:  # a process that holds it must not wait for itself
            self._way = YieldingLock(Path(lock))
        device = setup["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise DeviceError(f"torch {torch.__version__} finds no CUDA device on this machine")
        self.session = ArmSession(Location(**location), Setup(**{**setup, "device": device}), self._way, self._process)
        if folder := self.session.location.recipe.get("captured"):
            enter_conditions(Path(folder), self.session.location.recipe["paths"], device)
        self.session.fresh()
        return {"device": device, "environment": describe(device)}

    def note_files(self) -> Reply:
        """Note from now on which files are read."""
        if self.files_read is None:
            self.files_read = FilesRead()
        return {}

    def files(self) -> Reply:
        """The files that the target depends on, as far as it has run."""
        return {"files": self.files_read.paths() if self.files_read else []}

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

    def reference(self) -> Recorded:
        """Run the model without compiling, twice; leave what the other arms are given, and record all it did."""
        session = self.session
        case, again = session.fresh(built=True), session.fresh()
        given = clone(case.args), clone(case.kwargs)
        # A state that the seed does not reproduce has to be handed over; gigabytes that it does need not be.
        state = None if same_state(case.model, again.model) else clone(state_of(case.model))
        session.shared = {"inputs": given, "state": state, "probes": []}
        began = time.process_time()
        seen: Record = {"given": snapshot(list(given)), "record": session.observe(case, again=True)}
        session.shared["given_s"] = time.process_time() - began
        seen["repeated"] = session.repeated(case)  # at once: a model that draws random numbers now draws others
        seen |= session.further_records()
        session.shared["uses_rng"] = draws_random_numbers(
            lambda: seen.update(second=session.observe(again, again=True))
        )
        seen["exact"] = exact_records(session)
        seen |= {"sequence": sequence(session), "narrow": session.in_low_precision()}
        failed = "exception" in seen["record"]
        probes, branches, notes = ([], [], []) if failed else plan_probes(session, given)
        seen["probes"], session.shared["probes"] = split_probes(probes)
        seen["tf32"] = session.tf32
        _save_given(session.shared, session.setup.reference)
        self.stopwatch = session.stopwatch(case.model, case)
        if session.setup.device.startswith("cuda"):
            with suppress(Exception):  # what is wrong with it is said when it is needed
                _do_bench(lambda: None, rep=1)  # Triton is loaded now, and not while no other arm may run
        self.stopwatch.prepare()
        told = [{"place": branch.place, "reached": list(branch.reached.items())} for branch in branches]
        notes = [*filter(None, [choice(session.location, case.model), _disabled(case.model)]), *notes]
        raised = f"{seen['record']['exception']}{_raised_at(session)}" if failed else None
        return {"exception": raised, "branches": told, "notes": notes}, seen

    def rewritten(self) -> Recorded:
        """Run this arm's source uncompiled, with the given call and all further ones."""
        session = self.session
        session.read_shared()
        seen = {**session.source_records(), "sequence": sequence(session)}
        seen["narrow"] = session.in_low_precision()
        seen["probes"] = rewritten_records(session, unfit=False)
        if not session.shared["uses_rng"]:
            seen["float64"] = session.in_float64(raising=True)
        return {}, seen

    def rewritten_unfit(self) -> Recorded:
        """Those of them after which this process may be unfit for anything else."""
        return {}, rewritten_records(self.session, unfit=True)

    def operations(self, call: str, rows: int, other_mode: bool) -> Recorded:
        """What each operation of an uncompiled call gives."""
        chosen, change = arguments(self._shared_session(), call, rows)
        return {}, operations(self.session, chosen, change, other_mode)

    def differing_graph(self, call: str, rows: int) -> Reply:
        """The first graph of a call that gives something else once compiled."""
        return {"found": first_graph(self.session, arguments(self._shared_session(), call, rows)[0])}

    def save_arguments(self, path: str, call: str, rows: int) -> Reply:
        """Write the arguments of a call into a file; what to change in the model for it."""
        (args, kwargs), change = arguments(self._shared_session(), call, rows)
        torch.save((list(args), dict(kwargs)), path)
        return {"change": change}

    def own_files(self) -> Reply:
        """The texts of the region's files as this arm runs them, by their path below the root."""
        place, case = self.session.location, self.session.fresh()
        files = {getattr(module, "__file__", None) or "" for module in case.program.modules} if case.program else set()
        below = [path for path in sorted(files) if Path(place.root) in Path(path).parents]
        texts = {path: place.overrides.get(path) or Path(path).read_text("utf-8") for path in below}
        return {"files": {str(Path(path).relative_to(place.root)): text for path, text in texts.items()}}

    def _shared_session(self) -> ArmSession:
        if not self.session.shared.get("probes"):
            self.session.read_shared()
        return self.session

    def twin(self) -> Recorded:
        """Run the original once more, in another process than `reference`: what differs then differs by itself."""
        self.session.read_shared()
        return {}, {**self.session.source_records(), "sequence": sequence(self.session)}

    def compile(self, backend: str = "") -> Recorded:
        """Compile and call: break reports, compile time, a record, recompiles on repeated calls.

        Args:
            backend: a backend of torch.compile, to be used in no mode; "" for what the user requested.
        """
        session = self.session
        session.read_shared()
        session.forget_compiled()
        case = session.fresh()
        compiled = session.compiled(case.model, backend)
        self.ready = Ready(case, compiled)
        self.stopwatch = session.stopwatch(compiled, case)
        observation = session.observation(case, compiled)
        made = CompileArtifacts(session.setup.artifacts)
        with Listener([made.take], made.handlers) as trace:
            waited, started = session.waited_s, time.monotonic()
            record = observation.first()
            waited, ended = session.waited_s - waited, time.monotonic()
            for _ in range(STEADY_CALLS):
                self.stopwatch.step()
        if not session.setup.train:
            observation.again()
        self.stopwatch.prepare()
        told = {
            "breaks": trace.reports,
            "recompiles": trace.recompiles,
            "compiled_from_to": [started, ended],
            "waited_s": waited,
            "call_s": self.stopwatch.measure(1) / 1000,
            "kernels": _kernels_generated(backend or session.setup.backend),
            "made": made.summary(),
        }
        return told, record

    def timed(self) -> Recorded:
        """What the last call that was timed gave."""
        return {}, snapshot(self.stopwatch.last)

    def fresh_values(self) -> Reply:
        """Milliseconds a call with values that it has seen, and with values that it has not."""
        return self.stopwatch.fresh_values()

    def probes(self, raising: bool) -> Recorded:
        """The further calls, compiled: how often each recompiled."""
        calls, seen = compiled_calls(self.session, self.ready, raising)
        return {"probes": calls}, seen

    def probe_alone(self, name: str) -> Recorded:
        """One of them by itself, with nothing left from any other call."""
        return {}, [probe_alone(self.session, name)]

    def rung(self, backend: str, in_mode: bool) -> Recorded:
        """The call with another backend ("": uncompiled), in the user's mode if `in_mode`, and what it raises."""
        self.session.read_shared()
        record, error = with_backend(self.session, backend, in_mode)
        return {"raised": error}, record

    def round(self) -> Reply:
        """One timing sample: milliseconds a call, and of how many calls."""
        return {"ms": self.stopwatch.sample(), "calls": self.stopwatch.calls}

    def do_bench(self) -> Reply:
        """Triton's own measure of one call in milliseconds, with a flushed cache; None without Triton."""
        with self.stopwatch.keeping_last():
            return {"ms": _do_bench(self.stopwatch.step, rep=20)}

    def sweep(self) -> Reply:
        """Milliseconds a call for each of the further calls that have other sizes."""
        probes = [probe for probe in self.session.shared["probes"] if probe["sized"]]
        return {"ms": {probe["name"]: self.stopwatch.other(*probe["inputs"]).typical() for probe in probes}}

    def call(self, function: str, **fields: Any) -> Reply:
        """What a function of breaklint's gives, named as `MODULE:FUNCTION`."""
        module, _, name = function.partition(":")
        told: Reply = getattr(importlib.import_module(module), name)(**fields)
        return told

    def profile(self) -> Reply:
        """What one steady call runs: graphs, and on CUDA kernels launched and peak memory."""
        from torch.profiler import ProfilerActivity, profile

        on_cuda = self.session.setup.device.startswith("cuda")
        if on_cuda:
            torch.cuda.reset_peak_memory_stats()
        with profile(activities=[ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if on_cuda else [])) as profiler:
            self.stopwatch.step()
            self.stopwatch.wait()
        events = list(profiler.events() or [])
        names = [event.name for event in events]
        on_device = [event.name for event in events if event.device_type.name == "CUDA"]
        kernels = [name for name in on_device if not name.startswith(("Memcpy", "Memset", "Torch-", "##"))]
        return {
            "graphs_per_call": names.count(GRAPH_EVENT) or sum(name.startswith(REGION_EVENT) for name in names),
            "kernels_launched": len(kernels) if on_cuda else None,
            "peak_memory_bytes": torch.cuda.max_memory_allocated() if on_cuda else None,
        }

    def strict(self, informative: bool) -> Reply:
        """The gates that let no break pass, and what else is reported of the model."""
        return strict_gates(self.session, informative)


def _do_bench(call: Callable[[], object], rep: int) -> float | None:
    if importlib.util.find_spec("triton") is None:
        return None
    testing = importlib.import_module("triton.testing")
    return float(testing.do_bench(call, warmup=min(5, rep), rep=rep, return_mode="median"))


def _kernels_generated(backend: str) -> int | None:
    if backend != "inductor":
        return None
    import torch._inductor.metrics as metrics

    return int(metrics.generated_kernel_count)


def _disabled(model: Any) -> str:
    forward = getattr(model, "forward", model)
    return "its forward is disabled for the compiler" if getattr(forward, "_torchdynamo_disable", False) else ""


def _save_given(given: dict[str, Any], path: str) -> None:
    try:
        torch.save(given, path, pickle_module=own_classes)
    except (pickle.PicklingError, TypeError, AttributeError):  # inputs that cannot be pickled:
        torch.save({**given, "inputs": None, "probes": []}, path)  # the other arms make them again under the same seed


def _raised_at(session: ArmSession) -> str:
    """The user's line at which a model that fails does so, in parentheses."""
    case = session.fresh()
    try:
        case.model(*case.args, **case.kwargs)
    except Exception as error:  # noqa: BLE001 - a model may raise anything
        place = user_line(error)
        return f" ({place})" if place else ""
    return ""
