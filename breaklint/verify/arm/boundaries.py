"""Search inputs for which the two sides of a comparison are equal: there `>` and `>=` part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import torch

from breaklint.verify.arm.branches import Place, Seen
from breaklint.verify.arm.variants import changed, of_floats, resized, with_element

STEPS, ELEMENTS = 4, 4
"""Of a search by secants, over all elements and over some of them."""
OFF = 0.002
"""How far beside a boundary."""
NEAR = 1e-3
ULPS = (1, -1, 2, -2, 3, -3, 4, -4)
MOST_ROWS = 64
"""A whole number up to this may be a batch size."""
Run = Callable[[Any], Seen]
Move = Callable[[torch.Tensor, float], torch.Tensor]


def boundary_calls(run: Run, given: Any, places: Iterable[Place]) -> tuple[dict[Place, Any], list[Place]]:
    """Arguments that reach the boundary of each comparison with a finite result, and the places where none do.

    A comparison that already sees equal numbers in the given call needs no other, and one that is not run has none.
    """
    first, found, missed = run(given), dict[Place, Any](), list[Place]()
    for place in places:
        if place not in first.sides or _is_at_boundary(first, place):
            continue
        reached = ((call, run(call)) for call in _candidates(run, given, first, place))
        call = next((call for call, seen in reached if seen.finite and _is_at_boundary(seen, place)), None)
        if call is None:
            missed.append(place)
        else:
            found[place] = call
    return found, missed


def beside(call: Any) -> Iterator[tuple[str, Any]]:
    """Arguments a little off those at a boundary: of two thresholds that nearly agree, one is passed."""
    for name, step in (("above", OFF), ("below", -OFF)):
        yield name, _moved(call, _scaled, step)


def _is_at_boundary(seen: Seen, place: Place) -> bool:
    return any(bool((distance == 0).any()) for distance in map(_distance, seen.sides.get(place, ())))


def distances(seen: Seen, places: Iterable[Place]) -> list[float]:
    """How far apart the two numbers are that are compared at these places."""
    pairs = (_distance(pair) for place in places for pair in seen.sides.get(place, ()))
    return [float(each) for each in pairs if each.numel() == 1 and bool(each.isfinite())]


def _distance(sides: tuple[Any, Any]) -> torch.Tensor:
    """How far apart the sides are, element by element; infinite where they cannot be subtracted."""
    try:
        left, right = (torch.as_tensor(side).detach().double().cpu() for side in sides)
        return (left - right).flatten()
    except (TypeError, ValueError, RuntimeError):
        return torch.tensor([math.inf])


def _candidates(run: Run, given: Any, first: Seen, place: Place) -> Iterator[Any]:
    for side in reversed([side for pair in first.sides.get(place, ())[:2] for side in pair]):
        value = _number(side)
        if value is None:
            continue
        if isinstance(side, int) and 0 < side <= MOST_ROWS and (call := resized(given, side)) is not None:
            yield call
        yield from (_moved(given, change, value) for change in (torch.full_like, _from_below, _from_above))
    moves: list[Move] = [torch.add, _scaled, *(partial(_with_element_moved, n) for n in range(ELEMENTS))]
    for move in moves:
        yield from _secant(run, given, place, move)


def _number(side: Any) -> float | None:
    try:
        tensor = torch.as_tensor(side)
        return float(tensor) if tensor.numel() == 1 and bool(tensor.isfinite()) else None
    except (TypeError, ValueError, RuntimeError):
        return None


def _moved(call: Any, move: Move, value: float) -> Any:
    return changed(call, of_floats(lambda x: move(x, value)))


def _from_below(x: torch.Tensor, value: float) -> torch.Tensor:
    return with_element(x.clamp(max=value), value)


def _from_above(x: torch.Tensor, value: float) -> torch.Tensor:
    return with_element(x.clamp(min=value), value)


def _scaled(x: torch.Tensor, step: float) -> torch.Tensor:
    return x * (1 + step)


def _with_element_moved(number: int, x: torch.Tensor, step: float) -> torch.Tensor:
    return with_element(x, x.flatten()[number % x.numel()] + step, number) if x.numel() else x


def _secant(run: Run, given: Any, place: Place, move: Move) -> Iterator[Any]:
    """Inputs moved step by step to where the nearest two sides of a comparison should meet."""
    start = _nearest(run(given), place)
    if start is None:
        return
    index, here = start
    step, there = 0.0, 0.0
    following = 0.5
    for _ in range(STEPS):
        call = _moved(given, move, following)
        yield call
        distances = [_distance(pair) for pair in run(call).sides.get(place, ())[:1]]
        if not distances or index >= len(distances[0]):
            return
        there = float(distances[0][index])
        if there == here or not math.isfinite(there):
            break
        step, following, here = following, following - there * (following - step) / (there - here), there
    if there and abs(there) < NEAR:  # rounding keeps the sides apart
        grain = torch.finfo(torch.float32).eps * max(1.0, abs(following))
        yield from (_moved(given, move, following + each * grain) for each in ULPS)


def _nearest(seen: Seen, place: Place) -> tuple[int, float] | None:
    for distance in map(_distance, seen.sides.get(place, ())[:1]):
        if len(distance) and bool(distance.isfinite().any()):
            index = int(distance.abs().nan_to_num(nan=math.inf).argmin())
            return index, float(distance[index])
    return None
