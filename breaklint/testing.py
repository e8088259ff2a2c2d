"""Graph breaks in tests and notebooks: list them, or assert that there are none.

    from breaklint.testing import assert_no_graph_breaks

    def test_my_model_is_one_graph():
        assert_no_graph_breaks(MyModel(), torch.randn(2, 8))

Dynamo traces the model, and its graphs run uncompiled; nothing is timed. torch is imported by the first call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from breaklint.verify.breaks import gated, read_reports
from breaklint.verify.paths import shown
from breaklint.verify.results import Break

__all__ = ["Break", "Traced", "assert_no_graph_breaks", "graph_breaks", "trace"]

CALLS = 3
"""How often a model is called when recompilations count: the first compiles, the second may make shapes dynamic."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What Dynamo did with a model: the lines on which it broke the graph, and how often it compiled a frame anew."""

    breaks: tuple[Break, ...]
    recompiles: int


def trace(
    model: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], own_paths: Sequence[str], calls: int
) -> Traced:
    """Call the model under Dynamo, as it stands: its device, training flag and the grad mode are the caller's.

    Args:
        model: a module or function; of one that is compiled already, what it was compiled from.
        args: the positional arguments. Every call gets copies of the tensors.
        kwargs: the keyword arguments.
        own_paths: folders whose code is the caller's own; without any, all code outside installed packages is.
        calls: how many times to call; recompilations show from the second on.
    """
    import torch

    from breaklint.verify.accuracy import clone
    from breaklint.verify.trace import CompileTrace

    model = getattr(model, "_orig_mod", getattr(model, "_torchdynamo_orig_callable", model))
    torch._dynamo.reset()  # frames that an earlier call gave up would be skipped without a word
    compiled: Any = torch.compile(model, backend="eager")
    with CompileTrace() as seen:
        for _ in range(calls):
            compiled(*clone(tuple(args)), **clone(kwargs))
    return Traced(read_reports(seen.breaks, own_paths), seen.recompiles)


def graph_breaks(model: Callable[..., Any], *args: Any, own_paths: Sequence[str] = (), **kwargs: Any) -> list[Break]:
    """Every line on which the graph breaks when `model(*args, **kwargs)` is compiled, in the order they are met.

    Unlike `torch._dynamo.explain`, this also sees breaks in loops, in `try` blocks and in functions that are called.
    Each has `filename`, `row`, `gb` (the id in torch's registry, "" when it has none) and `reason`; `own` is False in
    dependency code, and `called_from` is then the own line that led there.

    Args:
        model: a module or function.
        *args: the arguments of one call.
        own_paths: folders whose code counts as own.
        **kwargs: the keyword arguments of the call.
    """
    return list(trace(model, args, kwargs, own_paths, calls=1).breaks)


def assert_no_graph_breaks(
    model: Callable[..., Any],
    *args: Any,
    allow: Sequence[str] = (),
    own_paths: Sequence[str] = (),
    max_recompiles: int | None = None,
    **kwargs: Any,
) -> None:
    """Fail when the graph breaks as `model(*args, **kwargs)` is compiled.

    Args:
        model: a module or function.
        *args: the arguments of one call.
        allow: breaks that may stay: a GB id (`GB0170`), a file (`model.py`, `*/vendor/*`) or a line (`model.py:12`).
        own_paths: with these, only breaks in code below these folders count.
        max_recompiles: how many recompilations three equal calls may cause; None does not look.
        **kwargs: the keyword arguments of the call.

    Raises:
        AssertionError: the graph breaks, or compiles too often; the message names every line and why.
    """
    traced = trace(model, args, kwargs, own_paths, calls=1 if max_recompiles is None else CALLS)
    name = getattr(model, "__qualname__", type(model).__qualname__)
    if found := gated(traced.breaks, allow, own_paths):
        raise AssertionError("\n".join([f"{name}: {count(len(found))}", *(f"  {line(b)}" for b in found)]))
    if max_recompiles is not None and traced.recompiles > max_recompiles:
        times = f"{traced.recompiles} recompilations in {CALLS} equal calls"
        raise AssertionError(f"{name}: {times}, at most {max_recompiles} allowed; TORCH_LOGS=recompiles tells why")


def count(breaks: int) -> str:
    """`1 graph break`, `2 graph breaks`."""
    return f"{breaks} graph break{'' if breaks == 1 else 's'}"


def line(broken: Break) -> str:
    """A break in one line: place, id and reason."""
    caller = broken.called_from
    origin = f" (called from {shown(caller[0])}:{caller[1]})" if caller else ""
    return f"{shown(broken.filename)}:{broken.row}{origin}: {broken.gb or 'no id'} {broken.reason}"
