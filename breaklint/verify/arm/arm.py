"""What an arm's process does with its model: run it, compile it, compare, time, and hold it to the strict gates."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import importlib
import importlib.util
import pickle
import time
from pathlib import Path
from typing import Any

import torch

from breaklint.verify.arm.accuracy import clone, compare
from breaklint.verify.arm.arm_session import ArmSession, Setup
from breaklint.verify.arm.environment import describe
from breaklint.verify.arm.float64 import relative_errors
from breaklint.verify.arm.gates import backend_bisect, strict_gates
from breaklint.verify.arm.loading import Location, choice
from breaklint.verify.arm.observe import draws_random_numbers, gradient_notes, printed_notes, same_state, state_of
from breaklint.verify.arm.overlap import GivingWay
from breaklint.verify.arm.probes import Ready, compiled_calls, exact_records, plan_probes, rewritten_differences
from breaklint.verify.arm.trace import CompileTrace
from breaklint.verify.arm.user_lines import user_line
from breaklint.verify.capture.captured import enter_conditions

Reply = dict[str, Any]
GRAPH_EVENT, REGION_EVENT = "Pregraph bytecode", "Torch-Compiled Region"


class DeviceError(Exception):
    """The device asked for is not there."""

    breaklint_kind = "no-cuda"


class Arm:
    """The state of one arm's process; each public method answers one request."""

    def start(self, device: str | None) -> Reply:
        """Have torch start on the device, which disturbs nobody who is timed on it, and run nothing."""
        if device != "cpu" and torch.cuda.is_available():
            torch.cuda.synchronize()
        return {}

    def load(self, location: dict[str, Any], setup: dict[str, Any], lock: str = "") -> Reply:
        """Build the model once, to see that it can be, and describe the machine. `lock`: its file."""
        way = GivingWay(Path(lock)) if lock else None
        device = setup["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise DeviceError(f"torch {torch.__version__} finds no CUDA device on this machine")
        self.session = ArmSession(Location(**location), Setup(**{**setup, "device": device}), way)
        if folder := self.session.location.recipe.get("captured"):
            enter_conditions(Path(folder), device)
        self.session.fresh()
        return {"device": device, "environment": describe(device)}

    def reference(self) -> Reply:
        """Run the model without compiling, twice, and leave the records for the other arms."""
        session = self.session
        case, again = session.fresh(), session.fresh()
        given = clone(case.args), clone(case.kwargs)
        # A state that the seed does not reproduce has to be handed over; gigabytes that it does need not be.
        state = None if same_state(case.model, again.model) else clone(state_of(case.model))
        data: dict[str, Any] = {"inputs": given, "state": state, "record": session.observe(case)}
        data["uses_rng"] = draws_random_numbers(lambda: data.update(again=session.observe(again)))
        unstable = compare(data["record"], data.pop("again"), "result")
        data["gradients"] = session.observe(session.fresh(), gradients=True)
        session.shared = data
        data["exact"] = exact_records(session)
        data["probes"], branches, notes = ([], [], []) if "exception" in data["record"] else plan_probes(session, given)
        _save(data, session.setup.reference)
        self.stopwatch = session.stopwatch(case.model, case)
        told = [{"place": branch.place, "reached": list(branch.reached.items())} for branch in branches]
        notes = [*filter(None, [choice(session.location, case.model)]), *notes]
        raised = f"{data['record']['exception']}{_raised_at(session)}" if "exception" in data["record"] else None
        return {"unstable": unstable, "exception": raised, "branches": told, "notes": notes}

    def rewritten(self) -> Reply:
        """Compare this arm's source with the original's, both uncompiled: values and gradients."""
        session = self.session
        session.read_shared()
        found = {key: session.observe(session.fresh(), gradients=key == "gradients") for key in ("record", "gradients")}
        told = (session.compare(session.shared[key], found[key], session.shared["exact"][key]) for key in found)
        return {
            "differences": next(filter(None, told), []) or rewritten_differences(session),
            "notes": gradient_notes(session.shared["gradients"], found["gradients"])
            + printed_notes(session.shared["record"], found["record"]),
        }

    def compile(self) -> Reply:
        """Compile and call: break reports, compile time, differences from eager, recompiles on repeated calls."""
        session = self.session
        session.read_shared()
        case = session.fresh()
        compiled = session.compiled(case.model)
        self.ready = Ready(case, compiled)
        self.stopwatch = session.stopwatch(compiled, case)
        with CompileTrace(session.setup.artifacts) as trace:
            waited, started = session.waited_s, time.monotonic()
            record = session.observe(case, call=compiled, gradients=session.setup.train)
            waited, ended = session.waited_s - waited, time.monotonic()
            for _ in range(3):
                self.stopwatch.step()
        key = "gradients" if session.setup.train else "record"
        expected, exact = session.shared[key], session.shared["exact"][key]
        return {
            "breaks": trace.breaks,
            "recompiles": trace.recompiles,
            "compiled_from_to": [started, ended],
            "waited_s": waited,
            "call_s": self.stopwatch.measure(1) / 1000,
            "differences": session.compare(expected, record, exact),
            "float64_errors": relative_errors(
                expected.get("output"), record.get("output"), (exact or {}).get("output")
            ),
            "kernels": _kernels_generated(session.setup.backend),
            "made": trace.made.summary(),
        }

    def probes(self, raising: bool) -> Reply:
        """The further calls, compiled."""
        return {"probes": compiled_calls(self.session, self.ready, raising)}

    def backend_bisect(self) -> Reply:
        """Which layer of the compiler raises or gives another result?"""
        self.session.read_shared()
        return {"ladder": backend_bisect(self.session)}

    def round(self) -> Reply:
        """One timing sample."""
        return {"ms": self.stopwatch.sample()}

    def do_bench(self) -> Reply:
        """Triton's own measure of one call in milliseconds, with a flushed cache; None without Triton."""
        if importlib.util.find_spec("triton") is None:
            return {"ms": None}
        testing = importlib.import_module("triton.testing")
        return {"ms": float(testing.do_bench(self.stopwatch.step, return_mode="median"))}

    def sweep(self) -> Reply:
        """Milliseconds a call for each of the further calls that have other sizes."""
        probes = [probe for probe in self.session.shared["probes"] if probe["sized"]]
        return {"ms": {probe["name"]: self.stopwatch.other(*probe["inputs"]).typical() for probe in probes}}

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

    def strict(self) -> Reply:
        """The gates that let no break pass."""
        return strict_gates(self.session)


def _kernels_generated(backend: str) -> int | None:
    if backend != "inductor":
        return None
    import torch._inductor.metrics as metrics

    return int(metrics.generated_kernel_count)


def _save(data: dict[str, Any], path: str) -> None:
    try:
        torch.save(data, path)
    except (pickle.PicklingError, TypeError, AttributeError):  # inputs that cannot be pickled:
        torch.save({**data, "inputs": None, "probes": []}, path)  # the other arms make them anew under the same seed


def _raised_at(session: ArmSession) -> str:
    """The user's line at which a model that fails does so, in parentheses."""
    case = session.fresh()
    try:
        case.model(*case.args, **case.kwargs)
    except Exception as error:  # noqa: BLE001 - a model may raise anything
        place = user_line(error)
        return f" ({place})" if place else ""
    return ""
