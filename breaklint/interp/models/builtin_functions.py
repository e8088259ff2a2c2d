"""Calls of Python's builtins and of the standard library."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp import in_turn
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, each, join, join_all, options
from breaklint.interp.models import named_classes, special_methods
from breaklint.interp.models.keys import call_key
from breaklint.interp.models.named_texts import named_layers, named_texts
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static, truth
from breaklint.interp.summaries import forget_paths
from breaklint.interp.transfer import attributes, missing_attributes, operators, stores
from breaklint.interp.transfer.truth import emit_truth_test
from breaklint.interp.values import (
    NONE,
    SIZE,
    SIZED_BY_DATA,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Size,
    Static,
    Tensor,
    constant_kind,
    without_none,
)
from breaklint.project.module import ClassInfo

# Types of Python.
NUMBER_TYPES: Final = ("int", "float", "bool", "complex")


def call(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of a call of the builtin `name`."""
    if name in special_methods.ITERATING:
        arguments = special_methods.iterate_arguments(frame, arguments)
    if frame.interp.runs_in_turn and (result := in_turn.builtin(name, arguments)) is not None:
        return result
    first = without_none(arguments.get(0) or UNKNOWN)
    if name == "bool" and (truth_value := truth(arguments.get(0) or UNKNOWN)) is not None:
        return Const(truth_value)
    if name in special_methods.CONVERTING and (own := special_methods.convert(frame, first, name)) is not None:
        return own
    if name in NUMBER_TYPES:
        return _number(name, first)
    handler = HANDLERS.get(name)
    if handler is not None:
        return handler(frame, node, first, arguments)
    if name == "hasattr" and missing_attributes.is_left_to_setters(frame.interp, first, arguments.get(1)):
        return Const(False)
    if name in ("isinstance", "hasattr", "callable", "issubclass"):
        return Static("bool")
    if name in ("str", "repr", "format", "ascii", "chr"):
        return Static("str")
    return NONE if name == "print" else UNKNOWN


def _number(name: str, first: Value) -> Value:
    if isinstance(first, (Tensor, Array, Number)):
        return Number(name)
    if isinstance(first, Size) and name == "int":
        return SIZE
    return Static(name) if is_static(first) else UNKNOWN


def _length(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    if isinstance(first, (Tensor, Array)):
        return Number("int") if isinstance(first, Tensor) and first.role == SIZED_BY_DATA else SIZE
    if isinstance(first, Tuple):
        return Const(len(first.items))
    return special_methods.call(frame, first, "__len__") or Static("int")


def _range(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    if any(isinstance(value, Number) for value in arguments.args):
        return Sequence(Number("int"), kind="range")
    element = SIZE if any(isinstance(value, Size) for value in arguments.args) else Static("int")
    return Sequence(element, kind="range")


def _enumerate(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    items = first.items if isinstance(first, (Tuple, Sequence)) else None
    start = arguments.get(1, "start") or Const(0)
    if items is not None and isinstance(start, Const) and isinstance(start.value, int):
        pairs: list[Value] = [Tuple((Const(place), item)) for place, item in enumerate(items, start.value)]
        return Sequence(items=pairs, kind="generator")
    return Sequence(Tuple((Static("int"), element_of(first) or UNKNOWN)), kind="generator")


def _zip(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    if arguments.starred:
        return Sequence(UNKNOWN, kind="generator")
    return Sequence(Tuple(tuple(element_of(value) or UNKNOWN for value in arguments.args)), kind="generator")


def _row(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    kind = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else "list"
    if not arguments.args:
        return Sequence(items=[], kind=kind)
    items = first.items if isinstance(first, (Tuple, Sequence)) else None
    if items is not None and kind == "tuple":
        return Tuple(tuple(items))
    if kind in ("set", "frozenset"):
        items = None  # in no order
    return Sequence(element_of(first), list(items) if items is not None else None, kind)


def _iterator(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    if isinstance(first, ExternalInstance):
        return first  # iterating over it runs code of its library, as its own iterator does
    return Sequence(element_of(first), kind="generator")


def _same_row(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    call_key(frame, node, element_of(first), arguments)
    return Sequence(element_of(first), kind="list")


def _extreme(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    values = arguments.args if len(arguments.args) > 1 else [element_of(first) or UNKNOWN]
    if "default" in arguments.kwargs:
        values = [*values, arguments.kwargs["default"]]
    call_key(frame, node, join_all(values), arguments)
    if any(isinstance(value, (Tensor, Array)) for value in values):
        return next(value for value in values if isinstance(value, (Tensor, Array)))
    if any(isinstance(value, Number) for value in values):
        return Number()
    if any(isinstance(value, Size) for value in values) and all(is_static(value) for value in values):
        return SIZE
    return join_all(values) or UNKNOWN


def _sum(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    inner = element_of(first)
    if inner is None:
        return arguments.get(1, "start") or Const(0)
    return each(inner, _sum_value)


def _sum_value(item: Value) -> Value:
    """The sum of any number of such items; known numbers add up to another number of their kind."""
    kind = constant_kind(item)
    return Static("int" if kind == "bool" else kind) if kind else operators.operate(item, item, ast.Add())


def _getattr(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    name = arguments.get(1)
    if isinstance(name, Const) and isinstance(name.value, str):
        value = attributes.get(frame, node, first, name.value)
        owners = [option for option in options(first) if isinstance(option, Instance)]
        if len(arguments.args) > 2 and any(name.value in owner.optional for owner in owners):
            return join(value, arguments.args[2])
        return value
    if isinstance(first, Instance):
        return _chosen_method(frame, node, first) or first.get("*") or UNKNOWN
    if isinstance(first, ExternalName) and isinstance(name, Static) and name.default_text.isidentifier():
        return attributes.get(frame, node, first, name.default_text)  # `getattr(nn, rnn_type)` with `rnn_type="LSTM"`
    if isinstance(first, ExternalName):
        texts = named_texts(frame, node) or (named_layers(frame, node) if first.name == "torch.nn" else ())
        attribute = join_all([attributes.get(frame, node, first, text) for text in texts])
        return attribute or named_classes.any_of(frame.interp, first.name)
    return UNKNOWN


def _chosen_method(frame: Frame, node: ast.expr, owner: Instance) -> Value | None:
    """The methods that `getattr(self, f"run_{kind}")` may return: all whose names have the prefix and suffix, except
    special methods such as `__init__`."""
    name = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    head, tail = _ends(name)
    if not head:
        return None
    project = frame.interp.project
    classes = (cls for cls in project.mro(owner.cls) if isinstance(cls, ClassInfo))
    names = {name for cls in classes for name in cls.methods if not name.startswith("__")}
    fit = {name for name in names if name.startswith(head) and name.endswith(tail)}
    return join_all([attributes.get(frame, node, owner, name) for name in sorted(fit)]) if fit else None


def _ends(node: ast.expr | None) -> tuple[str, str]:
    """The constant prefix and suffix of a composed string."""
    if isinstance(node, ast.JoinedStr) and len(node.values) > 1:
        first, last = node.values[0], node.values[-1]
        return _text(first), _text(last)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left), _text(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        parts = _text(node.left).split("%s")
        return parts[0], parts[-1] if len(parts) > 1 else ""
    return "", ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _setattr(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    owners = [option for option in options(first) if isinstance(option, Instance)]
    if owners and len(arguments.args) == 3:
        name, value = arguments.args[1], arguments.args[2]
        key = name.value if isinstance(name, Const) and isinstance(name.value, str) else "*"
        if key == "*" and isinstance(value, Const):
            return NONE  # a setting under an unknown name does not replace other attributes
        for owner in owners:
            stores.put(frame, owner, key, value, sure=len(owners) == 1)
        forget_paths(frame, {(owner, key) for owner in owners})
    return NONE


def _globals(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    """`globals()`; an unknown key is mostly the name of a class: `globals()[kind]`."""
    return Dict(rest=named_classes.any_of(frame.interp, frame.module.name))


def _dict(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    result = first.copy() if isinstance(first, Dict) else Dict(rest=UNKNOWN if arguments.args else None)
    for name, value in arguments.kwargs.items():
        result.store(Const(name), value)
    return result


def _next(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    default = arguments.args[1] if len(arguments.args) > 1 else None
    element = element_of(first) or UNKNOWN
    return element if default is None else join(element, default)


def _map(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    items = [element_of(value) or UNKNOWN for value in arguments.args[1:]]
    result = (
        frame.interp.invoke(frame, node, arguments.args[0], Arguments(items, {}, arguments.starred))
        if arguments.args
        else UNKNOWN
    )
    return Sequence(result, kind="generator")


def _filter(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    item = element_of(arguments.get(1) or UNKNOWN) or UNKNOWN
    chosen = item if first is NONE else frame.interp.invoke(frame, node, first, Arguments([item], {}))
    emit_truth_test(frame, node, chosen, "comprehension")
    return Sequence(item, kind="generator")


def _absolute(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    rounds = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "round"
    return each(first, lambda option: _round(option, arguments) if rounds else _magnitude(option))


def _magnitude(value: Value) -> Value:
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Const(abs(value.value))
    if constant_kind(value) == "bool":
        return Static("int")
    return value if isinstance(value, (Tensor, Number, Array, Size)) or is_static(value) else UNKNOWN


def _round(value: Value, arguments: Arguments) -> Value:
    if isinstance(value, (Tensor, Array)):
        return value
    if isinstance(value, Number):
        return Number("int" if len(arguments.args) < 2 else value.kind, value.symbolic)
    if not is_static(value):
        return UNKNOWN
    return Static("int" if len(arguments.args) < 2 else constant_kind(value))


def _power(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    return first if isinstance(first, Tensor) else UNKNOWN


def _type(frame: Frame, node: ast.expr, first: Value, arguments: Arguments) -> Value:
    if len(arguments.args) != 1:
        return Static("type")
    return each(first, lambda option: ClassValue(option.cls) if isinstance(option, Instance) else Static("type"))


HANDLERS: Final = {
    "len": _length, "range": _range, "enumerate": _enumerate, "zip": _zip, "list": _row, "tuple": _row, "set": _row,
    "frozenset": _row, "sorted": _same_row, "reversed": _same_row, "iter": _iterator, "max": _extreme, "min": _extreme,
    "sum": _sum, "getattr": _getattr, "setattr": _setattr, "dict": _dict, "next": _next, "map": _map, "filter": _filter,
    "abs": _absolute, "round": _absolute, "pow": _power, "divmod": _power, "type": _type, "globals": _globals,
}  # fmt: skip
