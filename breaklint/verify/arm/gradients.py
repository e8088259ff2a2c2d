"""Make a call differentiable, and record its gradients."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from typing import Any

import torch
from torch.utils._pytree import tree_map

from breaklint.verify.arm.accuracy import Record
from breaklint.verify.arm.parts import tensors_of
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.user_lines import in_one_line

STRAIN = 1000.0
"""How many times as large gradients are in the call that shows whether something limits them."""


def with_gradients(tree: Any) -> tuple[Any, list[torch.Tensor]]:
    """The arguments with every float tensor differentiable, and the leaves that will hold the gradients."""
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
            part = (
                (torch.view_as_real(leaf.resolve_conj()).sum(-1) if leaf.is_complex() else leaf)
                .float()
                .mul(weights)
                .sum()
            )
            total = part if total is None else total + part
    return total


def backward(output: Any) -> None:
    """The gradients of `loss_of`, where there are any."""
    if (loss := loss_of(output)) is not None:
        loss.backward()


def strained_gradients(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Record:
    """Gradients of a large loss, and `second` derivatives where the model has them."""
    (args, kwargs), leaves = with_gradients((args, kwargs))
    record: Record = {}
    with redirect_stdout(io.StringIO()), suppress(Exception):  # what raises here raises in the usual calls as well
        loss = loss_of(model(*args, **kwargs))
        named = [(name, tensor) for name, tensor in _named(model, leaves) if tensor.requires_grad]
        if loss is None or not named:
            return record
        tensors = [tensor for _, tensor in named]
        first = torch.autograd.grad(loss * STRAIN, tensors, create_graph=True, allow_unused=True)
        record["gradients"] = _by_name(named, [each if each is None else each / STRAIN for each in first])
        again = loss_of([each / STRAIN for each in first if each is not None])
        if again is None:
            return record
        try:
            second = torch.autograd.grad(again, tensors, allow_unused=True)
        except (RuntimeError, NotImplementedError) as error:
            record["not_twice"] = in_one_line(error)
        else:
            record["second"] = _by_name(named, second)
    return record


def _by_name(named: Sequence[tuple[str, torch.Tensor]], values: Sequence[torch.Tensor | None]) -> Record:
    return {name: snapshot(value) for (name, _), value in zip(named, values, strict=True)}


def gradients(model: Any, leaves: list[torch.Tensor]) -> dict[str, Any]:
    """Those that parameters and inputs have."""
    return {name: snapshot(tensor.grad) for name, tensor in _named(model, leaves)}


def _named(model: Any, leaves: list[torch.Tensor]) -> list[tuple[str, torch.Tensor]]:
    parameters = model.named_parameters() if isinstance(model, torch.nn.Module) else ()
    return [*((f"input{index}", leaf) for index, leaf in enumerate(leaves)), *parameters]
