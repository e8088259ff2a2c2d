"""Which statement last changed what a guard reads: state that calls of an entry leave behind for the next one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from breaklint.project.module import Module
from breaklint.recompiles.objects import Obj
from breaklint.recompiles.sources import Guard, Source
from breaklint.recompiles.world import World


class Site(NamedTuple):
    """A node that changes state, and its file."""

    module: Module
    node: Any


class Changes:
    """The last store in each attribute, global and container. What is stored in is kept, so that no two share an id."""

    def __init__(self) -> None:
        self._last: dict[tuple[Any, ...], Site] = {}
        self._kept: dict[int, Any] = {}
        self.executed: set[ast.AST] = set()  # the nodes that have changed something
        self.unknown: set[ast.AST] = set()  # those that have stored what nothing is known of
        self.compiled: set[ast.AST] = set()  # those that have changed something in compiled code
        self.is_compiled = False  # whether compiled code runs

    def attribute(self, owner: Any, name: str, site: Site | None) -> None:
        """Note a store in an attribute."""
        self._note((id(owner), name), owner, site)

    def container(self, owner: Any, site: Site | None) -> None:
        """Note a change of the contents of a list, a dict or a set."""
        self._note((id(owner),), owner, site)

    def name(self, key: tuple[str, str], site: Site | None) -> None:
        """Note a store in a name of a module's top level."""
        self._note(key, None, site)

    def _note(self, key: tuple[Any, ...], owner: Any, site: Site | None) -> None:
        if site is not None:
            self._kept[id(owner)] = owner
            self._last[key] = site
            self.executed.add(site.node)
            if self.is_compiled:
                self.compiled.add(site.node)

    def of(self, guard: Guard, world: World) -> Site | None:
        """What last changed the place that a guard reads, or what holds it."""
        keys = (key for source in guard.sources for key in _keys(source, world))
        return next((self._last[key] for key in keys if key in self._last), None)


def _keys(source: Source, world: World) -> Iterator[tuple[Any, ...]]:
    """The places that a source is read through, the innermost first."""
    each: Source | None = source
    while each is not None:
        try:
            value = each.read(world)
        except (KeyError, IndexError, AttributeError, TypeError):
            value = None
        if isinstance(value, (list, dict, set)):
            yield (id(value),)
        if isinstance(each.key, tuple) and each.owner is None:
            yield each.key
        holder = each.owner.read(world) if each.owner is not None else None
        if isinstance(holder, Obj):
            yield (id(holder), each.key)
        each = each.owner
