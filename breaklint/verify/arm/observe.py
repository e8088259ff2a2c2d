"""Call a model under fixed conditions and record what it does."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.changing import changed_in_place, clone, copy_all
from breaklint.verify.arm.gradients import gradients, loss_of, with_gradients
from breaklint.verify.arm.outside import OUTSIDE
from breaklint.verify.arm.parts import classes, shared_memory, strides, tensors_of
from breaklint.verify.arm.process_state import drawn
from breaklint.verify.arm.program_state import ProgramState
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.state import kept

STEADY_CALLS = 3
"""Equal calls between the first and that on changed values, in all arms: what a module keeps must be the same."""


DEVICE_ERROR = "AcceleratorError"
"""What torch raises once the device has failed an assert, and for every call from then on."""


@dataclass
class Case:
    """A freshly built model and the arguments of one call, on the arm's device.

    `program` is what is around the model, `built` what all of it held before the first call, where that is recorded.
    """

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    program: ProgramState | None = None
    built: Record | None = None


def observe(
    case: Case, seed: int, call: Callable[..., Any] | None = None, gradients: bool = False, again: bool = False
) -> Record:
    """Call the model (or `call`, its compiled form) once under `seed`; with `again` go on as arms do that are compiled:
    some equal calls, and one on changed values.

    An exception of the plain model is part of the record, as are what it prints and which outputs share memory; an
    exception of the compiled model propagates.
    """
    observation = Observation(case, seed, call, gradients)
    record = observation.first()
    if again:
        observation.steady()
        observation.again()
    return record


class Observation:
    """Calls of one model under one seed; `record` tells what they did."""

    def __init__(self, case: Case, seed: int, call: Callable[..., Any] | None = None, gradients: bool = False) -> None:
        self._case, self._seed, self._compiled, self._gradients = case, seed, call, gradients
        self._leaves: list[torch.Tensor] = []
        self._output: Any = None
        if gradients:
            (self._args, self._kwargs), self._leaves = with_gradients((case.args, case.kwargs))
        else:
            self._args, self._kwargs = clone(case.args), clone(case.kwargs)
        self._given, self._structure = tree_flatten((self._args, self._kwargs))
        self.record: Record = {}

    def first(self) -> Record:
        """The call as it is given, with all that can be seen of it."""
        record, plain = self.record, self._compiled is None
        seed_all(self._seed)
        with self._grad_mode(), _recorded(record, plain):
            self._output = self._called(record) if plain else self._call()
        if "exception" not in record:
            record["output"], record["classes"] = snapshot(self._output), classes(self._output)
            if self._gradients and (loss := loss_of(self._output)) is not None:
                with _recorded(record, plain):
                    loss.backward()
        record["inputs"] = snapshot([self._args, self._kwargs])
        record["state"] = snapshot(kept(self._case.model))
        if plain and (program := self._case.program):
            record |= {"drawn": drawn(), "globals": program.globals()}
            record |= {"built": self._case.built} if self._case.built else {}
        if self._gradients:
            record["gradients"] = gradients(self._case.model, self._leaves)
        return record

    def steady(self) -> None:
        """The equal calls that a compiled model makes when it is timed first; where they fail, so does the next one."""
        given, structure = tree_flatten(clone((self._case.args, self._case.kwargs)))
        with suppress(Exception), self._grad_mode():
            for _ in range(STEADY_CALLS):
                args, kwargs = tree_unflatten(given, structure)  # containers that a call may change
                self._callee(*args, **kwargs)

    def again(self) -> None:
        """A call with the same memory and other values in it: `again` in the record, unless the first call failed.

        What a model keeps from one call to the next, by the place of its inputs or by none, shows in it.
        """
        if "exception" in self.record:
            return
        first, self._output = self._output, None
        self._args, self._kwargs = tree_unflatten(self._given, self._structure)
        given, held = (self._case.args, self._case.kwargs), (self._args, self._kwargs)
        with changed_in_place(self._case.model, given, held) as possible:
            if not possible:
                return
            told: Record = {}
            seed_all(self._seed)
            try:
                with self._grad_mode():
                    output = self._call()
                told["output"] = snapshot(output)
                told["kept"] = sorted(shared_memory(tensors_of(output), list(tensors_of(first)), {}).items())
            except Exception as error:  # noqa: BLE001 - a model may refuse these values; then both sides have to
                told["exception"] = type(error).__name__
        self.record["again"] = told

    def repeated(self) -> Any:
        """What one more call as the first gives: the same, where the model remembers nothing and draws nothing."""
        self._args, self._kwargs = tree_unflatten(self._given, self._structure)
        copy_all((self._case.args, self._case.kwargs), (self._args, self._kwargs))
        with self._grad_mode():
            return snapshot(self._call())

    def _call(self) -> Any:
        return self._callee(*self._args, **self._kwargs)

    @property
    def _callee(self) -> Callable[..., Any]:
        return self._case.model if self._compiled is None else self._compiled

    def _grad_mode(self) -> AbstractContextManager[None]:
        return nullcontext() if self._gradients else torch.no_grad()

    def _called(self, record: Record) -> Any:
        before = named_tensors(self._case.model)
        with (
            redirect_stdout(io.StringIO()) as printed,
            redirect_stderr(io.StringIO()) as said,
            OUTSIDE.noted() as events,
        ):
            output = self._call()
        after = named_tensors(self._case.model)
        record["printed"], record["outside"] = printed.getvalue(), dict(events)
        record["warned"] = self._case.program.warnings_in(said.getvalue()) if self._case.program else []
        record["rebound"] = {name: True for name in before if name in after and before[name] is not after[name]}
        record["settings"] = self._case.program.settings() if self._case.program else {}
        given, state = (self._args, self._kwargs), state_of(self._case.model)
        record["memory"], record["strides"] = shared_memory(tensors_of(output), given, state), strides(output)
        return output


@contextmanager
def _recorded(record: Record, plain: bool) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not plain or _is_the_machines(error):
            raise
        record["exception"] = f"{type(error).__name__}: {error}"


def _is_the_machines(error: Exception) -> bool:
    """Out of memory, or a device assert after which every CUDA call fails: no result of the model's."""
    if "DefaultCPUAllocator: can't allocate memory" in str(error):
        return True
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or type(error).__name__ == DEVICE_ERROR


def state_of(model: Any) -> dict[str, torch.Tensor]:
    """The module's parameters and buffers themselves (nothing for a plain function)."""
    return dict(model.state_dict()) if isinstance(model, torch.nn.Module) else {}


def named_tensors(model: Any) -> dict[str, torch.Tensor]:
    """The module's own parameters and buffers, not what a state dict makes of them."""
    if not isinstance(model, torch.nn.Module):
        return {}
    return dict(model.named_parameters()) | dict(model.named_buffers())


def same_state(one: Any, other: Any) -> bool:
    """Have two models equal parameters and buffers?"""
    left, right = state_of(one), state_of(other)
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


def draws_random_numbers(action: Callable[[], object]) -> bool:
    """Run `action`; did it advance torch's random generators?"""
    before = _generators()
    action()
    return not all(torch.equal(a, b) for a, b in zip(before, _generators(), strict=False))


def seed_all(seed: int) -> None:
    """Seed torch, random, and numpy if it is loaded."""
    if _has_accelerator():
        torch.manual_seed(seed)
    else:  # it would note for each kind of device where it was called from, which takes longer than many a model
        torch.default_generator.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


@cache
def _has_accelerator() -> bool:
    return torch.accelerator.is_available()


def to_device(tree: Any, device: str) -> Any:
    """The same containers with every tensor on `device`."""
    return tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, tree)


def _generators() -> list[torch.Tensor]:
    cuda = [torch.cuda.get_rng_state()] if torch.cuda.is_available() and torch.cuda.is_initialized() else []
    return [torch.get_rng_state(), *cuda]
