"""Contents of containers, independent of identity."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from breaklint.interp.containers import MAY_HOLD_CONTAINERS, Dict, Sequence, Tuple
from breaklint.interp.lattice import Union, Value

MAX_DEPTH: Final = 3  # of containers in containers whose contents are compared


def alike(first: Value, second: Value) -> bool:
    """Whether two values are equal; containers are equal if their contents are."""
    return first is second or contents(first) == contents(second)


def contents(value: Value, depth: int = MAX_DEPTH) -> Hashable:
    """The readable part of a value: the contents of a container, without its identity."""
    if type(value) not in MAY_HOLD_CONTAINERS or depth == 0:
        return value
    if isinstance(value, Union):
        return (Union, frozenset(contents(option, depth - 1) for option in value.options))
    if isinstance(value, Dict):
        rest = value.rest
        optional = value.optional
        entries = frozenset((name, contents(item, depth - 1), name in optional) for name, item in value.items.items())
        return (Dict, entries, None if rest is None else contents(rest, depth - 1))
    assert isinstance(value, Tuple | Sequence)
    items, element = value.items, None if isinstance(value, Tuple) else value.element
    if items is not None:
        return (Sequence, *(contents(item, depth - 1) for item in items))
    return (Sequence, None, None if element is None else contents(element, depth - 1))
