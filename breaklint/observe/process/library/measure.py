"""One mode of a library's model: eagerly, then under Dynamo; tells whether both compute the same."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from breaklint.observe.process.library.build import Built, seed
from breaklint.observe.process.library.rounding import close
from breaklint.observe.process.tracing import Tracing

Result = list[torch.Tensor]


class Graphs:
    """A backend that runs graphs as they are, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, graph: Any, inputs: Any) -> Any:
        """The graph's own forward."""
        self.count += 1
        return graph.forward


def measure(built: Built, training: bool, tracing: Tracing) -> dict[str, Any]:
    """Run the model; the lines of `tracing` tell what Dynamo did.

    The result has the number of `graphs`, whether outputs or gradients are `wrong` (None: two eager runs differ), and
    numbers that stand for the `outputs` of the eager run.
    """
    built.model.train(training)
    state = {name: value.detach().clone() for name, value in built.model.state_dict().items()}
    first = _run(built, built.model, training, state)
    graphs = Graphs()
    tracing.install()
    compiled = _run(built, torch._dynamo.optimize(graphs)(built.model), training, state)
    tracing.only_recompiles()
    count = graphs.count
    wrong: bool | None = not _equal(first, compiled)
    if wrong and not _equal(first, _run(built, built.model, training, state)):
        wrong = None
    _run(built, torch._dynamo.optimize(graphs)(built.model), training, state)
    return {"graphs": count, "wrong": wrong, "outputs": [_numbers(each) for each in first]}


def _run(built: Built, model: Any, training: bool, state: dict[str, Any]) -> Result:
    """Outputs and, in training, gradients; from the same state and random numbers each time."""
    built.model.load_state_dict(state)
    built.model.zero_grad(set_to_none=True)
    seed()
    with torch.set_grad_enabled(training):
        output = model(*built.args, **built.kwargs)
        results = [each for each in tree_leaves(output) if isinstance(each, torch.Tensor)]
        floats = [each for each in results if each.requires_grad and each.is_floating_point()]
        if training and floats:
            torch.stack([each.float().sum() for each in floats]).sum().backward()
    gradients = [each.grad for each in built.model.parameters() if each.grad is not None] if training else []
    return [each.detach().clone() for each in (*results, *gradients)]


def _equal(one: Result, other: Result) -> bool:
    return len(one) == len(other) and all(
        a.shape == b.shape and a.dtype == b.dtype and close(a, b) for a, b in zip(one, other, strict=True)
    )


def _numbers(value: torch.Tensor) -> list[float | int | None]:
    """The size, the sum and a weighted sum of a tensor: equal tensors have equal ones, others almost never."""
    flat = torch.nan_to_num(
        value.detach().to(torch.complex128 if value.is_complex() else torch.float64).flatten().abs()
    )
    weights = torch.arange(flat.numel(), dtype=torch.float64).mul(0.37).cos()
    return [flat.numel(), float(f"{flat.sum().item():.6g}"), float(f"{(flat * weights).sum().item():.6g}")]
