"""Methods of lists, tuples, dicts, sets, strings and shapes."""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict
from typing import Final

from breaklint.interp import in_turn
from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import ABSENT, Dict, Sequence, Tuple
from breaklint.interp.events import Format
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models.keys import call_key
from breaklint.interp.models.torch_names import MODULE_METHODS, RETURNING_MODULE
from breaklint.interp.predicates import is_static
from breaklint.interp.values import NONE, SIZE, Const, Number, Shape, Static, constant_kind

STRING_RESULTS: Final = {
    **dict.fromkeys(("startswith", "endswith", *(name for name in dir(str) if name.startswith("is"))), "bool"),
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), "int"),
    "encode": "bytes",
}
DICT_METHODS: Final = frozenset({*dir(OrderedDict), *dir(Counter), *MODULE_METHODS})  # and of nn.ModuleDict
# Methods of strings without arguments that return a string.
UNARY_TEXT: Final = frozenset("upper lower strip lstrip rstrip capitalize casefold title swapcase".split())
# Methods of Python's containers.
MOVING: Final = frozenset("sort reverse remove clear discard rotate".split())
COPYING: Final = frozenset("copy intersection difference".split())
# No schema: methods that containers of modules inherit from nn.Module.
WALKING: Final = frozenset("parameters buffers named_parameters modules children named_children forward".split())


def call(frame: Frame, node: ast.expr, owner: Value, name: str, arguments: Arguments) -> Value:
    """The result of `owner.name(...)`."""
    if name in RETURNING_MODULE and isinstance(owner, (Sequence, Dict)):
        return owner
    if frame.interp.runs_in_turn and (result := in_turn.change(frame, owner, name, arguments)) is not None:
        return result
    if isinstance(owner, Sequence):
        result = _sequence(frame, node, owner, name, arguments)
        returns_owner = owner.kind.startswith("torch.nn.") and name in ("append", "extend", "insert")
        return owner if returns_owner else result
    if isinstance(owner, Dict):
        return _dict(frame, owner, name, arguments)
    if isinstance(owner, Tuple):
        return Static("int") if name in ("index", "count") else UNKNOWN
    if isinstance(owner, Shape):
        return SIZE if name == "numel" else UNKNOWN
    if constant_kind(owner) == "str":
        if name == "format":
            for value in [*arguments.args, *arguments.kwargs.values()]:
                frame.emit(Format(node, frame, value, "format"))
        if isinstance(owner, Const) and not arguments.args and name in UNARY_TEXT:
            return Const(getattr(owner.value, name)())
        if name == "join" and isinstance(owner, Const):
            return _join_strings(owner, arguments.get(0) or UNKNOWN)
        if name in STRING_RESULTS:
            return Static(STRING_RESULTS[name])
        if name in ("partition", "rpartition"):
            return Tuple((Static("str"),) * 3)
        if isinstance(owner, Static) and owner.default_text and name in UNARY_TEXT:
            return Static("str", str(getattr(owner.default_text, name)()))
        return Sequence(Static("str")) if name in ("split", "rsplit", "splitlines") else Static("str")
    if isinstance(owner, Number):
        return Number(owner.kind)
    return Static("") if is_static(owner) else UNKNOWN


def _join_strings(owner: Const, rows: Value) -> Value:
    """The result of `text.join(rows)`, a constant if all texts are known."""
    items = items_of(rows)
    texts = [item.value if isinstance(item, Const) else None for item in items or ()]
    if items is None or not all(isinstance(text, str) for text in texts):
        return Static("str")
    return Const(str(owner.value).join(map(str, texts)))


def _sequence(frame: Frame, node: ast.expr, owner: Sequence, name: str, arguments: Arguments) -> Value:
    first = arguments.get(0) or UNKNOWN
    if name in ("append", "add", "appendleft"):
        frame.change(owner, None, first)
    elif name == "insert":
        frame.change(owner, None, arguments.get(1) or UNKNOWN)
    elif name in ("extend", "update", "extendleft"):
        for row in arguments.args:
            inner = element_of(row)
            if inner is not None:
                frame.change(owner, None, inner)
    elif name in ("pop", "popleft"):
        frame.drop_order(owner)
        return owner.element or UNKNOWN
    elif name == "__getitem__":
        return owner.element or UNKNOWN
    elif name in ("index", "count"):
        return Static("int")
    elif name in COPYING:
        return owner.copy()
    elif name in ("union", "symmetric_difference"):
        parts = [owner.element, *map(element_of, arguments.args)]
        return Sequence(join_all(part for part in parts if part is not None), kind=owner.kind)
    elif name in MOVING:
        frame.drop_order(owner)
        call_key(frame, node, owner.element, arguments)
    elif name in WALKING or name in dir(set):
        return UNKNOWN
    return NONE


def _dict(frame: Frame, owner: Dict, name: str, arguments: Arguments) -> Value:
    is_complete = owner.rest is None and not owner.optional
    if name == "items":
        pairs: list[Value] = [Tuple((Const(key), value)) for key, value in owner.items.items()]
        if not is_complete:
            keys = element_of(owner)
            return Sequence(None if keys is None else Tuple((keys, owner.any())), kind="generator")
        return Sequence(items=pairs, kind="generator")
    if name == "values":
        values = list(owner.items.values())
        return Sequence(items=values, kind="generator") if is_complete else Sequence(owner.any(), kind="generator")
    if name == "keys":
        return Sequence(element_of(owner), kind="keys")
    if name in ("get", "pop", "setdefault"):
        return _dict_get(frame, owner, name, arguments)
    if name == "update":
        _dict_update(frame, owner, arguments)
        return NONE
    if name == "copy":
        return owner.copy()
    if name in ("clear", "popitem"):
        frame.change(owner, UNKNOWN, ABSENT)
    return UNKNOWN if name != "clear" else NONE


def _dict_get(frame: Frame, owner: Dict, name: str, arguments: Arguments) -> Value:
    key = arguments.get(0) or UNKNOWN
    default = arguments.get(1) or (NONE if name != "pop" else None)
    if name == "setdefault" and default is not None:
        if not isinstance(key, Const) or key.value not in owner.items or key.value in owner.optional:
            frame.change(owner, key, default)
        return owner.get(key)
    item = owner.lookup(key, default) or UNKNOWN
    if name == "pop":
        frame.change(owner, key, ABSENT)
    return item


def _dict_update(frame: Frame, owner: Dict, arguments: Arguments) -> None:
    other = arguments.get(0)
    for name, value in arguments.kwargs.items():
        frame.change(owner, Const(name), value)
    if isinstance(other, Dict):
        for name, value in other.items.items():
            change = frame.change_perhaps if name in other.optional else frame.change
            change(owner, Const(name), value)
        if other.rest is not None:
            frame.change(owner, UNKNOWN, other.rest)
    elif other is not None:
        frame.change(owner, UNKNOWN, UNKNOWN)
