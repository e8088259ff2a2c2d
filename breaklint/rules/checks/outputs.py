"""Targets of operators: `out=`, and NumPy arrays of objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import Value
from breaklint.interp.models.torch_names import TENSOR_CLASSES
from breaklint.interp.values import Array, Const, ExternalName, constant_kind
from breaklint.project.syntax import keyword_of
from breaklint.project.walking import dotted_name
from breaklint.rules.base import Check, Hit

# NumPy: the names of the dtypes of objects and strings.
OBJECT_TYPES: Final = frozenset({"builtins.object", "builtins.str", "numpy.object_", "numpy.str_"})
OBJECT_CODES: Final = frozenset({"O", "object", "str", "U"})
# NumPy: the position of the dtype in the arguments of a function or method.
DTYPE_PLACES: Final = {
    **{f"numpy.{name}": 1 for name in ("empty", "zeros", "ones", "array", "asarray")},
    "numpy.full": 2,
    "astype": 0,
}
EMPTY_METHODS: Final = {
    "new": 0,
    "new_empty": 1,
}  # methods that create a tensor without items, with their arguments


class OutOfAnotherShape(Check):
    """`torch.arange(n, out=torch.LongTensor())`: the tensor that `out=` names has no items."""

    def applies_to(self, target: str, method: str) -> bool:
        return target.startswith("torch.")

    def visit_call(self, call: Call) -> Iterator[Hit]:
        out = keyword_of(call.node, "out")
        if isinstance(out, ast.Name):
            out = _only_value(call.frame, out.id)
        if isinstance(out, ast.Call) and _makes_empty(call.frame, out):
            yield Hit(call.node)


def _only_value(frame: Frame, name: str) -> ast.expr | None:
    """The value that the function assigns to a name, if it does so once."""
    stores = frame.function.nodes.of(ast.Assign) if frame.function is not None else ()
    values = [store.value for store in stores for target in store.targets if getattr(target, "id", None) == name]
    return values[0] if len(values) == 1 else None


def _makes_empty(frame: Frame, call: ast.Call) -> bool:
    """Whether a call creates a tensor without items."""
    callee = frame.interp.project.resolve(frame.module, dotted_name(call.func) or "?")
    if isinstance(callee, str) and callee.startswith("torch."):
        short = callee.removeprefix("torch.")
        return (short in TENSOR_CLASSES and not call.args) or (short in ("empty", "tensor") and _is_nothing(call.args))
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return len(call.args) == EMPTY_METHODS.get(method, -1) and (not call.args or _is_nothing(call.args))


def _is_nothing(args: list[ast.expr]) -> bool:
    """`0`, `(0,)`, `[]`."""
    if len(args) != 1:
        return False
    inner = args[0].elts if isinstance(args[0], (ast.Tuple, ast.List)) else args
    return all(isinstance(item, ast.Constant) and item.value == 0 for item in inner)


class ObjectArray(Check):
    """`np.empty(n, dtype=object)`, `np.array(["a"])`, `array.astype(object)`."""

    def applies_to(self, target: str, method: str) -> bool:
        return target in DTYPE_PLACES or method == "astype"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.method and not isinstance(call.owner, Array):
            return
        place = DTYPE_PLACES[call.target or call.method]
        dtype = call.kwargs.get("dtype", call.args[place] if len(call.args) > place else None)
        texts = place == 1 and dtype is None and bool(call.args) and _holds_text(call.args[0])
        if texts or (dtype is not None and _is_of_objects(dtype)):
            yield Hit(call.node)


def _is_of_objects(dtype: Value) -> bool:
    if isinstance(dtype, ExternalName):
        return dtype.name in OBJECT_TYPES
    return isinstance(dtype, Const) and dtype.value in OBJECT_CODES


def _holds_text(value: Value) -> bool:
    """Whether a list or tuple contains only strings."""
    items = element_of(value) if isinstance(value, (Sequence, Tuple)) else None
    return items is not None and constant_kind(items) == "str"
