"""The abstract machine: runs functions on abstract values the way Dynamo traces them on real ones.

Calls of functions and modules of the project are followed, as Dynamo inlines them, once for each combination of
argument values. Everything notable goes to `sink` as an event; the machine itself knows no rule.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from breaklint.interp import parameters
from breaklint.interp.callables import Function
from breaklint.interp.containers import Sequence
from breaklint.interp.events import Event, EventFilter
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import join_all
from breaklint.interp.memo_key import key
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import calls, expressions, statements
from breaklint.interp.values import NONE, UNKNOWN, Value
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.torchops.facts import Facts

MAX_DEPTH: Final = 24
MAX_HELPERS: Final = 3  # what a constructor's helpers of helpers do rarely tells what its attributes are
MAX_CONTEXTS: Final = 48
Sink = Callable[[Event], None]


class _Call(NamedTuple):
    """What a call returns and whether the graph breaks in it; `alive` keeps what the memo's key names by `id`."""

    result: Value
    breaks: bool
    alive: Any


def _nobody(_event: Event) -> None:
    """Ignore the event."""


class Interpreter:
    """Traces regions of a project. One machine serves many regions and remembers what calls return."""

    def __init__(self, project: Project, facts: Facts, sink: Sink, event_filter: EventFilter) -> None:
        self.project, self.facts, self._sink, self.event_filter = project, facts, sink, event_filter
        self.handlers = expressions.HANDLERS
        self.quiet = 0
        self.conditional = 0  # how many branches and loops that may not run are around the current statement
        self.refilling = 0  # how many branches that fill a cache are around it: they run once
        self.helpers = 0  # how deep in helper functions of the constructor that is being run
        self.steps = 0
        self.limit = ""  # which limit kept a call of the region from being followed, in words
        self.breaks = 0  # how many graph breaks the rules have found so far
        self._memo: dict[object, _Call] = {}
        self._contexts: dict[tuple[int, bool], int] = {}
        self._running: set[object] = set()
        self._globals: dict[int, Value] = {}
        self.names: dict[tuple[Module, str], Value] = {}  # what names of modules stand for, but for computed ones
        self.instances: dict[object, Instance] = {}
        self.scopes: list[Frame] = []  # in which functions were made, which hold them

    def emit(self, event: Event) -> None:
        """Tell the rules, unless the code at hand is no traced code (constructors, module level)."""
        if not self.quiet:
            self._sink(event)

    def forget(self) -> None:
        """Let go of all values, which hold each other: nothing will be traced any more."""
        for instance in self.instances.values():
            instance.forget()
        for frame in self.scopes:
            frame.env.clear()
            frame.returns.clear()
        self.scopes.clear()
        self._memo.clear()
        self._globals.clear()
        self.names.clear()
        self.instances.clear()
        self._sink = _nobody

    def start(self) -> None:
        """A new region: a fresh budget, and nothing left of one that was given up half-way."""
        self.steps = self.quiet = self.conditional = self.refilling = self.helpers = 0
        self.limit = ""
        self._running.clear()

    def global_value(self, module: Module, node: ast.expr) -> Value:
        """The value of a module-level or class-level assignment."""
        if id(node) not in self._globals:
            self._globals[id(node)] = UNKNOWN  # while it is being evaluated: a global that refers to itself
            helpers, self.helpers = self.helpers, 0  # it is the same value, whoever asks first
            self._globals[id(node)] = self.quietly(lambda: Frame(self, module, None, {}).eval(node))
            self.helpers = helpers
        return self._globals[id(node)]

    def quietly(self, action: Callable[[], Value]) -> Value:
        """Run `action` without events."""
        helpers = self.helpers
        self.helpers = helpers if self.quiet else 0
        self.quiet += 1
        try:
            return action()
        finally:
            self.quiet -= 1
            self.helpers = helpers

    def call(
        self, function: Function, args: list[Value], kwargs: dict[str, Value], depth: int, starred: bool = False
    ) -> Value:
        """What a call of a function of the project returns."""
        info = function.info
        bound = [function.owner, *args] if function.owner is not None else args
        env = parameters.bind(self, info, bound, kwargs, starred)
        if depth > MAX_DEPTH or (self.quiet and self.helpers >= MAX_HELPERS):
            self._leave(f"calling more than {MAX_DEPTH} functions deep")
            return UNKNOWN
        state = (bool(self.quiet), bool(self.refilling))
        memo = (id(info), id(function.closure), state, tuple(key(value) for value in env.values()))
        if (known := self._memo.get(memo)) is not None:
            self.breaks += known.breaks
            return known.result
        context = (id(info), bool(self.quiet))
        contexts = self._contexts.get(context, 0)
        if memo in self._running:
            return UNKNOWN
        if contexts >= MAX_CONTEXTS:
            self._leave(f"calling {info.name} in more than {MAX_CONTEXTS} ways")
            return UNKNOWN
        self._contexts[context] = contexts + 1
        self._running.add(memo)
        helper = self.helpers < 2 or not info.name.endswith(".__init__")  # a line of them makes one object
        self.helpers += helper
        before = self.breaks
        try:
            result = self.run(info, env, function.owner, function.closure, depth)
        finally:
            self.helpers -= helper
            self._running.discard(memo)
        self._memo[memo] = _Call(result, self.breaks > before, (function, env))
        return result

    def _leave(self, limit: str) -> None:
        """A call of traced code is not followed."""
        if not self.quiet:
            self.limit = self.limit or limit

    def run(
        self, info: FunctionInfo, env: dict[str, Value], owner: Value | None, closure: Frame | None, depth: int
    ) -> Value:
        """Trace a function's body with its parameters bound in `env`; what it returns."""
        frame = Frame(self, info.module, info, env, owner, closure, depth)
        if isinstance(info.node, ast.Lambda):
            return frame.eval(info.node.body)
        falls_through = statements.block(frame, info.node.body)
        if info.is_generator:
            return Sequence(join_all(frame.yields), kind="generator")
        if falls_through:
            frame.returns.append(NONE)
        return join_all(frame.returns) or NONE

    def disabled(self, info: FunctionInfo) -> bool:
        """Whether a decorator keeps Dynamo out of the function."""
        frame = Frame(self, info.module, info, {})
        return bool(calls.decorator_names(frame, Function(info)) & calls.DISABLING)
