"""Where a value of a call comes from, and the guards that compiled code puts on such places."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

LOCAL: Final = "local"
MODULE: Final = "module"
GLOBAL: Final = "global"


@dataclass(frozen=True)
class Source:
    """A place that a call reads: an argument, an attribute, an item or a size of one.

    `kind` says what it belongs to; numbers of modules and of globals are never made symbolic when they are ints. A size
    has the number of its dimension as `dim` and the text of its tensor as `tensor`. `owner` is the place that
    holds this one, under `key`.
    """

    text: str
    read: Callable[[Any], Any] = field(compare=False, hash=False)
    kind: str = LOCAL
    dim: int | None = None
    tensor: str = ""
    owner: Source | None = field(default=None, compare=False, hash=False)
    key: Any = field(default=None, compare=False, hash=False)

    def attribute(self, name: str, kind: str = "") -> Source:
        """The source of an attribute."""
        text = f"{self.text}.{name}"
        return Source(text, lambda world: self.read(world).attrs[name], kind or self.kind, owner=self, key=name)

    def item(self, key: Any) -> Source:
        """The source of an item of a list, a tuple or a dict."""
        return Source(f"{self.text}[{key!r}]", lambda world: self.read(world)[key], self.kind, owner=self, key=key)

    def size(self, dim: int) -> Source:
        """The source of a size of a tensor."""
        text = f"{self.text}.size({dim})"
        return Source(text, lambda world: self.read(world).shape[dim], self.kind, dim, self.text, self, dim)


@dataclass(frozen=True)
class Guard:
    """What has to hold for compiled code to be used again, the row that makes it so, and what it reads."""

    text: str
    holds: Callable[[Any], bool] = field(compare=False, hash=False)
    row: int | None = field(default=None, compare=False)
    filename: str = field(default="", compare=False)
    sources: tuple[Source, ...] = field(default=(), compare=False)
    node: ast.AST | None = field(default=None, compare=False)

    def passes(self, world: Any) -> bool:
        """Whether a call satisfies the guard; what cannot be read does not."""
        try:
            return bool(self.holds(world))
        except (KeyError, IndexError, AttributeError, TypeError, ValueError, ZeroDivisionError):
            return False
