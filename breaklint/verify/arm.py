"""What an arm's process does with its model: run it, compile it, compare, time, and hold it to the strict gates."""

# mypy: disable-error-code="no-untyped-call"
# (torch leaves some of its functions untyped)

from __future__ import annotations

import importlib
import importlib.util
import pickle
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
import torch._dynamo

from breaklint.verify.accuracy import clone, compare
from breaklint.verify.environment import describe
from breaklint.verify.loading import Location, load
from breaklint.verify.observe import (
    Case,
    draws_random_numbers,
    gradient_notes,
    observe,
    same_state,
    seed_all,
    state_of,
    to_device,
    without_dead_gradients,
)
from breaklint.verify.stopwatch import Stopwatch
from breaklint.verify.trace import CompileTrace

Reply = dict[str, Any]
GRAPH_EVENT, REGION_EVENT = "Pregraph bytecode", "Torch-Compiled Region"


@dataclass(frozen=True)
class Setup:
    """How every arm of a target runs; `VerifyOptions` tells the meaning.

    `reference` is the file in which the eager arm leaves its records, the model's state and the inputs for the others.
    `artifacts` is the folder for what the compiler makes, if it is to be kept.
    """

    device: str
    backend: str
    mode: str | None
    dynamic: bool | None
    train: bool
    seed: int
    reference: str
    artifacts: str = ""

    @property
    def cuda_graphs(self) -> bool:
        """Does the mode replay CUDA graphs, whose outputs the next call overwrites?"""
        return self.device.startswith("cuda") and self.mode in ("reduce-overhead", "max-autotune")


class DeviceError(Exception):
    """The device asked for is not there."""

    breaklint_kind = "no-cuda"


class Arm:
    """The state of one arm's process; each public method answers one request."""

    def load(self, location: dict[str, Any], setup: dict[str, Any]) -> Reply:
        """Build the model once, to see that it can be, and describe the machine."""
        device = setup["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise DeviceError(f"torch {torch.__version__} finds no CUDA device on this machine")
        self.setup = Setup(**{**setup, "device": device})
        self.location = Location(**location)
        self.shared: dict[str, Any] = {}
        self._fresh()
        return {"device": device, "environment": describe(device)}

    def reference(self) -> Reply:
        """Run the model without compiling, twice, and leave the records for the other arms."""
        case, again = self._fresh(), self._fresh()
        data: dict[str, Any] = {"inputs": (clone(case.args), clone(case.kwargs))}
        # A state that the seed does not reproduce has to be handed over; gigabytes that it does need not be.
        data["state"] = None if same_state(case.model, again.model) else clone(state_of(case.model))
        data["record"] = self._observe(case)
        data["gradients"] = self._observe(self._fresh(), gradients=True)
        data["uses_rng"] = draws_random_numbers(lambda: data.update(again=self._observe(again)))
        unstable = compare(data["record"], data.pop("again"), "result")
        _save(data, self.setup.reference)
        self.stopwatch = self._stopwatch(case.model, case)
        return {"unstable": unstable, "exception": data["record"].get("exception")}

    def rewritten(self) -> Reply:
        """Compare this arm's source with the original's, both uncompiled: values and gradients."""
        self._read_shared()
        record, gradients = self._observe(self._fresh()), self._observe(self._fresh(), gradients=True)
        return {
            "differences": self._compare("record", record) or self._compare("gradients", gradients),
            "notes": gradient_notes(self.shared["gradients"], gradients),
        }

    def compile(self) -> Reply:
        """Compile and call: break reports, compile time, differences from eager, recompiles on repeated calls."""
        self._read_shared()
        case = self._fresh()
        compiled = self._compiled(case.model)
        self.stopwatch = self._stopwatch(compiled, case)
        with CompileTrace(self.setup.artifacts) as trace:
            started = time.perf_counter()
            record = self._observe(case, call=compiled, gradients=self.setup.train)
            seconds = time.perf_counter() - started
            for _ in range(3):
                self.stopwatch.step()
        return {
            "breaks": trace.breaks,
            "recompiles": trace.recompiles,
            "compile_s": max(0.0, seconds - self.stopwatch.measure(1) / 1000),
            "differences": self._compare("gradients" if self.setup.train else "record", record),
            "kernels": _kernels_generated(self.setup.backend),
            "made": trace.made.summary(),
        }

    def round(self) -> Reply:
        """One timing sample."""
        return {"ms": self.stopwatch.sample()}

    def do_bench(self) -> Reply:
        """Triton's own measure of one call in milliseconds, with a flushed cache; None without Triton."""
        if importlib.util.find_spec("triton") is None:
            return {"ms": None}
        testing = importlib.import_module("triton.testing")
        return {"ms": float(testing.do_bench(self.stopwatch.step, return_mode="median"))}

    def profile(self) -> Reply:
        """What one steady call runs: graphs, and on CUDA kernels launched and peak memory."""
        from torch.profiler import ProfilerActivity, profile

        on_cuda = self.setup.device.startswith("cuda")
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
        """Does it trace under `fullgraph=True` and under `error_on_graph_break`, and what does `explain` say?

        `fullgraph=True` also captures scalars and dynamic shapes, so it passes some models that break by default.
        """
        explained = self._gate(lambda case: torch._dynamo.explain(case.model)(*case.args, **case.kwargs))
        output = explained.pop("value", None)
        if output is not None:
            explained |= {"graphs": output.graph_count, "breaks": output.graph_break_count, "ops": output.op_count}
        return {
            "fullgraph": self._gate(_trace_fullgraph),
            "error_on_graph_break": self._gate(_trace_erring),
            "explain": explained,
        }

    def _gate(self, trace: Callable[[Case], Any]) -> dict[str, Any]:
        torch._dynamo.reset()  # else frames given up while compiling would be skipped here without a word
        case = self._fresh()
        try:
            with nullcontext() if self.setup.train else torch.no_grad():
                value = trace(case)
        except Exception as error:  # noqa: BLE001 - the reason the gate failed, whatever Dynamo or the model raised
            lines = str(error).strip().splitlines() or [""]
            return {"ok": False, "error": f"{type(error).__name__}: {lines[0]}"}
        return {"ok": True, "error": None} | ({} if value is None else {"value": value})

    def _fresh(self) -> Case:
        """The model as the eager arm had it before its first call: same seed, same state, same inputs."""
        seed_all(self.setup.seed)
        model, call = load(self.location)
        args, kwargs = self.shared.get("inputs") or call
        state = self.shared.get("state")
        if isinstance(model, torch.nn.Module):
            if state and state.keys() == model.state_dict().keys():
                model.load_state_dict(state)
            model = model.to(self.setup.device).train(self.setup.train)
        return Case(model, to_device(clone(args), self.setup.device), to_device(clone(kwargs), self.setup.device))

    def _compiled(self, model: Any) -> Callable[..., Any]:
        if self.shared["uses_rng"]:
            import torch._inductor.config as inductor

            inductor.fallback_random = True  # the compiled model then draws the numbers eager drew
        how: dict[str, Any] = {"backend": self.setup.backend, "dynamic": self.setup.dynamic}
        if self.setup.mode:  # only Inductor takes one, even if it is None
            how["mode"] = self.setup.mode
        compiled: Callable[..., Any] = torch.compile(model, **how)
        return compiled

    def _observe(self, case: Case, **how: Any) -> dict[str, Any]:
        return observe(case, self.setup.seed + 1, **how)

    def _compare(self, name: str, record: dict[str, Any]) -> list[str]:
        return compare(without_dead_gradients(self.shared[name]), without_dead_gradients(record), "result")

    def _read_shared(self) -> None:
        self.shared = torch.load(self.setup.reference, weights_only=False)

    def _stopwatch(self, call: Callable[..., Any], case: Case) -> Stopwatch:
        return Stopwatch(call, case, self.setup.device, self.setup.train, self.setup.cuda_graphs)


def _trace_fullgraph(case: Case) -> None:
    torch.compile(case.model, backend="eager", fullgraph=True)(*case.args, **case.kwargs)


def _trace_erring(case: Case) -> None:
    with torch._dynamo.error_on_graph_break(True):
        torch.compile(case.model, backend="eager")(*case.args, **case.kwargs)


def _kernels_generated(backend: str) -> int | None:
    if backend != "inductor":
        return None
    import torch._inductor.metrics as metrics

    return int(metrics.generated_kernel_count)


def _save(data: dict[str, Any], path: str) -> None:
    try:
        torch.save(data, path)
    except (pickle.PicklingError, TypeError, AttributeError):  # inputs that cannot be pickled:
        torch.save({**data, "inputs": None}, path)  # the other arms make them anew under the same seed
