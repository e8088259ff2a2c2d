"""Functions that compute each element from the same elements, and their values for a filled element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

# No schema tells a slope. Of these an element that is finite gives a finite slope, so that its zero weight stays zero.
SMOOTH = frozenset("relu neg tanh sigmoid abs square sin cos clamp clamp_min clamp_max".split())
# The same functions of Python numbers, which no schema names.
UNARY: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "cos": math.cos,
    "erf": math.erf,
    "exp": math.exp,
    "expm1": math.expm1,
    "log": math.log,
    "log10": math.log10,
    "log1p": math.log1p,
    "log2": math.log2,
    "neg": lambda x: -x,
    "reciprocal": lambda x: 1 / x,
    "relu": lambda x: max(x, 0.0),
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "sin": math.sin,
    "sqrt": math.sqrt,
    "square": lambda x: x * x,
    "tanh": math.tanh,
}
# The operators that Python writes for them, which no schema names.
BINARY: dict[str, str] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "true_divide": "/",
}
OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}
# No schema says how a loss is reduced.
# Losses of two tensors whose elements count by themselves, and are summed or averaged in the end.
LOSSES = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy_with_logits".split()
)
STEP, STEEP = 1e-6, 1e-2


def gentle(function: Callable[..., float], at: Sequence[float]) -> float | None:
    """The value of a function of numbers; None unless it is finite there and nearby, with a bounded slope."""
    try:
        value = function(*at)
        nearby = [
            function(*at[:place], number + step, *at[place + 1 :])
            for place, number in enumerate(at)
            for step in (-STEP, STEP)
        ]
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    steep = any(isinstance(near, complex) or not abs(near - value) < STEEP for near in nearby)
    return None if steep or not math.isfinite(value) else value
