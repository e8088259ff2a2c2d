"""Sizes marked with `mark_dynamic` that the code fixes: torch raises ConstraintViolationError for them.

Measured on torch 2.13 and 2.15: without a range, a mark is violated where the guards leave one size only; with one,
where any size in the range fails a guard, as that of `if n > 5`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from breaklint.recompiles.objects import Tensor
from breaklint.recompiles.options import FIRST_DYNAMIC, Mark, Options
from breaklint.recompiles.sources import Guard
from breaklint.recompiles.world import World

FURTHER: Final = 64  # sizes above that of the call that are tried
MOST: Final = 4096  # sizes of a range that are tried


def violated(guards: Iterable[Guard], options: Options, world: World) -> Guard | None:
    """The first guard of a compilation that violates a mark, or asks for a value that may not be asked for."""
    all_guards = [*guards]
    for guard in all_guards:
        if any(source.text in options.dynamic_ints for source in guard.sources) and not guard.text.startswith("type("):
            return guard
    for mark in options.marks:
        tensor = world.arguments.get(mark.argument)
        if mark.is_weak or not isinstance(tensor, Tensor) or tensor.shape is None or mark.dim >= len(tensor.shape):
            continue
        size = tensor.shape[mark.dim]
        own = [guard for guard in all_guards if _is_about(guard, mark)]
        if own and isinstance(size, int) and size >= FIRST_DYNAMIC:
            found = _violating(own, mark, size, world)
            if found is not None:
                return found
    return None


def _is_about(guard: Guard, mark: Mark) -> bool:
    """Whether a guard is about the marked size alone: two that have to be equal are one symbol."""
    return bool(guard.sources) and all(mark.is_of(source) for source in guard.sources)


def _violating(guards: Sequence[Guard], mark: Mark, size: int, world: World) -> Guard | None:
    if mark.low is not None or mark.high is not None:
        low = max(mark.low or FIRST_DYNAMIC, FIRST_DYNAMIC)
        high = size + FURTHER if mark.high is None else mark.high
        failing = (_failing(guards, mark, n, world) for n in range(low, min(high, low + MOST) + 1))
        return next((guard for guard in failing if guard is not None), None)
    last: Guard | None = None
    for other in range(FIRST_DYNAMIC, 2 * size + FURTHER):
        if other != size:
            last = _failing(guards, mark, other, world)
            if last is None:
                return None
    return last


def _failing(guards: Sequence[Guard], mark: Mark, size: int, world: World) -> Guard | None:
    """The first guard that fails for another size."""
    tensor = world.arguments[mark.argument]
    shape = (*tensor.shape[: mark.dim], size, *tensor.shape[mark.dim + 1 :])
    changed = World({**world.arguments, mark.argument: tensor.like(shape)}, world.globals)
    return next((guard for guard in guards if not guard.passes(changed)), None)
