"""Call a model under fixed conditions, with or without gradients, and record the effects."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten

from breaklint.verify.arm.process import in_one_line
from breaklint.verify.arm.record import Record, aliases, named_tensors, random_state, snapshot, state, tensors_of

STEADY_CALLS = 3
"""Equal calls in all arms, after the first call and before the call on other values: the state must stay equal."""
DEVICE_ERROR = "AcceleratorError"
"""The exception that torch raises once the device has failed an assert, and for every call from then on."""
SHRUNK = 0.875
"""The factor of every number in the call on other values: positive numbers and probabilities stay valid."""
SHIFT = 0.01
"""How far parameters are moved besides, each element otherwise, since many a weight begins as zero."""


@dataclass
class Case:
    """A freshly built model and the arguments of one call, on the arm's device."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Observation:
    """Calls of one model, or of its `compiled` form, whose exceptions propagate; `record` contains the effects."""

    def __init__(self, case: Case, seed: int, compiled: Callable[..., Any] | None = None, gradients: bool = False):
        self._case, self._seed, self._compiled, self._gradients = case, seed, compiled, gradients
        arguments = (case.args, case.kwargs)
        self._inputs, self._leaves = with_gradients(arguments) if gradients else (clone(arguments), [])
        self._flat_inputs, self._structure = tree_flatten(self._inputs)
        self._output: Any = None
        self.record: Record = {}

    def first(self) -> Record:
        """The first call, with all its effects."""
        record, plain = self.record, self._compiled is None
        seed_all(self._seed)
        printed = io.StringIO()
        try:
            with self._grad_mode(), redirect_stdout(printed) if plain else nullcontext():
                self._output = self._call()
        except Exception as error:
            if not plain or _is_the_machines(error):
                raise
            record["raised"] = in_one_line(error)
        else:
            record["output"] = snapshot(self._output, "output")
        if plain:
            record["random"] = {"the state of the random generators": random_state()}
            record["aliases"] = aliases(self._output, self._inputs, named_tensors(self._case.model))
            record["printed"] = printed.getvalue()
        if self._gradients:
            record["gradients"] = self._backward(plain)
        record["inputs"] = snapshot([*self._inputs], "inputs")
        record["state"] = state(self._case.model)
        return record

    def steady(self) -> None:
        """The equal calls at the start of the timing of a compiled model; if they fail, so does the next one."""
        arguments, structure = tree_flatten(clone((self._case.args, self._case.kwargs)))
        with suppress(Exception), self._grad_mode():
            for _ in range(STEADY_CALLS):
                args, kwargs = tree_unflatten(arguments, structure)  # containers that a call may change
                self._callee(*args, **kwargs)

    def again(self) -> None:
        """Calls on other values in the same memory: they show a cache by the last input or its address."""
        if "raised" in self.record:
            return
        first, self._output = self._output, None
        output = self._call_on_other_values()
        if self._compiled is None and output is not None:
            earlier = {f"earlier output {n}": tensor for n, tensor in enumerate(tensors_of(first))}
            self.record["again aliases"] = aliases(output, (), earlier)

    def _call_on_other_values(self) -> Any:
        """Two calls of the same tensors; the output of the second, on other values, is recorded."""
        arguments = (self._case.args, self._case.kwargs)
        with suppress(Exception), torch.no_grad():
            for value, place in _pairs(arguments, self._in_same_memory()):
                place.copy_(value)
        self._inputs = self._in_same_memory()
        with suppress(Exception), self._grad_mode():
            self._call()
        with changed_in_place(self._case.model, arguments, self._in_same_memory()) as possible:
            if not possible:
                return None
            self._inputs = self._in_same_memory()
            seed_all(self._seed)
            try:
                with self._grad_mode():
                    output = self._call()
            except Exception as error:  # noqa: BLE001 - a model may refuse these values; then both sides have to
                self.record["again"] = {"raised": in_one_line(error).partition(":")[0]}
                return None
            self.record["again"] = snapshot(output, "output")
            return output

    def _in_same_memory(self) -> Any:
        return tree_unflatten(self._flat_inputs, self._structure)  # containers that a call may change

    def _backward(self, plain: bool) -> dict[str, Any]:
        """The gradients of parameters and inputs, by name."""
        loss = None if "raised" in self.record else loss_of(self._output)
        try:
            if loss is not None:
                loss.backward()
        except Exception as error:
            if not plain or _is_the_machines(error):
                raise
            return {"backward": f"raises {in_one_line(error).partition(':')[0]}"}
        parameters = self._case.model.named_parameters() if isinstance(self._case.model, torch.nn.Module) else ()
        leaves = [*((f"input {index}", leaf) for index, leaf in enumerate(self._leaves)), *parameters]
        return {f"gradients.{name}": None if t.grad is None else t.grad.detach().cpu().clone() for name, t in leaves}

    def _call(self) -> Any:
        args, kwargs = self._inputs
        return self._callee(*args, **kwargs)

    @property
    def _callee(self) -> Callable[..., Any]:
        return self._case.model if self._compiled is None else self._compiled

    def _grad_mode(self) -> AbstractContextManager[None]:
        return nullcontext() if self._gradients else torch.no_grad()


def _is_the_machines(error: Exception) -> bool:
    """Whether an error is that of the machine: out of memory, or a device assert, after which every CUDA call fails."""
    if "DefaultCPUAllocator: can't allocate memory" in str(error):
        return True
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or type(error).__name__ == DEVICE_ERROR


def with_gradients(tree: Any) -> tuple[Any, list[torch.Tensor]]:
    """The arguments with every float tensor differentiable, and the leaves that will have the gradients."""
    leaves: list[torch.Tensor] = []

    def differentiable(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.is_floating_point():
            return leaf
        leaves.append(leaf.detach().clone().requires_grad_())
        return leaves[-1].clone()  # not a leaf, so that forward may change it in place

    return tree_map(differentiable, tree), leaves


def loss_of(output: Any) -> torch.Tensor | None:
    """A scalar that depends on every differentiable output, each element with a weight of its own (None: none is)."""
    total: torch.Tensor | None = None
    for leaf in tensors_of(output):
        if leaf.requires_grad:
            weights = torch.arange(leaf.numel(), dtype=torch.float32, device=leaf.device).cos().view(leaf.shape)
            real = torch.view_as_real(leaf.resolve_conj()).sum(-1) if leaf.is_complex() else leaf
            part = real.float().mul(weights).sum()
            total = part if total is None else total + part
    return total


@contextmanager
def changed_in_place(model: Any, arguments: Any, inputs: Any) -> Iterator[bool]:
    """Inside, `inputs` has reduced values of `arguments`, and parameters differ; False if none can."""
    parameters = model.parameters() if isinstance(model, torch.nn.Module) else ()
    own: list[torch.Tensor] = [parameter for parameter in parameters if _has_floats(parameter)]
    values = [parameter.detach().clone() for parameter in own]
    try:
        try:
            changed = _change(arguments, inputs, integers=not own) or bool(own)
            with torch.no_grad():
                for parameter, value in zip(own, values, strict=True):
                    waves = torch.arange(value.numel(), device=value.device, dtype=torch.float32).cos()
                    parameter.copy_(value * SHRUNK + SHIFT * waves.view(value.shape).to(value.dtype))
        except RuntimeError:  # memory that may not be written, or that elements share
            changed = False
        yield changed
    finally:
        with torch.no_grad():
            for parameter, value in zip(own, values, strict=True):
                parameter.copy_(value)


def _change(arguments: Any, inputs: Any, integers: bool) -> bool:
    """Make all floats smaller; if there are none, and `integers`, pass whole numbers on from place to place."""
    pairs = list(_pairs(arguments, inputs))
    floats = [(value, place) for value, place in pairs if _has_floats(value)]
    whole = [(v, p) for v, p in pairs if v.numel() > 1 and not _has_floats(v)] if integers and not floats else []
    with torch.no_grad():
        for value, place in floats:
            place.copy_(value * SHRUNK)
        for value, place in whole:
            place.copy_(value.flatten().roll(1).view(value.shape))
    return bool(floats or whole)


def _pairs(arguments: Any, inputs: Any) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    for value, place in zip(tree_leaves(arguments), tree_leaves(inputs), strict=False):
        if isinstance(value, torch.Tensor) and isinstance(place, torch.Tensor) and value.shape == place.shape:
            yield value.detach(), place.detach()


def _has_floats(tensor: torch.Tensor) -> bool:
    return tensor.numel() > 0 and (tensor.is_floating_point() or tensor.is_complex())


def clone(tree: Any) -> Any:
    """A copy of a call's arguments that the call may change; leaf tensors keep `requires_grad`."""
    return _mapped(lambda x: x.detach().clone().requires_grad_(x.requires_grad), tree)


def in_dtype(tree: Any, dtype: torch.dtype) -> Any:
    """The same containers with every float tensor in another dtype."""
    return _mapped(lambda x: x.to(dtype) if x.is_floating_point() else x, tree)


def to_device(tree: Any, device: str) -> Any:
    """The same containers with every tensor on `device`."""
    return _mapped(lambda x: x.to(device), tree)


def _mapped(change: Callable[[torch.Tensor], torch.Tensor], tree: Any) -> Any:
    return tree_map(lambda x: change(x) if isinstance(x, torch.Tensor) else x, tree)


def seed_all(seed: int) -> None:
    """Seed torch, random, and numpy if it is loaded."""
    if _has_accelerator():
        torch.manual_seed(seed)
    else:  # it would record the call site for each kind of device, which is slower than many models
        torch.default_generator.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


@cache
def _has_accelerator() -> bool:
    return torch.accelerator.is_available()
