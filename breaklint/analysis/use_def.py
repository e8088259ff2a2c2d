"""Reaching definitions: the store that a use of a name sees, or the join of several stores."""

from __future__ import annotations

import ast
from bisect import bisect_left
from operator import itemgetter
from typing import NamedTuple

from breaklint.analysis.cfg import Flow
from breaklint.project.scope import Scope, Store, name_of, single_target


class Meeting(NamedTuple):
    """The value of a name at the head of a block with several incoming values."""

    block: int


LATER = Meeting(-1)  # any value that a name has when code runs later
Version = Store | Meeting | None  # None: what the name is before the code runs, as a parameter or from outside


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

    def __init__(self, scope: Scope, flow: Flow) -> None:
        self._scope, self._flow = scope, flow
        self._meetings: dict[str, set[int]] = {}  # the blocks at whose heads values of a name meet
        self._stores: dict[str, dict[int, list[tuple[int, Store]]]] = {}

    def stores(self, name: str) -> list[Store]:
        """The stores and deletions of a name in the function's own code."""
        return [store for block in self._by_block(name).values() for _, store in block]

    def definition(self, name: str, at: ast.AST) -> Definition:
        """The value of a name when a node has been evaluated, or a statement begins.

        For code that runs later, it is the value of the only store, or any value; also for a name that another function
        may store to.
        """
        if self._scope.shares(name):
            return self._of(name, LATER)
        if self._flow.is_later(at):
            every = self.stores(name)
            alone = len(every) == len(self._scope.bound(name)) == 1
            return self._of(name, every[0] if alone else LATER if every else None)
        return self._of(name, self._version(name, at))

    def _of(self, name: str, version: Version) -> Definition:
        stores = frozenset(self.stores(name)) if version is LATER else self._origins(name, version)
        statement = self._scope.statement(version) if isinstance(version, ast.AST) else None
        return Definition(version, stores, statement)

    def uses(self, store: Store) -> list[ast.Name]:
        """The reads that may see the value of a store."""
        name = name_of(store) or ""
        loads = (load for load in self._scope.loads(name) if load not in self._flow.foreign)
        return [load for load in loads if store in self.definition(name, load).stores]

    def _version(self, name: str, at: ast.AST) -> Version:
        place = self._flow.places[at]
        stores = self._by_block(name).get(place.block, [])
        before = bisect_left(stores, place.at, key=itemgetter(0))
        return stores[before - 1][1] if before else self._head(name, place.block)

    def _by_block(self, name: str) -> dict[int, list[tuple[int, Store]]]:
        """The stores of a name in the blocks that have some, in their order."""
        stores = self._stores.get(name)
        if stores is None:
            stores = self._stores[name] = {}
            for store in self._scope.bound(name):
                place = self._flow.places.get(store)
                if isinstance(store, Store) and place is not None and store not in self._flow.foreign:
                    stores.setdefault(place.block, []).append((place.at, store))
            for block in stores.values():
                block.sort(key=lambda pair: pair[0])
        return stores

    def _head(self, name: str, block: int) -> Version:
        """The version at the head of a block: that of the nearest one above, unless values meet here."""
        if name not in self._meetings:
            self._meetings[name] = self._flow.meetings(self._by_block(name))
        while block not in self._meetings[name] and block in self._flow.above:
            block = self._flow.above[block]
            if stores := self._by_block(name).get(block):
                return stores[-1][1]
        return Meeting(block) if block in self._meetings[name] else None

    def _origins(self, name: str, version: Version) -> frozenset[Store]:
        """The stores that a value may come from, without stores outside of the function."""
        result: set[Store] = set()
        seen: set[Version] = set()
        waiting = [version]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Meeting) and item not in seen:
                for before in self._flow.predecessors[item.block]:
                    stores = self._by_block(name).get(before)
                    waiting.append(stores[-1][1] if stores else self._head(name, before))
            elif item is not None and not isinstance(item, Meeting):
                result.add(item)
            seen.add(item)
        return frozenset(result)
