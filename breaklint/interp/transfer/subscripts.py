"""Subscripts, and assignment to every kind of target."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.environment import has_paths
from breaklint.interp.events import Index, Rebind
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of, unpack
from breaklint.interp.lattice import UNKNOWN, Union, Value, each, join_all, options
from breaklint.interp.models import constants, dataclass_fields, hooks, instances, special_methods
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import object_access, rankings, stores
from breaklint.interp.values import (
    NONE,
    SIZE,
    SIZED_BY_DATA,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Shape,
    Static,
    Tensor,
    without_none,
)

SYS_MODULES: Final = ExternalName("sys.modules")


def visit_Subscript(frame: Frame, node: ast.Subscript) -> Value:
    """The value of `base[index]`."""
    base, index = without_none(frame.eval(node.value)), frame.eval(node.slice)
    if type(base) is Union:
        base = _with_items(frame, base)
    frame.emit(Index(node, frame, base, index))
    if base is SYS_MODULES and isinstance(node.slice, ast.Name) and node.slice.id == "__name__":
        return ExternalName(frame.module.name)
    if type(base) is Instance and (field := dataclass_fields.item(frame, base, index)) is not None:
        return field
    if type(base) in (Instance, Union) and (own := special_methods.call(frame, base, "__getitem__", index)) is not None:
        object_access.emit_access(frame, node, own)
        return own
    base = instances.as_tensor(frame.interp, base)
    object_access.emit_access(frame, node, value := each(base, lambda option: item(option, index, node.slice)))
    masked = frame.interp.captures and isinstance(index, Tensor) and index.dtype == "bool"
    return sized_by_data(value) if masked else value


def _with_items(frame: Frame, base: Union) -> Value:
    """The options that can be subscripted: a module without `__getitem__` would raise an error."""
    project = frame.interp.project
    lacking = (option for option in base.options if isinstance(option, Instance))
    without = [
        option
        for option in lacking
        if instances.is_module(frame.interp, option.cls) and project.method(option.cls, "__getitem__") is None
    ]
    return join_all([option for option in base.options if option not in without]) or base


def sized_by_data(value: Value) -> Value:
    """A tensor whose first size is a number in the graph."""
    return Tensor(value.dtype, value.ndim, value.assumed, SIZED_BY_DATA) if isinstance(value, Tensor) else value


def item(base: Value, index: Value, node: ast.expr) -> Value:
    """The value of `base[index]`."""
    if isinstance(base, Tensor):
        role = "sparse" if base.role == "sparse" else ""
        return constants.computed(
            Tensor(base.dtype, indexed_ndim(base.ndim, index, node), base.assumed, role), (base, index)
        )
    if isinstance(base, Array):
        return Array(base.dtype, indexed_ndim(base.ndim, index, node))
    if isinstance(base, Shape):
        return SIZE if not isinstance(node, ast.Slice) else Shape()
    if isinstance(base, Dict):
        return base.get(index)
    if isinstance(base, (Tuple, Sequence)):
        return _item_of_row(base, index, node)
    if isinstance(base, Static):
        return Static("str" if base.kind == "str" else "")
    if isinstance(base, ExternalInstance) and base.cls.startswith("torch.nn."):
        return UNKNOWN
    if isinstance(base, ExternalName) and base.name.startswith("numpy."):
        return Sequence(Array())  # np.ogrid[...]
    if isinstance(base, ExternalName):
        return base  # a generic alias: List[int]
    return UNKNOWN


def _item_of_row(base: Tuple | Sequence, index: Value, node: ast.expr) -> Value:
    items = list(base.items) if base.items is not None else None
    if isinstance(node, ast.Slice):
        bounds = [_bound(part) for part in (node.lower, node.upper, node.step)]
        if items is not None and "?" not in bounds:
            part = items[slice(*bounds)]  # type: ignore[arg-type]
            return Tuple(tuple(part)) if isinstance(base, Tuple) else Sequence(items=part, kind=base.kind)
        return Sequence(element_of(base), kind="tuple" if isinstance(base, Tuple) else base.kind)
    if items is not None and isinstance(index, Const) and isinstance(index.value, int):
        return items[index.value] if -len(items) <= index.value < len(items) else UNKNOWN
    return element_of(base) or UNKNOWN


def _bound(node: ast.expr | None) -> int | str | None:
    """A slice bound that is a literal number; "?" for any other."""
    if node is None:
        return None
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    return sign * node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else "?"


def indexed_ndim(ndim: int | None, index: Value, node: ast.expr) -> int | None:
    """The number of dimensions after indexing with ints, slices, None and `...`; None if unknown."""
    if ndim is None:
        return None
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    values = index.items if isinstance(index, Tuple) and isinstance(node, ast.Tuple) else (index,)
    if len(nodes) != len(values):
        return None
    picked = 0  # 1 after a mask or a vector, which selects rows
    for part, value in zip(nodes, values, strict=True):
        if isinstance(part, ast.Slice) or (isinstance(value, Const) and value.value is Ellipsis):
            continue
        if value == NONE:
            ndim += 1
        elif (
            isinstance(value, (Const, Static))
            or value == SIZE
            or (isinstance(value, Tensor) and value.ndim == 0 and value.dtype != "bool")
        ):
            ndim -= 1
        elif isinstance(value, (Tensor, Array)) and value.ndim and (value.ndim == 1 or value.dtype == "bool"):
            ndim -= value.ndim
            picked = 1
        else:
            return None
    return max(ndim, 0) + picked


def assign(frame: Frame, target: ast.expr, value: Value, augmented: bool = False) -> None:
    """Bind `value` to a target; stores into tensors and attributes are events."""
    if target.__class__ is ast.Name:  # the most frequent
        if value.__class__ is Tensor and value.ndim is None:
            value = rankings.of_ranking(frame.function, target.id, value)
        if frame.outer and target.id in frame.outer and not isinstance(frame.outer[target.id], Frame):
            frame.emit(Rebind(target, frame, value, augmented))
        _bind(frame, target.id, value)
        if frame.context.traced:
            frame.interp.values.setdefault(target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(frame, target, value)
    elif isinstance(target, ast.Starred):
        assign(frame, target.value, Sequence(element_of(value)))
    elif isinstance(target, ast.Attribute):
        stores.store_attribute(frame, target, value, augmented)
        if target.attr == "forward":
            hooks.note_forward(frame, target, frame.eval(target.value), value)
    elif isinstance(target, ast.Subscript):
        _store_item(frame, target, value, augmented)


def _bind(frame: Frame, name: str, value: Value) -> None:
    env = frame.env
    if name in frame.outer:
        scope = frame.outer[name]
        # The scope of a call that has returned may be that of several calls.
        frame.change(scope, name, value, strong=not isinstance(scope, Frame) or scope.is_running)
        return
    if name in env and has_paths(env):  # otherwise no attribute is narrowed
        prefix = name + "."
        for path in [path for path in env if path.startswith(prefix)]:
            del env[path]  # narrowed attributes of the old value
    env[name] = value


def _unpack(frame: Frame, target: ast.Tuple | ast.List, value: Value) -> None:
    if any(isinstance(item_, ast.Starred) for item_ in target.elts):
        for item_ in target.elts:
            assign(frame, item_, value if isinstance(item_, ast.Starred) else element_of(value) or UNKNOWN)
        return
    for item_, part in zip(target.elts, unpack(value, len(target.elts)), strict=True):
        assign(frame, item_, part)


def _store_item(frame: Frame, target: ast.Subscript, value: Value, augmented: bool) -> None:
    base, index = frame.eval(target.value), frame.eval(target.slice)
    frame.emit(Index(target, frame, base, index, "augment" if augmented else "store"))
    special_methods.call(frame, base, "__setitem__", index, value)
    if isinstance(target.slice, ast.Slice):
        value = element_of(value) or UNKNOWN
    choices = options(base)
    for option in choices:
        if isinstance(option, Dict) and len(choices) > 1:
            frame.change_perhaps(option, index, value)
        elif isinstance(option, (Dict, Sequence)):
            frame.change(option, index, value)
