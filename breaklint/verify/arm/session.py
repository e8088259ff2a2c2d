"""The state that the steps of an arm share: the model, its calls, its compilation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import torch
from torch.nn.parameter import is_lazy

from breaklint.verify.arm.branches import Rows
from breaklint.verify.arm.calls import Case, Observation, clone, in_dtype, seed_all, to_device
from breaklint.verify.arm.compare import compare
from breaklint.verify.arm.importing import Location
from breaklint.verify.arm.loading import load
from breaklint.verify.arm.process import FACTOR, OutOfTime, time_limit
from breaklint.verify.arm.record import Record, Values, attribute_of
from breaklint.verify.arm.stopwatch import Stopwatch
from breaklint.verify.arm.variants import Change

Call = tuple[tuple[Any, ...], dict[str, Any]]
RECORD, GRADIENTS, OTHER_MODE = "record", "gradients", "other mode"
"""The calls of a source with the given inputs: as it is timed in evaluation, with gradients, and in the other mode."""


@dataclass(frozen=True)
class Setup:
    """How every arm of a target runs: `reference` is the file of the original's records, `branches` rewritten rows."""

    device: str
    backend: str
    mode: str | None
    dynamic: bool | None
    train: bool
    seed: int
    reference: str
    branches: tuple[Rows, ...] = ()
    rewritten: bool = False

    @property
    def cuda_graphs(self) -> bool:
        """Whether the mode replays CUDA graphs, whose outputs the next call overwrites."""
        return self.device.startswith("cuda") and self.mode in ("reduce-overhead", "max-autotune")


@dataclass
class Probe:
    """A further call, with the records of the original: `exact` in float64.

    `sized`: its shapes differ. `compiled`: compiled arms also make it. `change` is a change of the model.
    """

    name: str
    inputs: Call
    record: Record
    exact: Record | None = None
    sized: bool = False
    compiled: bool = True
    change: Change | None = None

    @property
    def raises(self) -> bool:
        """Whether the original raises."""
        return "raised" in self.record


@dataclass
class Shared:
    """The results of the original for the other arms.

    `inputs` and `state` are None if other arms reproduce them. `exact` are records in float64, `again` the gradients of
    an equal call, `varying` the attributes that differ between equal runs, `attributes` the names of all attributes of
    modules.
    """

    inputs: Call | None = None
    state: dict[str, torch.Tensor] | None = None
    call_s: float = 0.0
    uses_rng: bool = False
    keys: list[str] = field(default_factory=list)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    records: dict[str, Record] = field(default_factory=dict)
    exact: dict[str, Record | None] = field(default_factory=dict)
    again: Values = field(default_factory=dict)
    varying: set[str] = field(default_factory=set)
    call_sequence: list[Record] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)


class ArmSession:
    """One arm's model: `shared` is the result of the eager arm, after it has been read.

    `tf32` states whether torch may round the model's results to TF32.
    """

    def __init__(self, location: Location, setup: Setup) -> None:
        self.location, self.setup = location, setup
        self.shared = Shared()
        self.tf32 = False

    def fresh(self, call: Call | None = None, other_mode: bool = False) -> Case:
        """The model as the eager arm had it before its first call: same seed, same state, same inputs (or `call`).

        `other_mode` is training if calls are timed in evaluation, and the reverse.
        """
        seed_all(self.setup.seed)
        model, own = load(self.location, self.setup.device)
        inputs = self.shared.inputs or own
        args, kwargs = call or inputs
        state = self.shared.state
        if isinstance(model, torch.nn.Module):
            if state and state.keys() == model.state_dict().keys():
                model.load_state_dict(state)
            if "captured" not in self.location.recipe:  # else every part of it is in the mode it was in
                model.train(self.setup.train)
            if other_mode:
                model.train(not model.training)
            model = self.on_device(model)
            _materialise(model, *self.on_device(clone(inputs)))  # the model may refuse another call
            self.tf32 = self.setup.device.startswith("cuda") and _may_round_to_tf32(model)
        return Case(model, self.on_device(clone(args)), self.on_device(clone(kwargs)))

    def source_records(self) -> dict[str, Record]:
        """The record of the uncompiled call of this source."""
        records = {
            RECORD: self.observe(self.fresh(), again=True),
            GRADIENTS: self.observe(self.fresh(), gradients=True),
        }
        other = self.fresh(other_mode=True)
        if isinstance(other.model, torch.nn.Module):
            records[OTHER_MODE] = self.observe(other, gradients=True)
        return records

    def on_device(self, value: Any) -> Any:
        """A module or arguments on the arm's device, unless they were recorded with places of their own."""
        if self.location.recipe.get("own_devices"):
            return value
        if isinstance(value, torch.nn.Module):
            return value.to(self.setup.device)
        return to_device(value, self.setup.device)

    def compiled(self, model: Any, backend: str | Callable[..., Any] = "") -> Callable[..., Any]:
        """The model under torch.compile as the user requested it, or with another backend and in no mode."""
        if self.shared.uses_rng:
            import torch._inductor.config as inductor

            inductor.fallback_random = True  # the compiled model then draws the numbers eager drew
        how: dict[str, Any] = {"backend": backend or self.setup.backend, "dynamic": self.setup.dynamic}
        if self.setup.mode and not backend:  # only Inductor takes one, even if it is None
            how["mode"] = self.setup.mode
        compiled: Callable[..., Any] = torch.compile(model, **how)
        return compiled

    def observation(self, case: Case, compiled: Callable[..., Any]) -> Observation:
        """Calls of a compiled model, with gradients if it is to train."""
        return Observation(case, self.setup.seed + 1, compiled, self.setup.train)

    def observe(
        self, case: Case, call: Callable[..., Any] | None = None, gradients: bool = False, again: bool = False
    ) -> Record:
        """Call the model (or `call`, its compiled form) once under the seed of every call.

        With `again` go on as arms do that are compiled: some equal calls, and one on other values.
        """
        observation = Observation(case, self.setup.seed + 1, call, gradients)
        record = observation.first()
        if again:
            observation.steady()
            observation.again()
        return record

    def observe_within(self, case: Case, **how: Any) -> Record:
        """The record of a call with inputs created by verify, with a time limit."""
        try:
            with time_limit(self.shared.call_s):
                return self.observe(case, **how)
        except OutOfTime:
            return {"raised": f"OutOfTime: the call takes more than {FACTOR:g} times as long as the given one"}

    def in_float64(self, call: Call | None = None, gradients: bool = False) -> Record | None:
        """The same call in float64; None if it does not run so, or draws random numbers, which float64 changes."""
        if self.shared.uses_rng:
            return None
        case = self.fresh(call)
        if not isinstance(case.model, torch.nn.Module):
            return None
        try:
            with torch.autocast(torch.device(self.setup.device).type, enabled=False):
                wide = Case(torch.nn.Module.double(case.model), *in_dtype((case.args, case.kwargs), torch.float64))
                record = self.observe(wide, gradients=gradients, again=not gradients)
        except (MemoryError, torch.OutOfMemoryError):
            return None
        return None if "raised" in record else record

    def compare(self, expected: Record, actual: Record, exact: Record | None = None, swings: bool = True) -> list[str]:
        """How a record of this arm differs from one of the original; gradients may swing as those of equal calls do."""
        if self.shared.varying and "state" in expected:
            steady = {at: v for at, v in expected["state"].items() if attribute_of(at) not in self.shared.varying}
            expected = expected | {"state": steady}
        return compare(expected, actual, exact, self.tf32, self.shared.again if swings else None)

    def read_shared(self) -> Shared:
        """The results of the eager arm."""
        if not self.shared.records:
            self.shared = torch.load(self.setup.reference, weights_only=False)
        return self.shared

    def forget_compiled(self) -> None:
        """Wipe Dynamo's memory."""
        import torch._dynamo

        torch._dynamo.reset()

    def stopwatch(self, call: Callable[..., Any], case: Case) -> Stopwatch:
        """A stopwatch for steady calls."""
        return Stopwatch(call, case, self.setup.device, self.setup.train, self.setup.cuda_graphs)


def guards_unmeasured() -> AbstractContextManager[Any]:
    """Inside, Dynamo does not measure how long guards take, for which it empties the processor's caches.

    That is half of the compile time of a small graph; it is included where compile time is reported.
    """
    from torch._dynamo import guards

    return patch.object(guards, "profile_guard_manager", lambda *_: 0.0, create=True)


def _materialise(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Give the parameters of lazy modules their shapes, by a call as torch recommends before anything else is done."""
    if any(is_lazy(tensor) for tensor in (*model.parameters(), *model.buffers())):
        with torch.no_grad():
            model(*args, **kwargs)


def _may_round_to_tf32(model: torch.nn.Module) -> bool:
    """Whether torch allows TF32 for the model: by default for convolutions only, not for matrix products."""
    if torch.backends.cuda.matmul.allow_tf32:
        return True
    convolution = torch.nn.modules.conv._ConvNd
    return torch.backends.cudnn.allow_tf32 and any(isinstance(module, convolution) for module in model.modules())
