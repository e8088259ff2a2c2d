"""The abstract interpreter: runs functions on abstract values the way Dynamo traces them on real ones.

Calls of functions and modules of the project are followed, as Dynamo inlines them, once for each combination of
argument values. Events go to `sink`; the interpreter does not depend on rules.
"""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from breaklint.interp import parameters
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.compilation import Region
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.context import Context
from breaklint.interp.environment import Env
from breaklint.interp.events import UnboundCall
from breaklint.interp.frame import NOTHING_CHANGED, AbstractInterpreter, Event, EventFilter, Frame, Sink, Transfer
from breaklint.interp.heap import HeapObject
from breaklint.interp.lattice import UNKNOWN, Unknown, Value, join_all, options
from breaklint.interp.models import instances
from breaklint.interp.models.loggers import LOGGER, returns_logger
from breaklint.interp.objects import Instance
from breaklint.interp.record import Record
from breaklint.interp.signatures import signature_of, why_unbound
from breaklint.interp.summaries import (
    ArgumentKey,
    CallKey,
    Summaries,
    Summary,
    call_key,
    forget_narrowed,
    replay,
)
from breaklint.interp.transfer import calls, expressions, statements
from breaklint.interp.values import NONE, Compound, Static
from breaklint.model import PUBLIC_FUNCTION
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.returned_parameter import returned_parameter
from breaklint.torchops.facts import Facts

MAX_DEPTH: Final = 24
MAX_HELPERS: Final = 3  # deeper helpers of a constructor rarely determine its attributes
MAX_INSTALLED: Final = 200_000  # steps in installed packages, for all regions of a file
MAX_WAYS: Final = 48  # combinations of argument values of one function
_DECORATED: Final = frozenset({Function, ClassValue, Unknown})  # values that decorators take and return
TRANSFER: Final = Transfer(
    expressions.VISITORS, statements.run_block, statements.run_statement, calls.invoke, instances.any_instance
)


class CallSite(NamedTuple):
    """A call of a function of the project in traced code, and the record of that call.

    `node` is None for a call by a statement, such as of a method for `with`. `owner` is the object of a bound method.
    """

    node: ast.expr | None
    frame: Frame
    context: Context
    callee: FunctionInfo
    record: Record
    owner: Value | None

    @property
    def leaves_defaults(self) -> bool:
        """Whether the call passes no argument for a parameter whose default is None or a flag."""
        if not isinstance(self.node, ast.Call):
            return True
        signature = signature_of(self.callee)
        count = len(self.node.args) + (self.callee.cls is not None and not self.callee.is_staticmethod)
        passed = {*signature.names[:count], *(word.arg for word in self.node.keywords)}
        switches = (each.arg for each, default in signature.defaults if _is_switch(default))
        return passed.isdisjoint(switches)


class MethodCall(NamedTuple):
    """The record of a call of a method, its object, and its parameters."""

    record: Record
    owner: Instance
    parameters: Env


class Interpreter(AbstractInterpreter):
    """Traces regions of a project. One interpreter serves many regions and caches the results of calls."""

    __slots__ = (
        "_entered", "_installed_steps", "_running", "_summaries", "call_sites", "calls", "limit", "roots",
    )  # fmt: skip

    def __init__(self, project: Project, facts: Facts, sink: Sink, event_filter: EventFilter) -> None:
        super().__init__(project, facts, event_filter, TRANSFER, sink)
        self.limit = ""  # the limit that a call of the region reached, as text
        self.call_sites: list[CallSite] = []
        self.roots: dict[Record, Region] = {}  # by the record of its function
        self.calls: dict[tuple[FunctionInfo, ClassInfo], list[MethodCall]] = {}  # by traced code, to the end
        self._summaries = Summaries()
        self._running: set[CallKey] = set()
        self._installed_steps = 0  # taken in installed packages
        self._entered: int | None = None  # the steps when a call went into a package, until that call returns

    def forget(self) -> None:
        """Release all values, which refer to each other, after the last region."""
        for instance in self.instances.values():
            instance.forget()
        for frame in self.scopes:
            frame.env.clear()
            frame.returns.clear()
            frame.return_envs = None
        for table in (
            self.scopes,
            self.global_values,
            self.names,
            self.decorated,
            self.instances,
            self.values,
            self.call_sites,
            self.roots,
            self.calls,
            self.awaited,
            self.compiled,
            self.driver_calls,
        ):
            table.clear()
        self.forget_memos()
        self._summaries.clear()
        self.sink = _ignore

    def start(self) -> None:
        """Begin a new region: reset the budget and the state that an aborted region has left."""
        self.steps = 0
        self.limit = ""
        self.loop_start, self.oldest_change, self.widens = 0, NOTHING_CHANGED, False
        self.operator_since = None
        self._running.clear()
        self._entered = None

    def call(
        self,
        frame: Frame,
        function: Function,
        args: list[Value],
        kwargs: dict[str, Value],
        starred: bool = False,
        node: ast.expr | None = None,
    ) -> Value:
        """The result of a call of a function of the project, after its side effects. `node` is the call in the source,
        if there is one."""
        info, context = function.info, frame.context
        if frame.returns and not context.conditional:
            context = context.under_condition()
        bound = [function.owner, *args] if function.owner is not None else args
        if not starred and (why := why_unbound(info, len(bound), kwargs)):
            if node is not None and "try" in context.blocks:
                frame.emit(UnboundCall(node, frame, why))
            return UNKNOWN  # it raises, or the callee is another function
        env = parameters.bind(self, function, bound, kwargs, starred)
        self._note_arguments(function, env, context)
        if frame.depth >= MAX_DEPTH or (not context.traced and context.helpers >= MAX_HELPERS):
            return self._leave(context, f"calling more than {MAX_DEPTH} functions deep")
        if not context.traced and (value := self._untraced(function, env, (*args, *kwargs.values()))) is not None:
            return value
        arguments = ArgumentKey()
        key = call_key(function, context, (self.captures, self.operator_since is not None), env.values(), arguments)
        for container in arguments.compared_by_identity:
            frame.record.read(container)
        summary = self._summaries.find(key, arguments.containers)
        if summary is not None:
            self._note_call(node, frame, function, summary.record)
            return replay(frame, summary, arguments.containers)
        if key in self._running:
            return UNKNOWN
        if (annotated := self._annotated(frame, info)) is not None:
            return annotated
        if limit := self._limit_reached(info, context, key):
            return self._leave(context, limit)
        helper = context.helpers < 2 or info.name.rpartition(".")[2] != "__init__"  # a chain of them builds one object
        owner = function.owner
        if owner is None and info.decorators and info.cls is not None and args and isinstance(args[0], Instance):
            owner = args[0]  # a method that a decorator's wrapper calls
        inner = Frame(
            self, info.module, info, env, context.of_call(helper), None, owner, function.closure,
            frame.depth + 1,
        )  # fmt: skip
        self._note_call(node, frame, function, inner.record)
        return self._follow(frame, inner, key, arguments)

    def _note_arguments(self, function: Function, env: Env, context: Context) -> None:
        """Record the arguments of a call for the regions of its function."""
        if context.traced:
            if function.info in self.awaited:
                self.awaited[function.info].append({**env})
        elif self.is_driving:
            self.driver_calls.setdefault(function.info, []).append((function.owner, {**env}))

    def _untraced(self, function: Function, env: Env, values: tuple[Value, ...]) -> Value | None:
        """The result of an untraced call that does not depend on the body of the function."""
        if self.decorating is None and type(env.get(parameter := returned_parameter(function.info))) in _DECORATED:
            return env[parameter]  # a decorator
        promised = parameters.plain_promise(self, function.info)
        if function.info.derive(returns_logger):
            promised = LOGGER
        runs = promised is None or self._stores_attributes(function) or any(map(_may_change, values))
        return None if runs else promised

    def _annotated(self, frame: Frame, info: FunctionInfo) -> Value | None:
        """The annotated result of a call by a public function of a package, for which it stands."""
        if self.region is None or self.region.kind != PUBLIC_FUNCTION or not frame.context.traced:
            return None
        if not frame.depth and info.name.rpartition(".")[2].startswith("_"):
            return None
        annotated = parameters.as_promised(self, info, UNKNOWN)
        return None if annotated is UNKNOWN or isinstance(annotated, Static) else annotated  # `is_compiling()`

    def _follow(self, frame: Frame, inner: Frame, key: CallKey, arguments: ArgumentKey) -> Value:
        """Run a call, keep its summary, and make its effects in the calling frame."""
        info, owner, bindings = inner.function, inner.owner, inner.env.copy()
        assert info is not None
        for container in arguments.compared_by_identity:
            inner.record.read(container)
        result = self._run_once(inner, key)
        if result is UNKNOWN or type(result) is Tuple:
            result = parameters.as_promised(self, info, result)
        self._summaries.keep(key, Summary(result, inner.record, arguments.containers))
        frame.record.include(inner.record)
        forget_narrowed(frame, inner.record)
        if isinstance(owner, Instance) and self._counts_as_entry(inner.context):
            self.calls.setdefault((info, owner.cls), []).append(MethodCall(inner.record, owner, bindings))
        return result

    def _counts_as_entry(self, context: Context) -> bool:
        """Whether a call in this context is traced like a call from outside."""
        return context.traced and not (context.fills_cache or self.captures or self.operator_since is not None)

    def _run_once(self, frame: Frame, key: CallKey) -> Value:
        """Run a call; a recursive call with an equal key returns Unknown."""
        self._running.add(key)
        enters = frame.module.installed and self._entered is None
        if enters:
            self._entered = self.steps
        try:
            return self.run(frame)
        finally:
            self._running.discard(key)
            if enters:
                self._installed_steps, self._entered = self._steps_installed(), None

    def _limit_reached(self, info: FunctionInfo, context: Context, key: CallKey) -> str:
        """The limit that one more call of a function would exceed, "" if none."""
        if self._summaries.count(info, context.traced, key) > MAX_WAYS:
            return f"calling {info.name} in more than {MAX_WAYS} ways"
        if info.module.installed and self._steps_installed() > MAX_INSTALLED:
            return f"calling installed packages for more than {MAX_INSTALLED:,} steps"
        return ""

    def _stores_attributes(self, function: Function) -> bool:
        """Whether a method may store attributes of its instance."""
        owner, name = function.owner, function.info.name.rpartition(".")[2]
        return isinstance(owner, Instance) and bool(self.attribute_stores.may_store(owner.cls, name))

    def _steps_installed(self) -> int:
        """How many steps have been taken in installed packages."""
        return self._installed_steps + (0 if self._entered is None else self.steps - self._entered)

    def called_modules(self) -> dict[Module, None]:
        """The files whose functions traced code calls, in the order of the calls."""
        return dict.fromkeys(site.callee.module for site in self.call_sites)

    def _note_call(self, node: ast.expr | None, frame: Frame, callee: Function, record: Record) -> None:
        if frame.context.traced:
            site = CallSite(node or frame.implicit, frame, frame.context, callee.info, record, callee.owner)
            self.call_sites.append(site)

    def _leave(self, context: Context, limit: str) -> Value:
        """Unknown, for a call that is not followed; in traced code the limit is recorded for the region."""
        if context.traced:
            self.limit = self.limit or limit
        return UNKNOWN

    def run(self, frame: Frame) -> Value:
        """Trace the body of a frame's function; returns its result."""
        info = frame.function
        assert info is not None
        if isinstance(info.node, ast.Lambda):
            return frame.eval(info.node.body)
        if info.is_stub:
            return UNKNOWN  # the callee is an override
        falls_through = statements.run_block(frame, info.node.body)
        if frame.return_envs is not None:
            ends = [*frame.return_envs, *([frame.env] if falls_through else [])]
            frame.continue_from(ends)
            frame.return_envs.clear()
            frame.is_running = False
        if info.is_generator:
            return Sequence(join_all(frame.yields), kind="generator")
        if falls_through:
            frame.returns.append(NONE)
        return join_all(frame.returns) or UNKNOWN  # it only raises: the callee is an override


def _is_switch(default: ast.expr | None) -> bool:
    return isinstance(default, ast.Constant) and (default.value is None or isinstance(default.value, bool))


def _may_change(value: Value) -> bool:
    """Whether a function may change the shared state of an argument."""
    return any(isinstance(option, (HeapObject, Compound)) for option in options(value))


def _ignore(_event: Event) -> None:
    """Drop an event."""
