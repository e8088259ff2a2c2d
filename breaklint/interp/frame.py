"""One traced call: its environment, its context, its record of reads and effects; and the interface of the
interpreter."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import Function
from breaklint.interp.compilation import Compilation, Region
from breaklint.interp.containers import ABSENT, MAY_HOLD_CONTAINERS, Container, Dict, Sequence, containers_in
from breaklint.interp.contents import alike
from breaklint.interp.context import Context
from breaklint.interp.environment import Env, join_env
from breaklint.interp.heap import HeapObject, Key, Scope, next_serial, run_late
from breaklint.interp.lattice import UNKNOWN, Value, join
from breaklint.interp.objects import Instance
from breaklint.interp.record import Effect, Record
from breaklint.interp.values import Const
from breaklint.project.attribute_stores import AttributeStores
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.torchops.facts import Facts

T = TypeVar("T")
Node = ast.expr | ast.stmt
MAX_STEPS: Final = 400_000
NOTHING_CHANGED: Final = 1 << 62
WIDENING_PASS: Final = 6  # over the body of a loop: values that still change become Unknown
MAX_PASSES: Final = 12


class BudgetExceeded(Exception):
    """A region needs more steps than the budget allows; its earlier findings remain."""


@dataclass(slots=True, eq=False, repr=False)
class Event:
    """Something that happens at `node`, in the function that `frame` traces. Its kinds are in events.py."""

    node: Node
    frame: Frame


class EventFilter(NamedTuple):
    """The frequent events that rules need; others are not emitted.

    `attributes` are the names whose reads are events. `kinds` maps a class outside the project to the kinds of object
    that its instances are; a kind is a set of classes under a name, such as the classes that one rule is about.
    `modules` are the short names of the classes of torch.nn that rules look for.
    """

    attributes: frozenset[str] = frozenset()
    kinds: Mapping[str, frozenset[str]] = MappingProxyType({})
    modules: frozenset[str] = frozenset()


class _Memos(dict[type, Any]):
    """Tables by their classes."""

    def __missing__(self, kind: type) -> Any:
        self[kind] = table = kind()
        return table


class _ModuleScopes(dict[Module, Scope]):
    """The names of modules that functions have bound again."""


Sink = Callable[[Event], None]


class Transfer(NamedTuple):
    """The functions through which transfer functions and library models call each other.

    `visitors` are the transfer functions of expressions. `run_block` and `run_statement` return false if control never
    reaches the end. `invoke` calls any value. `any_instance` has unknown constructor arguments.
    """

    visitors: Mapping[type[ast.expr], Callable[[Frame, Any], Value]]
    run_block: Callable[[Frame, list[ast.stmt]], bool]
    run_statement: Callable[[Frame, ast.stmt], bool]
    invoke: Callable[[Frame, ast.expr, Value, Arguments], Value]
    any_instance: Callable[[AbstractInterpreter, ClassInfo], Instance]


class AbstractInterpreter(ABC):
    """The state and the interface of the interpreter for transfer functions and library models."""

    __slots__ = (
        "_memos", "any_instance", "attribute_stores", "awaited", "captures", "compiled", "decorated",
        "decorating", "driver_calls", "eager", "event_filter", "facts", "global_values", "instances",
        "invoke", "is_driving", "loop_start", "loops_around", "names", "oldest_change", "opaque",
        "operator_since", "project", "region", "region_start", "region_steps", "run_block", "run_statement",
        "runs_in_turn", "scopes", "sink", "steps", "values", "visitors", "widens",
    )  # fmt: skip

    def __init__(
        self, project: Project, facts: Facts, event_filter: EventFilter, transfer: Transfer, sink: Sink
    ) -> None:
        self.project, self.facts, self.event_filter = project, facts, event_filter
        self.visitors, self.run_block, self.run_statement, self.invoke, self.any_instance = transfer
        self.sink = sink  # receives the events of traced code
        self.attribute_stores = AttributeStores(project)
        self.loops_around: list[tuple[Module, ast.stmt]] = []  # loops around the calls that run in turn
        self.runs_in_turn = False  # calls and turns of loops run one by one, and stores replace: see in_turn.py
        self.steps = 0
        self.loop_start = 0  # serial at the start of this pass of the innermost loop: older objects were there before
        self.oldest_change = NOTHING_CHANGED  # of those objects, the serial of the oldest that the pass has changed
        self.widens = False  # whether values that this pass changes become Unknown
        self.values: dict[ast.AST, Value] = {}  # the value of every traced expression, joined over all runs
        self.global_values: dict[ast.expr, Value] = {}
        self.names: dict[tuple[Module, str], Value] = {}  # values of names of modules, except for computed ones
        self.instances: dict[tuple[Hashable, ClassInfo], Instance] = {}  # by the call that makes them
        self.decorated: dict[FunctionInfo, Value] = {}  # functions with decorators
        # The class whose decorators run, and the attributes that they have stored in it.
        self.decorating: tuple[ClassInfo, dict[str, Value]] | None = None
        self.opaque: set[FunctionInfo] = set()  # those of them with a decorator that is not modelled
        self.awaited: dict[FunctionInfo, list[Env]] = {}  # arguments of calls of functions that are traced later
        self.compiled: dict[tuple[ast.expr, Value], Compilation] = {}  # values passed to the compiler, by the call
        self.eager: set[FunctionInfo] = set()  # that run in eager mode, and whose calls are compiled on their own
        self.is_driving = False  # whether driver_code.py runs
        self.driver_calls: dict[FunctionInfo, list[tuple[Value | None, Env]]] = {}  # by driver code: owner, parameters
        self._memos = _Memos()
        self.region: Region | None = None  # the region that is traced
        self.region_start = 0  # the serial at which its function began: older objects existed before the call
        self.region_steps = 0  # the steps at which it began
        # The serial at which the function of a higher-order operator began; stores in it are not side effects.
        self.operator_since: int | None = None
        self.captures = False  # whether numbers read from tensors stay in its graph, as with fullgraph=True
        self.scopes: list[Frame] = []  # frames in which functions were defined, which refer to them

    def memo(self, kind: type[T]) -> T:
        """The table of a class that a module of transfer functions or models defines; created on first use."""
        table: T = self._memos[kind]
        return table

    def forget_memos(self) -> None:
        """Release the tables, some of which contain values."""
        self._memos.clear()

    def module_scope(self, module: Module) -> Scope:
        """The names of a module that functions have bound again."""
        scopes = self.memo(_ModuleScopes)
        scope = scopes.get(module)
        if scope is None:
            scope = scopes[module] = run_late(0, Scope, {})  # older than all that runs
        return scope

    def module_frame(self, module: Module) -> Frame:
        """A frame for the import of a module."""
        return Frame(self, module, None, {}, Context(traced=False))

    def global_value(self, module: Module, node: ast.expr) -> Value:
        """The value of a module-level or class-level expression."""
        if node.__class__ is ast.Constant:
            return Const(node.value)
        cached = self.global_values.get(node)
        if cached is None:
            self.global_values[node] = UNKNOWN  # while it is being evaluated: a global that refers to itself
            cached = self.global_values[node] = run_late(0, self.module_frame(module).eval, node)
        return cached

    def changed(self, target: HeapObject, old: Value | None, new: Value | None) -> bool:
        """Record that an iteration stores in an older object; returns whether the contents change."""
        if old is not None and new is not None and alike(old, new):
            return False
        self.oldest_change = min(self.oldest_change, target.serial)
        return True

    def run_until_stable(self, run: Callable[[], bool]) -> None:
        """Run the body of a loop until it changes no older object and `run` returns true."""
        outer, widens = (self.loop_start, self.oldest_change), self.widens
        for number in range(MAX_PASSES):
            self.widens = number >= WIDENING_PASS
            self.loop_start, self.oldest_change = next_serial(), NOTHING_CHANGED
            stable = run() and self.oldest_change >= self.loop_start
            outer = outer[0], min(outer[1], self.oldest_change)
            if stable:
                break
        (self.loop_start, self.oldest_change), self.widens = outer, widens

    @abstractmethod
    def call(
        self,
        frame: Frame,
        function: Function,
        args: list[Value],
        kwargs: dict[str, Value],
        starred: bool = False,
        node: ast.expr | None = None,
    ) -> Value:
        """The result of a call of a function of the project, after its effects. `node` is the call in the source."""

    @abstractmethod
    def run(self, frame: Frame) -> Value:
        """Trace the body of a frame's function; returns its result."""


class Frame(Scope):
    """The state of one traced call.

    `env` maps local names, and dotted paths such as `self.h` that a test has narrowed, to values. `closure` is the
    frame in which the function was defined.
    """

    __slots__ = (
        "context", "depth", "exits", "function", "implicit", "interp", "is_running", "module", "outer",
        "outside", "owner", "record", "return_envs", "returns", "snapshot", "yields",
    )  # fmt: skip

    def __init__(
        self,
        interp: AbstractInterpreter,
        module: Module,
        function: FunctionInfo | None,
        env: Env,
        context: Context,
        record: Record | None = None,
        owner: Value | None = None,
        closure: Scope | None = None,
        depth: int = 0,
    ) -> None:
        self.record = record or Record()  # before the frame gets its serial: its own variables are not outside the call
        self.serial, self.version, self.env, self.closure = next_serial(), 0, env, closure
        self.interp, self.module, self.function = interp, module, function
        self.context = context
        self.owner, self.depth = owner, depth
        self.returns: list[Value] = []
        self.yields: list[Value] = []
        self.return_envs: list[Env] | None = None  # those at the returns, where functions or a `finally` see them
        self.exits: list[list[Env]] = []
        self.is_running = True
        self.implicit: ast.expr | None = None  # the expression that calls a property or an operator's method
        self.outside: set[str] = set()  # names of other scopes that tests have narrowed here
        self.outer: dict[str, Scope] = {}  # the scopes of names that `nonlocal` and `global` declare
        self.snapshot: Frame | None = None  # a copy, until the next statement runs

    @property
    def name(self) -> str:
        """The dotted name of the function, `<module>` at top level."""
        return self.function.name if self.function else "<module>"

    @property
    def blocks(self) -> tuple[str, ...]:
        """The statements around the current one in its function."""
        return self.context.blocks

    def continue_from(self, ends: list[Env]) -> bool:
        """Continue with the join of the environments `ends`; False, without a change, if there are none."""
        if not ends:
            return False
        self.env = ends[0]
        for env in ends[1:]:
            self.env = join_env(self.env, env, self.outside)
        return True

    def step(self) -> None:
        """Count work without an expression, such as a layer's call; raises BudgetExceeded."""
        self.interp.steps += 1
        if self.interp.steps > MAX_STEPS:
            raise BudgetExceeded

    def eval(self, node: ast.expr) -> Value:
        """The value of an expression, stored for rules and fixes; raises BudgetExceeded."""
        interp = self.interp
        interp.steps = steps = interp.steps + 1
        if steps > MAX_STEPS:
            raise BudgetExceeded
        value = interp.visitors[type(node)](self, node)
        if self.context.traced:
            old = interp.values.setdefault(node, value)
            if old is not value and old is not UNKNOWN:
                interp.values[node] = join(old, value)
        return value

    def eval_untraced(self, node: ast.expr) -> Value:
        """The value of an expression, without events."""
        saved, self.context = self.context, self.context.untraced()
        try:
            return self.eval(node)
        finally:
            self.context = saved

    def emit(self, event: Event) -> None:
        """Pass an event to the rules, if the code that is run is traced."""
        if self.context.traced:
            self.interp.sink(event)

    def lookup(self, name: str) -> Value | None:
        """The value of a variable of this or an enclosing function; reads of the latter are recorded."""
        value = self.env.get(name)
        if value is not None or self.closure is None:
            return value
        scope: Scope | None = self.closure
        while scope is not None:
            value = scope.env.get(name)
            if scope.serial < self.record.serial:
                self.record.variables.setdefault((scope, name), value)
            if value is not None:
                return self.read(value)
            scope = scope.closure
        return None

    def read(self, value: Value) -> Value:
        """Return the value, and record that the state of the containers in it is read."""
        if type(value) in MAY_HOLD_CONTAINERS:
            for container in containers_in(value):
                self.record.read(container)
        return value

    def change(self, target: HeapObject, key: Key, value: Value, strong: bool = False) -> None:
        """Store a value in an object, and record the side effect in the call summary of the running function."""
        uncertain = self.uncertain
        strong = (strong or self.interp.runs_in_turn) and not uncertain
        for part in target.each_part() if isinstance(target, Container) else (target,):
            new_key = uncertain and isinstance(part, Dict) and isinstance(key, Const) and part.lacks(key)
            self._store(part, key, value, strong)
            if new_key:
                self._store(part, key, ABSENT, False)

    def change_perhaps(self, target: HeapObject, key: Key, value: Value) -> None:
        """Store in an object that is one of several possible targets: a weak store."""
        saved, self.context = self.context, self.context.under_condition()
        self.change(target, key, value)
        self.context = saved

    def _store(self, target: HeapObject, key: Key, value: Value, strong: bool) -> None:
        counts = target.serial < self.interp.loop_start and target.is_read(key)
        old = target.value_at(key) if counts else None
        changed = target.store(key, value, strong)
        new = None if value is ABSENT else target.value_at(key)  # a value that may now be missing does not change
        if changed and counts and self.interp.changed(target, old, new) and self.interp.widens:
            value = UNKNOWN
            target.store(key, value)
        if target.serial < self.record.serial:  # else the call itself has created it
            self.record.changed(Effect(target, key, value, strong))

    def drop_order(self, target: Sequence) -> None:
        """Forget the positions of the items of a list, after some are moved or removed."""
        for part in target.each_part():
            if isinstance(part, Sequence) and part.items:
                self.change(part, None, part.element or UNKNOWN)

    @property
    def uncertain(self) -> bool:
        """Whether the next statement may not run: under a condition, or after a conditional return."""
        return self.context.conditional or bool(self.returns)

    def copy(self, record: Record | None = None) -> Frame:
        """A copy of the frame, for a deferred statement; its side effects go to `record` if that is not None."""
        clone = Frame(
            self.interp, self.module, self.function, dict(self.env), self.context, record or self.record, self.owner,
            self.closure, self.depth,
        )  # fmt: skip
        clone.outer, clone.outside = self.outer, self.outside
        return clone

    def narrowed_outside(self, name: str, attribute: str) -> Value | None:
        """The narrowing of `name.attribute` by a test or store in an enclosing scope with the same variable."""
        path, scope, value = f"{name}.{attribute}", self, None
        while value is None and name not in scope.env and isinstance(scope.closure, Frame):
            scope = scope.closure
            value = scope.env.get(path)
            if value is not None and scope.serial < self.record.serial:
                self.record.variables.setdefault((scope, path), value)
        return value

    @property
    def is_comprehension(self) -> bool:
        """Whether this is the scope of a comprehension, inside that of its function."""
        return self.context.blocks[-1:] in (("comprehension",), ("generator",))

    def child(self, block: str) -> Frame:
        """A scope inside this one, of a comprehension or generator: sees these names, binds its own."""
        context = self.context.within(block).under_condition()
        inner = Frame(self.interp, self.module, self.function, {}, context, self.record, self.owner, self, self.depth)
        inner.returns, inner.yields = self.returns, self.yields
        return inner
