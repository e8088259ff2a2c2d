"""The times of the nodes of a function, and the versions of its names.

Where paths meet with different values of a name, the name has a new version, a `Meeting`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NamedTuple

from breaklint.project.scope import Store, name_of


class Meeting(NamedTuple):
    """One of several values of a name, the same at all nodes with this version."""

    number: int


Version = Store | Meeting | None  # None: the value of a name before the code runs, as a parameter or from outside
Env = dict[str, Version]


class Versions:
    """For each node its time, and for each name the times at which its version changes."""

    def __init__(self) -> None:
        self.times: dict[ast.AST, int] = {}
        self.loops: dict[ast.AST, int] = {}  # the outermost loop around a node
        self.foreign: set[ast.AST] = set()  # names that belong to a comprehension or class inside
        self.versions: dict[str, list[tuple[int, Version]]] = {}
        self._now = self._meetings = self._loop = 0
        self._env: Env = {}
        self._is_reachable = True
        self._inner: list[frozenset[str]] = []  # names of the comprehensions and classes around

    def _note(self, node: ast.AST, binds: bool = True) -> None:
        """Give a node the next time; a store changes the version of its name."""
        self._now += 1
        if self._loop:
            self.loops[node] = self._loop
        name = name_of(node)
        if any(name in names for names in self._inner):
            self.foreign.add(node)
        elif binds and name and isinstance(node, Store) and not isinstance(getattr(node, "ctx", None), ast.Load):
            self._set(name, node)
        self.times[node] = self._now

    def _set(self, name: str, version: Version) -> None:
        self._now += 1
        self._env[name] = version
        self.versions.setdefault(name, []).append((self._now, version))

    def _meet(self, names: Iterable[str]) -> None:
        """Names get a version of their own, at code that several paths reach."""
        for name in names:
            if not any(name in inner for inner in self._inner):
                self._meetings += 1
                self._set(name, Meeting(self._meetings))
        self._is_reachable = True

    def _restore(self, env: Env, is_reachable: bool) -> None:
        """Continue from an earlier place."""
        for name in [name for name in self._env if self._env[name] is not env.get(name)]:
            self._set(name, env.get(name))
        self._is_reachable = is_reachable

    def _branches(self, *sides: Callable[[], None]) -> None:
        """Code of which one side runs."""
        start, ends = (dict(self._env), self._is_reachable), list[Env]()
        for side in sides:
            self._restore(*start)
            side()
            ends += [dict(self._env)] if self._is_reachable else []
        self._is_reachable = bool(ends)
        for name in {name for end in (self._env, *ends) for name in end} if ends else ():
            versions = {end.get(name) for end in ends}
            if len(versions) > 1:
                self._meet([name])
            elif self._env.get(name) is not (only := versions.pop()):
                self._set(name, only)
