"""Graph breaks in tests and notebooks: list them, or assert that there are none.

    from breaklint import assert_no_graph_breaks

    def test_my_model_is_one_graph():
        assert_no_graph_breaks(MyModel(), torch.randn(2, 8))

Dynamo traces the model, and its graphs run uncompiled; nothing is timed. torch is imported by the first call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from breaklint.dynamo.breaks import failing_breaks
from breaklint.dynamo.events import Break
from breaklint.dynamo.listener import Listener
from breaklint.output.wording import number_of
from breaklint.source.shown_paths import shown

__all__ = ["Break", "assert_no_graph_breaks", "graph_breaks", "watch"]

CALLS = 3
"""Equal calls of a model if recompilations count: the first compiles, the second may make a number dynamic."""


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
    return list(trace(model, args, kwargs).breaks(as_list(own_paths)))


def assert_no_graph_breaks(
    model: Callable[..., Any],
    *args: Any,
    allow: Sequence[str] = (),
    own_paths: Sequence[str] = (),
    max_recompiles: int | None = None,
    more_calls: Sequence[Sequence[Any]] = (),
    **kwargs: Any,
) -> None:
    """Fail when the graph breaks as `model(*args, **kwargs)` is compiled.

    Args:
        model: a module or function.
        *args: the arguments of one call.
        allow: breaks that may stay: a GB id (`GB0170`), a file (`model.py`, `*/vendor/*`) or a line (`model.py:12`).
        own_paths: with these, only breaks in code below these folders count.
        max_recompiles: how many recompilations three equal calls and `more_calls` may cause; None: any number.
        more_calls: the positional arguments of further calls, of other sizes or values.
        **kwargs: the keyword arguments of the calls.

    Raises:
        AssertionError: the graph breaks, or compiles too often; the message names every line and why.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    listener = trace(model, args, kwargs, max_recompiles, more_calls)
    if wrong := judge(listener, allow, own_paths, max_recompiles):
        raise AssertionError(f"{name_of(model)}: {wrong}")


def trace(
    model: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    max_recompiles: int | None = None,
    more_calls: Sequence[Sequence[Any]] = (),
) -> Listener:
    """Call the model, or the original of a compiled one, under Dynamo; each call gets copies of the tensors.

    With a limit of recompilations, the call is made `CALLS` times. `more_calls` follow.

    Raises:
        TypeError: the model is a class.
    """
    import torch

    from breaklint.verify.arm.calls import clone

    if isinstance(model, type):  # torch.compile would change the class itself
        raise TypeError(f"{model.__qualname__} is a class: give an instance of it, {model.__qualname__}(...)")
    model = getattr(model, "_orig_mod", getattr(model, "_torchdynamo_orig_callable", model))
    with watch() as listener:
        compiled: Any = torch.compile(model, backend="eager")
        for inputs in (*[args] * (1 if max_recompiles is None else CALLS), *more_calls):
            compiled(*clone(tuple(inputs)), **clone(kwargs))
    return listener


@contextmanager
def watch() -> Iterator[Listener]:
    """Listen to everything that is compiled inside the block; earlier compilations are discarded."""
    import torch

    torch._dynamo.reset()  # frames that were given up earlier would be skipped without a word
    with Listener() as listener:
        yield listener


def judge(listener: Listener, allow: Sequence[str], own_paths: Sequence[str], max_recompiles: int | None) -> str:
    """The failure as text; "" if there is none. The arguments are those of `assert_no_graph_breaks`."""
    if result := failing_breaks(listener.breaks(as_list(own_paths)), as_list(allow), as_list(own_paths)):
        return "\n  ".join([number_of(len(result), "graph break"), *map(line, result)])
    if max_recompiles is not None and listener.recompiles > max_recompiles:
        return "\n  ".join([f"{listener.recompiles} recompiles, {max_recompiles} allowed", *listener.reasons])
    return ""


def as_list(values: str | Sequence[str]) -> list[str]:
    """A list; a single text becomes a list of one."""
    return [values] if isinstance(values, str) else list(values)


def line(broken: Break) -> str:
    """A break in one line: place, id and reason."""
    caller = broken.called_from
    origin = f" (called from {shown(caller[0])}:{caller[1]})" if caller else ""
    return f"{shown(broken.filename)}:{broken.row}{origin}: {broken.gb or 'no id'} {broken.reason}"


def name_of(model: object) -> str:
    """A function's name, or the class of a module."""
    return str(getattr(model, "__qualname__", type(model).__qualname__))
