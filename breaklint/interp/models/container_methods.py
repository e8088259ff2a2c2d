"""Methods of lists, tuples, dicts, sets, strings and shapes."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Format
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join
from breaklint.interp.predicates import is_static
from breaklint.interp.values import NONE, SIZE, Const, Number, Shape, Static, constant_kind

STRING_TESTS: Final = ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower")


def call(frame: Frame, node: ast.expr, owner: Value, name: str, given: Arguments) -> Value:
    """What `owner.name(...)` gives."""
    if isinstance(owner, Sequence):
        return _sequence(frame, owner, name, given)
    if isinstance(owner, Dict):
        return _dict(frame, owner, name, given)
    if isinstance(owner, Tuple):
        return Static("int") if name in ("index", "count") else _named_tuple(owner, name, given)
    if isinstance(owner, Shape):
        return SIZE if name == "numel" else UNKNOWN
    if constant_kind(owner) == "str":
        if name == "format":
            for value in [*given.args, *given.kwargs.values()]:
                frame.emit(Format(node, frame, value, "format"))
        if name in STRING_TESTS:
            return Static("bool")
        if isinstance(owner, Static) and owner.default_text and name in ("upper", "lower", "strip", "capitalize"):
            return Static("str", str(getattr(owner.default_text, name)()))
        return Sequence(Static("str")) if name in ("split", "rsplit", "splitlines") else Static("str")
    if isinstance(owner, Number):
        return Number(owner.kind)
    return Static("") if is_static(owner) else UNKNOWN


def _sequence(frame: Frame, owner: Sequence, name: str, given: Arguments) -> Value:
    first = given.get(0) or UNKNOWN
    if name in ("append", "add", "appendleft"):
        frame.change(owner, None, first)
    elif name == "insert":
        frame.change(owner, None, given.get(1) or UNKNOWN)
    elif name in ("extend", "update", "extendleft"):
        inner = element_of(first)
        if inner is not None:
            frame.change(owner, None, inner)
    elif name in ("pop", "popleft", "__getitem__"):
        return owner.element or UNKNOWN
    elif name in ("index", "count"):
        return Static("int")
    elif name in ("copy", "union", "intersection", "difference"):
        return Sequence(owner.element, list(owner.items) if owner.items is not None else None, owner.kind)
    elif name in ("parameters", "buffers", "named_parameters", "modules", "children", "named_children", "forward"):
        return UNKNOWN
    return NONE


def _dict(frame: Frame, owner: Dict, name: str, given: Arguments) -> Value:
    if name == "items":
        pairs: list[Value] = [Tuple((Const(key), value)) for key, value in owner.items.items()]
        if owner.rest is not None:
            return Sequence(Tuple((Static(""), owner.any())), kind="generator")
        return Sequence(items=pairs, kind="generator")
    if name == "values":
        return (
            Sequence(items=list(owner.items.values()), kind="generator")
            if owner.rest is None
            else Sequence(owner.any(), kind="generator")
        )
    if name == "keys":
        return Sequence(element_of(owner), kind="generator")
    if name in ("get", "pop", "setdefault"):
        return _dict_get(frame, owner, name, given)
    if name == "update":
        _dict_update(frame, owner, given)
        return NONE
    if name == "copy":
        return Dict(dict(owner.items), owner.rest)
    return UNKNOWN if name != "clear" else NONE


def _dict_get(frame: Frame, owner: Dict, name: str, given: Arguments) -> Value:
    wanted = given.get(0) or UNKNOWN
    default = given.get(1) or (NONE if name == "get" else None)
    if name == "setdefault" and default is not None:
        frame.change(owner, wanted, default)
    if isinstance(wanted, Const) and wanted.value in owner.items:
        return owner.items[wanted.value]
    if isinstance(wanted, Const) and owner.rest is None:
        return default or UNKNOWN
    found = owner.any()
    return found if default is None else join(found, default)


def _dict_update(frame: Frame, owner: Dict, given: Arguments) -> None:
    other = given.get(0)
    for name, value in given.kwargs.items():
        frame.change(owner, Const(name), value)
    if isinstance(other, Dict):
        for name, value in other.items.items():
            frame.change(owner, Const(name), value)
        if other.rest is not None:
            frame.change(owner, UNKNOWN, other.rest)
    elif other is not None:
        frame.change(owner, UNKNOWN, UNKNOWN)


def _named_tuple(owner: Tuple, name: str, given: Arguments) -> Value:
    return Tuple(owner.items) if name == "_replace" else UNKNOWN
