"""Transforms of torch.func: the transformed function, and the result of its call."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Transform
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE, Tensor

# No schema: Python functions of torch that take a function. Those that return another one ...
TRANSFORMS: Final = frozenset({
    "torch.vmap", "torch.func.vmap", "torch.func.grad", "torch.func.grad_and_value", "torch.func.jacrev",
    "torch.func.jacfwd", "torch.func.hessian",
})  # fmt: skip
# ... and those that call it.
CALLING: Final = frozenset({"torch.func.functional_call", "torch.func.vjp", "torch.func.jvp"})


def transformed(name: str, given: Arguments) -> Value:
    """The result of a transform of a function."""
    function = given.get(0, "func") or UNKNOWN
    return UNKNOWN if function is UNKNOWN else Transform(name, function)


def call(frame: Frame, node: ast.expr, callee: Transform, given: Arguments) -> Value:
    """The result of a call of a transformed function: it is traced on the same arguments, for vmap on their rows."""
    short = callee.name.rpartition(".")[2]
    if short == "vmap":
        named = {key: _row(item) for key, item in given.kwargs.items()}
        rows = Arguments([*map(_row, given.args)], named, given.starred)
        value = frame.interp.invoke(frame, node, callee.function, rows)
        ndim = value.ndim + 1 if isinstance(value, Tensor) and value.ndim is not None else None
        return Tensor(value.dtype, ndim) if isinstance(value, Tensor) else value
    value = frame.interp.invoke(frame, node, callee.function, given)
    first = given.get(0)
    ndim = first.ndim if isinstance(first, Tensor) and "grad" in short else None
    gradient: Value = first if isinstance(first, (Tuple, Dict)) else Tensor("float", ndim)
    return Tuple((gradient, value)) if short == "grad_and_value" else gradient


def call_at_once(frame: Frame, node: ast.expr, name: str, given: Arguments) -> Value:
    """`functional_call(module, parameters, args, kwargs)`, `vjp(f, *primals)` and `jvp(f, primals, tangents)`."""
    function = given.get(0, "module" if name.endswith("call") else "func") or UNKNOWN
    if name.endswith("vjp"):
        value = frame.interp.invoke(frame, node, function, Arguments(given.args[1:], {}, given.starred))
        return Tuple((value, UNKNOWN))
    passed = given.get(2, "args") if name.endswith("call") else given.get(1, "primals")
    items = [*passed.items] if isinstance(passed, (Tuple, Sequence)) and passed.items is not None else None
    single = [] if passed is None or passed == NONE else [passed]
    value = frame.interp.invoke(frame, node, function, Arguments(single if items is None else items, {}))
    return value if name.endswith("call") else Tuple((value, value))


def _row(value: Value) -> Value:
    if not isinstance(value, Tensor):
        return value
    return Tensor(value.dtype, None if not value.ndim else value.ndim - 1, value.assumed)
