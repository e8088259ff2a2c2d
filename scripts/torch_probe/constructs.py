"""Facts for rules about small pieces of code that one version traces and another does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .dynamo import identify


class _Scope:
    def __init__(self, by: int = 0) -> None:
        self.by = by

    def __lt__(self, other: _Scope) -> bool:
        return self.by < other.by

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


SCOPE = _Scope()
NO_GRAD = torch.no_grad()


def max_by_key(x: torch.Tensor) -> torch.Tensor:
    """The largest tensor by its size."""
    return max([x, x * 2], key=lambda row: row.shape[0])


def max_of_view_by_key(x: torch.Tensor) -> torch.Tensor:
    """The largest pair of a dict by its value."""
    return x * max({"a": 1, "b": 2}.items(), key=lambda pair: pair[1])[1]


def external_context(x: torch.Tensor) -> torch.Tensor:
    """A context manager of a class of the program, created before."""
    with SCOPE:
        return x * 2


def external_grad_mode(x: torch.Tensor) -> torch.Tensor:
    """`no_grad`, created before."""
    with NO_GRAD:
        return x * 2


def check_with_text(x: torch.Tensor) -> torch.Tensor:
    """A check whose message is text."""
    torch._check(x.shape[0] > 1, "too few")
    return x * 2


def assert_in_loop(x: torch.Tensor) -> torch.Tensor:
    """A tensor is asserted in a loop."""
    for _ in range(2):
        assert (x < 100).all()
    return x * 2


def sort_of_objects(x: torch.Tensor) -> torch.Tensor:
    """Objects with `__lt__`, sorted."""
    return x * sorted([_Scope(2), _Scope(1)])[0].by


def sort_of_pairs(x: torch.Tensor) -> torch.Tensor:
    """Pairs of a number and a tensor, sorted without a key."""
    rows = [(2, x), (1, x * 2)]
    rows.sort()
    return rows[0][1]


CONSTRUCTS: tuple[Callable[[torch.Tensor], torch.Tensor], ...] = (
    max_by_key, max_of_view_by_key, external_context, external_grad_mode, check_with_text, assert_in_loop,
    sort_of_objects, sort_of_pairs,
)  # fmt: skip


def constructs() -> dict[str, str]:
    """For each construct `traced`, the id of the graph break it causes, or `error`."""
    return {function.__name__.replace("_", "-"): traced(function) for function in CONSTRUCTS}


def traced(function: Callable[[torch.Tensor], torch.Tensor]) -> str:
    """The result of tracing the function as one graph: `traced`, `error`, or the id of the graph break."""
    torch._dynamo.reset()
    compiled: Any = torch.compile(function, backend="eager", fullgraph=True)
    try:
        compiled(torch.ones(4, 2))
    except torch._dynamo.exc.Unsupported as error:
        return identify(error) or "error"
    except Exception:  # noqa: BLE001 (it is not traced, whatever stops it)
        return "error"
    return "traced"
