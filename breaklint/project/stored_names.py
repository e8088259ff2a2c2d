"""Which methods of a class store an attribute under its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from breaklint.project.module import ClassInfo
from breaklint.project.walking import statements, targets, walk


class Storing(NamedTuple):
    """A method by its name in its class; `itself`: it stores the attribute of its `self`."""

    method: str
    itself: bool


class _Storing(dict[tuple[ClassInfo, str], tuple[Storing, ...]]):
    """The methods by class and attribute; cached with the tree of the file, for all files that import it."""


def storing(cls: ClassInfo, name: str) -> tuple[Storing, ...]:
    """The methods of a class itself that store an attribute of some object."""
    cache = cls.module.derive(_Storing, _Storing)
    result = cache.get((cls, name))
    if result is None:
        result = cache[cls, name] = tuple(_search(cls, name)) if cls.may_hold(f".{name}") else ()
    return result


def _search(cls: ClassInfo, name: str) -> Iterator[Storing]:
    for key, method in cls.methods.items():
        stores = [*_stores(method.node, name)] if method.may_hold(f".{name}") else ()
        if stores:
            yield Storing(key, any(isinstance(node, ast.Name) and node.id == "self" for node in stores))


def _stores(method: ast.AST, name: str) -> Iterator[ast.expr]:
    """The objects in which the statements of a method store an attribute."""
    for part in (part for node in statements(method) for target in targets(node) for part in walk(target)):
        if isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Store):
            yield part.value
