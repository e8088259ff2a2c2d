"""Reaching definitions: the store that a use of a name sees, or one of several stores; and the order of nodes."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Final, NamedTuple

from breaklint.analysis.timeline import Root, Timeline
from breaklint.analysis.versions import Meeting, Version
from breaklint.project.scope import Scope, Store, name_of, single_target

LATER: Final = Meeting(-1)  # any value that a name has when code runs later


class Definition(NamedTuple):
    """The value that a name has at a place, the statement of the store it comes from, and all stores it may come from.

    `statement` is None if there is none.
    """

    version: Version
    stores: frozenset[Store]
    statement: ast.stmt | None

    @property
    def is_outer(self) -> bool:
        """Whether the value is that of a parameter, or comes from outside."""
        return self.version is None

    @property
    def value(self) -> ast.expr | None:
        """The expression of the `name = value` that the value comes from."""
        plain = single_target(self.statement) is self.version
        return self.statement.value if isinstance(self.statement, ast.Assign) and plain else None


class UseDef:
    """The values of the local names of a function.

    Two uses of one version see one object: no store of the name lies between them.
    """

    def __init__(self, scope: Scope, reads_all: Callable[[ast.Call], bool] = lambda _: False) -> None:
        """`reads_all`: whether a call reads its only argument, a generator, to its end."""
        assert isinstance(scope.root, Root)
        self._scope, self._timeline = scope, Timeline(scope.root, reads_all)
        self.foreign = self._timeline.foreign  # names that belong to a comprehension or class inside

    def is_later(self, node: ast.AST) -> bool:
        """Whether a node runs only when it is called, or never."""
        return node not in self._timeline.times

    def may_precede(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether a node may be evaluated before another one; true for code that runs later."""
        times, loops = self._timeline.times, self._timeline.loops
        if first not in times or second not in times:
            return True
        return times[first] < times[second] or (first in loops and loops[first] == loops.get(second))

    def stores(self, name: str) -> list[Store]:
        """The stores and deletions of a name in the function's own code."""
        versions = (version for _, version in self._timeline.versions.get(name, ()))
        return [*dict.fromkeys(version for version in versions if isinstance(version, Store))]

    def definition(self, name: str, at: ast.AST) -> Definition:
        """The value of a name when a node has been evaluated, or a statement begins.

        For code that runs later, it is the value of the only store, or any value; also for a name that another function
        may store to.
        """
        version = self._version(name, at)
        sources: Iterable[Store] = ()
        if isinstance(version, Meeting):
            sources = (store for store in self.stores(name) if self.may_precede(store, at))
        elif version is not None:
            sources = (version,)
        statement = self._scope.statement(version) if isinstance(version, ast.AST) else None
        return Definition(version, frozenset(sources), statement)

    def _version(self, name: str, at: ast.AST) -> Version:
        if self._scope.shares(name):
            return LATER
        if self.is_later(at):
            every = self.stores(name)
            is_alone = len(every) == len(self._scope.bound(name)) == 1
            return every[0] if is_alone else LATER if every else None
        versions = self._timeline.versions.get(name, [])
        place = bisect_right(versions, self._timeline.times[at], key=itemgetter(0))
        return versions[place - 1][1] if place else None

    def uses(self, store: Store) -> list[ast.Name]:
        """The reads that may see the value of a store."""
        name = name_of(store) or ""
        loads = (load for load in self._scope.loads(name) if load not in self.foreign)
        return [load for load in loads if store in self.definition(name, load).stores]
