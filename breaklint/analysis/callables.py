"""Values that calls lead through: classes, functions and methods."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from breaklint.analysis.module import ClassInfo, FunctionInfo
from breaklint.analysis.values import Value


@dataclass(frozen=True, slots=True, repr=False)
class ClassValue(Value):
    """A class of the project."""

    info: ClassInfo


@dataclass(frozen=True, slots=True, repr=False)
class Function(Value):
    """A function of the project, bound to `owner` when it is a method; `closure` is the enclosing scope."""

    info: FunctionInfo
    owner: Value | None = None
    closure: Any = None


@dataclass(frozen=True, slots=True, repr=False)
class Method(Value):
    """A bound method of a value that is no Instance (`x.sum`)."""

    owner: Value
    name: str
    node: ast.expr | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Partial(Value):
    """`functools.partial(function, *args, **kwargs)`."""

    function: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Super(Value):
    """`super()` in a method of `cls` on `owner`."""

    cls: ClassInfo
    owner: Value
