"""Concrete runs: calls and loop iterations one after the other, on values that are as precise as possible.

The interpreter otherwise joins the stores of all iterations. Here a store that surely runs replaces the value, so that
repeated_calls.py can detect state that has another value after each call.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from typing import Any, Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Container, Dict, Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE, SIZE, Const, ExternalInstance, ExternalName, Static, Tensor, constant_kind

COUNT: Final = "count"  # the kind of `itertools.count()`
TURNS: Final = 12  # of a loop in driver code, and calls of an entry: four more than torch compiles
FEW_TURNS: Final = 2  # of a loop over unknown items in compiled code, or in a constructor that it calls
SOME_SIZE: Final = 4  # of a tensor, if a size is added or compared
MAX_ITEMS: Final = 64  # of a container whose items are followed one by one
_FOLDED: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}  # fmt: skip
_PLAIN: Final[dict[str, Callable[..., Any]]] = {
    "abs": abs, "bool": bool, "float": float, "int": int, "max": max, "min": min, "round": round, "str": str,
}  # fmt: skip


def items_in_turn(frame: Frame, iterable: Value) -> list[Value]:
    """The values of the loop variable, by iteration."""
    items = items_of(iterable)
    if items is not None:
        return items[: MAX_ITEMS if frame.context.traced else TURNS]
    element = element_of(iterable)
    drives = frame.interp.is_driving and not frame.context.traced
    return [] if element is None else [element] * (TURNS if drives else FEW_TURNS)


def outside(name: str, arguments: Arguments) -> Value | None:
    """The result of a function of the standard library that is interpreted item by item."""
    first = arguments.get(0)
    if name == "itertools.count" and not arguments.kwargs:
        start = first.value if isinstance(first, Const) else 0
        return Sequence(items=[Const(start + turn) for turn in range(MAX_ITEMS)], kind=COUNT)
    if name == "collections.deque" and arguments.get(1, "maxlen") is None:
        items = [] if first is None else items_of(first)
        return None if items is None else Sequence(items=[*items], kind="deque")
    if name == "collections.defaultdict" and first == ExternalName("builtins.int") and len(arguments.args) == 1:
        return Dict(rest=Const(0))
    return None


def builtin(name: str, arguments: Arguments) -> Value | None:
    """The result of a builtin for constants; None if its general model applies."""
    if arguments.starred or arguments.kwargs:
        return None
    if name == "enumerate" and len(arguments.args) == 1 and items_of(arguments.args[0]) is None:
        element = element_of(arguments.args[0]) or UNKNOWN
        return Sequence(items=[Tuple((Const(turn), element)) for turn in range(TURNS)], kind="generator")
    if name == "next" and arguments.args and isinstance(row := arguments.args[0], Sequence) and row.kind == COUNT:
        return row.items.pop(0) if row.items else UNKNOWN
    if name == "len" and arguments.args:
        return _length(arguments.args[0])
    plain = [value.value for value in arguments.args if isinstance(value, Const)]
    if len(plain) < len(arguments.args):
        return None
    if name == "range" and plain and all(type(value) is int for value in plain):
        try:
            return Sequence(items=[Const(each) for each in range(*plain)[:MAX_ITEMS]], kind="range")
        except (TypeError, ValueError):
            return UNKNOWN
    if name not in _PLAIN or not plain:
        return None
    try:
        return Const(_PLAIN[name](*plain))
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN


def _length(value: Value) -> Value | None:
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(len(value.value))
    items = items_of(value)
    return None if items is None else Const(len(items))


def operate(left: Value, right: Value, op: ast.operator) -> Value | None:
    """The value of `left op right` for known values that only concrete runs fold; a size counts as some number."""
    if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(op, ast.Add):
        both = (items_of(left), items_of(right))
        folds = both[0] is not None and both[1] is not None and len(both[0]) + len(both[1]) <= MAX_ITEMS
        return Sequence(items=[*(both[0] or ()), *(both[1] or ())], kind=left.kind) if folds else None
    one, two = plain(left), plain(right)
    if isinstance(one, str) and isinstance(two, str) and isinstance(op, ast.Add) and len(one) < MAX_ITEMS:
        return Const(one + two)
    fold = _FOLDED.get(type(op)) if SIZE in (left, right) and type(one) is type(two) is int else None
    try:
        return None if fold is None else Const(fold(one, two))
    except ArithmeticError:
        return None


def plain(value: Value) -> object:
    """The concrete Python value, or None."""
    return SOME_SIZE if value is SIZE else value.value if isinstance(value, Const) else None


def text(parts: Iterable[Value]) -> Value:
    """The string of an f-string with these parts."""
    values = [part.value if isinstance(part, Const) else None for part in parts]
    return Const("".join(map(str, values))) if all(isinstance(each, (str, int)) for each in values) else Static("str")


def change(frame: Frame, owner: Value, name: str, arguments: Arguments) -> Value | None:
    """The result of a mutating method of a container with known items, after the change; None for all others."""
    if frame.uncertain or arguments.starred or not isinstance(owner, Container) or owner.parts:
        return None
    if isinstance(owner, Dict):
        return _change_dict(owner, name, arguments)
    if not isinstance(owner, Sequence) or owner.items is None or len(owner.items) > MAX_ITEMS:
        return None
    items = [*owner.items]
    result = _result_of_change(items, name, arguments.args, owner.kind in ("set", "frozenset"))
    if result is not None:
        owner.fill(items)
        owner.version += 1
    return result


def _result_of_change(items: list[Value], name: str, args: list[Value], is_set: bool) -> Value | None:
    """Apply a mutating method to the items."""
    first = args[0] if args else NONE
    if is_set and name == "add":
        items += [] if first in items else [first]
    elif name in ("append", "appendleft", "insert"):
        place = len(items) if name == "append" else first if name == "insert" else 0
        at = place.value if isinstance(place, Const) else place
        if not isinstance(at, int):
            return None
        items.insert(at, args[-1])
    elif name in ("extend", "__iadd__") and (new := items_of(first)) is not None:
        items += new
    elif name in ("pop", "popleft") and items:
        at = 0 if name == "popleft" else first.value if args and isinstance(first, Const) else -1
        in_range = isinstance(at, int) and -len(items) <= at < len(items)
        popped: Value = items.pop(at) if in_range and isinstance(at, int) else UNKNOWN
        return popped
    elif name in ("remove", "discard"):
        if first not in items:
            return None
        items.remove(first)
    elif name == "clear":
        items.clear()
    else:
        return None
    return NONE


def _change_dict(owner: Dict, name: str, arguments: Arguments) -> Value | None:
    key = arguments.get(0)
    closed = owner.rest is None and not owner.optional
    if name == "clear":
        owner.fill({}, None)
    elif name == "pop" and closed and isinstance(key, Const) and key.value in owner.items:
        items = dict(owner.items)
        value: Value = items.pop(key.value)
        owner.fill(items, None)
        owner.version += 1
        return value
    else:
        return None
    owner.version += 1
    return NONE


def key(value: Value, depth: int = 3) -> object:
    """The key by which Dynamo distinguishes values; None if it cannot be inferred.

    A list or a dict counts by its structure; its items are compared when they are read.
    """
    if isinstance(value, Const) or value is SIZE:
        return (type(plain(value)).__name__, plain(value))
    if isinstance(value, Tuple) and depth:
        return ("tuple", *(key(item, depth - 1) or "" for item in value.items))
    if isinstance(value, Sequence) and depth and (items := value.items) is not None:
        return ("row", *(_form(item, depth - 1) for item in items))
    if isinstance(value, Dict):
        if value.rest is not None or value.optional or depth == 0:
            return None
        return ("dict", *((name, _form(item, depth - 1)) for name, item in value.items.items()))
    if isinstance(value, Tensor) and value.sizes is not None:
        return ("tensor", value.sizes)
    if isinstance(value, ExternalInstance) and value.settings:
        return ("layer", value.cls, value.settings)
    return None


def _form(value: Value, depth: int) -> object:
    is_compared = isinstance(value, (Tuple, Sequence, Dict, ExternalInstance))
    return key(value, depth) if is_compared else constant_kind(value)
