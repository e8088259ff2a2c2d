"""What the steps of an arm share: making the model again, running it, compiling it, comparing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from torch.nn.parameter import is_lazy

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.branches import Rows
from breaklint.verify.arm.changing import clone, in_dtype
from breaklint.verify.arm.comparability import AUTOCAST, IN_HALF, low_precision_record
from breaklint.verify.arm.comparable import without_dead_gradients
from breaklint.verify.arm.device_lock import YieldingLock
from breaklint.verify.arm.gradients import strained_gradients
from breaklint.verify.arm.importing import Location, main_module, region_modules
from breaklint.verify.arm.loading import load
from breaklint.verify.arm.observe import Case, Observation, observe, seed_all, to_device
from breaklint.verify.arm.own_classes import holds_own, renewed
from breaklint.verify.arm.process_state import ProcessState
from breaklint.verify.arm.program_state import ProgramState, modules_with
from breaklint.verify.arm.stopwatch import Stopwatch
from breaklint.verify.arm.time_limit import FACTOR, OutOfTime, time_limit
from breaklint.verify.arm.user_lines import in_one_line

Outcome = dict[str, Any]
SHORT_S = 0.1
"""So long a call may take to be made in float16 as well, for which few processors have instructions."""


@dataclass(frozen=True)
class Setup:
    """How every arm of a target runs; `VerifyOptions` tells the meaning.

    `reference` is the file in which the eager arm leaves its records, the model's state and the inputs for the others.
    `artifacts` is the folder for what the compiler makes, if it is to be kept. `branches` are the rows that fixes
    rewrite; `rewritten` tells whether there is another source.
    """

    device: str
    backend: str
    mode: str | None
    dynamic: bool | None
    train: bool
    seed: int
    reference: str
    artifacts: str = ""
    seeds: int = 1
    batch_sizes: tuple[int, ...] = ()
    branches: tuple[Rows, ...] = ()
    rewritten: bool = False

    @property
    def cuda_graphs(self) -> bool:
        """Does the mode replay CUDA graphs, whose outputs the next call overwrites?"""
        return self.device.startswith("cuda") and self.mode in ("reduce-overhead", "max-autotune")


class ArmSession:
    """One arm's model: `shared` is what the eager arm left, once it has been read: inputs, state, further calls.

    `tf32` tells whether torch may round what the model computes to TF32. No results of other arms are here: who knows
    what they have to be can give them.
    """

    def __init__(
        self, location: Location, setup: Setup, way: YieldingLock | None = None, process: ProcessState | None = None
    ) -> None:
        self.location, self.setup, self._way = location, setup, way
        if way and setup.device.startswith("cuda"):  # on a CPU, compiling would take time from what is timed
            way.while_compiling(setup.backend, setup.mode)
        self.shared: dict[str, Any] = {}
        self.tf32 = False
        self._process = process or ProcessState()

    def fresh(self, call: Any = None, built: bool = False, other_mode: bool = False) -> Case:
        """The model as the eager arm had it before its first call: same seed, same state, same inputs (or `call`).

        With `built`, what it and its program held then is recorded. `other_mode` is training where calls are timed in
        evaluation, and the reverse.
        """
        seed_all(self.setup.seed)
        model, own = load(self.location, self.setup.device)
        given = self.shared.get("inputs") or own
        args, kwargs = call or given
        if holds_own((args, kwargs), region_modules(self.location)):
            args, kwargs = renewed((args, kwargs))
        state = self.shared.get("state")
        if isinstance(model, torch.nn.Module):
            if state and state.keys() == model.state_dict().keys():
                model.load_state_dict(state)
            if "captured" not in self.location.recipe:  # else every part of it is in the mode it was in
                model.train(self.setup.train)
            if other_mode:
                model.train(not model.training)
            model = self.placed(model)
            _materialise(model, *self.placed(clone(given)))  # the model may refuse another call
            self.tf32 = self.setup.device.startswith("cuda") and _may_round_to_tf32(model)
        program = ProgramState(
            self._process, modules_with(region_modules(self.location), model), main_module(self.location)
        )
        case = Case(model, self.placed(clone(args)), self.placed(clone(kwargs)), program)
        case.built = program.after_construction(model) if built else None
        return case

    def source_records(self) -> dict[str, Any]:
        """What this source does uncompiled with the given call: in both modes, and with gradients, large ones too."""
        return {"record": self.observe(self.fresh(built=True), again=True), **self.further_records()}

    def further_records(self) -> dict[str, Any]:
        """All of these but the call as it is timed."""
        records: dict[str, Any] = {"gradients": self.observe(self.fresh(), gradients=True)}
        case = self.fresh()
        seed_all(self.setup.seed + 1)
        records["strained"] = strained_gradients(case.model, case.args, case.kwargs)
        other = self.fresh(other_mode=True)
        if isinstance(other.model, torch.nn.Module):
            records["mode"] = "training" if other.model.training else "evaluation"
            records["other_mode"] = self.observe(other, gradients=True)
        return records

    def placed(self, value: Any) -> Any:
        """A module or arguments on the arm's device, unless they were recorded with places of their own."""
        if self.location.recipe.get("placed"):
            return value
        return (
            value.to(self.setup.device) if isinstance(value, torch.nn.Module) else to_device(value, self.setup.device)
        )

    def compiled(self, model: Any, backend: str = "", in_mode: bool = False) -> Callable[..., Any]:
        """The model under torch.compile as the user requested it, or with another backend, in no mode if not asked."""
        if self.shared["uses_rng"]:
            import torch._inductor.config as inductor

            inductor.fallback_random = True  # the compiled model then draws the numbers eager drew
        how: dict[str, Any] = {"backend": backend or self.setup.backend, "dynamic": self.setup.dynamic}
        if self.setup.mode and (in_mode or not backend):  # only Inductor takes one, even if it is None
            how["mode"] = self.setup.mode
        compiled: Callable[..., Any] = torch.compile(model, **how)
        return compiled

    def observe(self, case: Case, **how: Any) -> Record:
        """All that one call does, under the seed of every call."""
        return observe(case, self.setup.seed + 1, **how)

    def observe_within(self, case: Case, **how: Any) -> Record:
        """The same of a call with inputs that verify has made; of one that does not end, that it does not."""
        try:
            with time_limit(self.shared["given_s"]):
                return self.observe(case, **how)
        except OutOfTime:
            return {"exception": f"OutOfTime: the call takes more than {FACTOR:g} times as long as the given one"}

    def observation(self, case: Case, compiled: Callable[..., Any]) -> Observation:
        """The same of a compiled model, call by call; with gradients where it is to train."""
        return Observation(case, self.setup.seed + 1, compiled, self.setup.train)

    def repeated(self, case: Case) -> Any:
        """What a model that has been called gives for the same call once more."""
        try:
            return Observation(case, self.setup.seed + 1).repeated()
        except Exception as error:  # noqa: BLE001 - then it is not the same
            return type(error).__name__

    def in_float64(self, call: Any = None, gradients: bool = False, raising: bool = False) -> Record | None:
        """The same call in float64; None when the model does not run so, or a record of what it raises (`raising`)."""
        case = self.fresh(call)
        if not isinstance(case.model, torch.nn.Module):
            return None
        try:
            with torch.autocast(torch.device(self.setup.device).type, enabled=False):
                wide = Case(torch.nn.Module.double(case.model), *in_dtype((case.args, case.kwargs), torch.float64))
                record = self.observe(wide, gradients=gradients, again=not gradients)
        except (MemoryError, torch.OutOfMemoryError):
            return None
        return None if "exception" in record and not raising else without_dead_gradients(record)

    def in_low_precision(self) -> dict[str, Record]:
        """The same call in float16 and under autocast."""
        device, told = torch.device(self.setup.device).type, dict[str, Record]()
        for name in (IN_HALF, AUTOCAST) if self.shared.get("call_s", SHORT_S) < SHORT_S else ():
            case, is_half = self.fresh(), name != AUTOCAST
            if not isinstance(case.model, torch.nn.Module):
                break
            if is_half:
                case = Case(torch.nn.Module.half(case.model), *in_dtype((case.args, case.kwargs), torch.float16))
            with torch.autocast(device, torch.bfloat16, enabled=not is_half):
                seen = self.observe_within(case)
            told[name] = low_precision_record(seen)
        return told

    def read_shared(self) -> None:
        """Take over what the eager arm left."""
        self.shared = torch.load(self.setup.reference, weights_only=False)

    @property
    def waited_s(self) -> float:
        """Seconds for which this process has waited for the device so far."""
        return self._way.waited_s if self._way else 0.0

    def forget_compiled(self) -> None:
        """Wipe Dynamo's memory."""
        import torch._dynamo

        torch._dynamo.reset()
        if self._way:
            self._way.install()

    def stopwatch(self, call: Callable[..., Any], case: Case) -> Stopwatch:
        """A stopwatch for steady calls."""
        return Stopwatch(call, case, self.setup.device, self.setup.train, self.setup.cuda_graphs)

    def attempt(self, action: Callable[[Case], Any]) -> Outcome:
        """Run an action on a new model, with Dynamo's memory wiped; whether it went well, and its value or error."""
        self.forget_compiled()  # else frames given up while compiling would be skipped here without a word
        case = self.fresh()
        try:
            with guards_unmeasured(), nullcontext() if self.setup.train else torch.no_grad():
                value = action(case)
        except Exception as error:  # noqa: BLE001 - the reason it failed, whatever Dynamo or the model raised
            return {"ok": False, "error": in_one_line(error)}
        return {"ok": True, "error": None} | ({} if value is None else {"value": value})


def guards_unmeasured() -> AbstractContextManager[Any]:
    """Inside, Dynamo does not measure how long guards take, for which it empties the processor's caches.

    That is half of the time that a small graph takes to compile; where this time is reported, it belongs to it.
    """
    from torch._dynamo import guards

    return patch.object(guards, "profile_guard_manager", lambda *_: 0.0, create=True)


def _materialise(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Give the parameters of lazy modules their shapes, by a call as torch recommends before anything else is done."""
    if any(is_lazy(tensor) for tensor in (*model.parameters(), *model.buffers())):
        with torch.no_grad():
            model(*args, **kwargs)


def _may_round_to_tf32(model: torch.nn.Module) -> bool:
    """Does torch allow TF32 for what the model computes? By default for convolutions only, not for matrix products."""
    if torch.backends.cuda.matmul.allow_tf32:
        return True
    convolution = torch.nn.modules.conv._ConvNd
    return torch.backends.cudnn.allow_tf32 and any(isinstance(module, convolution) for module in model.modules())
