"""Transforms of torch.func: the transformed function, and the result of its call."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Transform
from breaklint.interp.containers import Dict, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import items_of
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE, Tensor

# No schema: Python functions of torch that take a function and return another one.
TRANSFORMS: Final = frozenset({
    "torch.vmap", "torch.func.vmap", "torch.func.grad", "torch.func.grad_and_value", "torch.func.jacrev",
    "torch.func.jacfwd", "torch.func.hessian",
})  # fmt: skip
FUNCTIONAL_CALL: Final = "torch.func.functional_call"


def transform(name: str, arguments: Arguments) -> Value:
    """The result of a transform of a function."""
    function = arguments.get(0, "func") or UNKNOWN
    return UNKNOWN if function is UNKNOWN else Transform(name, function)


def call(frame: Frame, node: ast.expr, callee: Transform, arguments: Arguments) -> Value:
    """The result of a call of a transformed function: it is traced on the same arguments, for vmap on their rows."""
    if callee.name.endswith("vmap"):
        keywords = {key: _row(item) for key, item in arguments.kwargs.items()}
        rows = Arguments([*map(_row, arguments.args)], keywords, arguments.starred)
        value = frame.interp.invoke(frame, node, callee.function, rows)
        return Tensor(value.dtype) if isinstance(value, Tensor) else value
    value = frame.interp.invoke(frame, node, callee.function, arguments)
    first = arguments.get(0)
    gradient: Value = first if isinstance(first, (Tuple, Dict)) else Tensor("float")
    return Tuple((gradient, value)) if callee.name.endswith("grad_and_value") else gradient


def functional_call(frame: Frame, node: ast.expr, arguments: Arguments) -> Value:
    """The result of `functional_call(module, parameters, args)`."""
    inputs = arguments.get(2, "args") or NONE
    items = items_of(inputs)
    args = items if items is not None else [] if inputs == NONE else [inputs]
    return frame.interp.invoke(frame, node, arguments.get(0, "module") or UNKNOWN, Arguments(args, {}))


def _row(value: Value) -> Value:
    if not isinstance(value, Tensor):
        return value
    return Tensor(value.dtype, None if not value.ndim else value.ndim - 1, value.assumed)
