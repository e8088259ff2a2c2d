"""Repeated calls of compiled code: the values that each call reads, and the reads whose value never repeats.

An entry point is called repeatedly, by itself or by the loops of driver code, with stores that replace (in_turn.py).
The log of each call contains the values of its expressions, so that a query can find guarded values that never repeat.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from breaklint.interp import driver_code, in_turn, regions
from breaklint.interp import frame as limits
from breaklint.interp.call_log import CallLog, changed_places, specialized
from breaklint.interp.callables import Function
from breaklint.interp.compilation import Region
from breaklint.interp.containers import Dict, Sequence, containers_in
from breaklint.interp.context import Context
from breaklint.interp.events import Call, Index, Rebind, SetAttribute
from breaklint.interp.frame import BudgetExceeded, Event, EventFilter, Frame
from breaklint.interp.heap import HeapObject
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.models import instances
from breaklint.interp.objects import Instance
from breaklint.interp.size_marks import Mark, marks_of
from breaklint.interp.transfer import expressions
from breaklint.interp.values import SIZE, Const, Tensor
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.torchops.facts import Facts

MAX_STEPS: Final = 1_200  # of one call of an entry
MAX_BUILDING: Final = 10_000  # steps, for the objects that are arguments of an entry point
MAX_CALLS: Final = 40  # of one function that are logged


class RepeatedCalls(Interpreter):
    """Runs calls one after the other, and logs each call of the target functions."""

    __slots__ = ("_log", "_sizes", "logs", "marks", "size", "targets")

    def __init__(self, project: Project, facts: Facts, targets: frozenset[FunctionInfo]) -> None:
        super().__init__(project, facts, self._note, EventFilter())
        self.visitors = {**self.visitors, ast.Call: self._sized, ast.Subscript: self._sized}
        self.runs_in_turn, self.targets = True, targets
        self.size = in_turn.SOME_SIZE  # of each dimension of a tensor, at this call
        self.logs: dict[FunctionInfo, list[CallLog]] = {}
        self.marks: dict[tuple[Mark, FunctionInfo], None] = {}  # of sizes, and the function that receives the tensor
        self._log: CallLog | None = None
        self._sizes: dict[FunctionInfo, list[int]] = {}  # of the arguments of the last call

    def call(
        self,
        frame: Frame,
        function: Function,
        args: list[Value],
        kwargs: dict[str, Value],
        starred: bool = False,
        node: ast.expr | None = None,
    ) -> Value:
        """The result of a call; calls of the targets by driver code are logged."""
        self._summaries.clear()
        if frame.context.traced or function.info not in self.targets:
            return super().call(frame, function, args, kwargs, starred, node)
        inputs = [*args, *kwargs.values(), *([function.owner] if function.owner is not None else [])]
        has_sizes = self._take_sizes(function.info, inputs)
        marks = marks_of(frame.module, frame.function, node, function.info)
        self.marks.update(dict.fromkeys((mark, function.info) for mark in marks))
        saved, frame.context = frame.context, Context()
        self._begin(function, inputs, has_sizes)
        try:
            return super().call(frame, function, args, kwargs, starred, node)
        except (BudgetExceeded, RecursionError):
            self._abandon()
            raise
        finally:
            frame.context, self._log = saved, None

    def close(self) -> None:
        """Release all values and logs: the events in the logs refer to the interpreter."""
        self.forget()
        self.logs.clear()
        self._log, self.visitors = None, expressions.VISITORS

    def trace(self, region: Region) -> bool:
        """Call an entry point once; False if a limit was reached."""
        target = region.target or Function(region.function)
        inputs = [value for _, env in self.driver_calls.get(region.function, ()) for value in env.values()]
        self._begin(target, inputs if target.owner is None else [target.owner, *inputs], False)
        limit = regions.trace(self, region, MAX_STEPS)
        if limit:
            self._abandon()
        self._log = None
        return not limit

    def _sized(self, frame: Frame, node: ast.expr) -> Value:
        """The value of a call or a subscript; a size is replaced by a number."""
        value = expressions.VISITORS[type(node)](frame, node)
        return Const(self.size) if value is SIZE else value

    def _take_sizes(self, info: FunctionInfo, inputs: list[Value]) -> bool:
        """Store the size that varies between calls, `net(torch.ones(n, 8))`; returns whether sizes are known."""
        sizes = [size for value in inputs if isinstance(value, Tensor) for size in value.sizes or ()]
        before, self._sizes[info] = self._sizes.get(info, sizes), sizes
        changed = [new for new, old in zip(sizes, before, strict=False) if new != old]
        self.size = changed[0] if changed else self.size
        return bool(sizes)

    def _begin(self, function: Function, inputs: list[Value], has_sizes: bool) -> None:
        closure = function.closure
        while closure is not None:
            inputs = [*inputs, *closure.env.values()]
            closure = closure.closure
        loop = self.loops_around[-1] if self.loops_around else None
        log = self._log = CallLog(function, {*_reachable_objects(self, inputs)}, loop, has_sizes)
        self.values = log.values
        logs = self.logs.setdefault(function.info, [])
        if len(logs) < MAX_CALLS:
            logs.append(log)

    def _abandon(self) -> None:
        if self._log is not None:
            self._log.is_whole = False

    def _note(self, event: Event) -> None:
        log = self._log
        if log is None:
            return
        if isinstance(event, (SetAttribute, Rebind, Index, Call)) and (places := tuple(changed_places(event))):
            log.changes.append((event, places))
        log.fixing += specialized(event)


def _reachable_objects(interp: Interpreter, inputs: Iterable[Value]) -> Iterator[HeapObject]:
    """The objects reachable from the arguments, without those inside modules."""
    todo, seen = [*inputs], set[HeapObject]()
    while todo:
        value = todo.pop()
        for option in options(value):
            objects = [option] if isinstance(option, Instance) else [*containers_in(option)]
            for each in objects:
                if each in seen or (isinstance(each, Instance) and instances.is_module(interp, each.cls)):
                    continue
                seen.add(each)
                yield each
                if isinstance(each, Instance):
                    with suppress(BudgetExceeded):
                        each.settle()
                    todo += each.attrs.values()
                elif isinstance(each, (Sequence, Dict)):
                    todo += (each.element or UNKNOWN,) if isinstance(each, Sequence) else each.items.values()


def of_region(interp: Interpreter, calls: RepeatedCalls, region: Region, varies_sizes: bool) -> list[CallLog]:
    """The log of calls of one entry point with the same arguments, or with tensors of other sizes; empty if a call is
    not interpreted to its end."""
    calls.steps = limits.MAX_STEPS - MAX_BUILDING
    try:
        again = _with_new_instances(interp, calls, region)
    except (BudgetExceeded, RecursionError):
        return []
    for turn in range(in_turn.TURNS if again is not None else 0):
        calls.size += varies_sizes and turn > 0
        if again is None or not calls.trace(again):
            return []
        logs = calls.logs[region.function]
        if turn and not varies_sizes and logs[-1].values.keys_of == logs[-2].values.keys_of:
            break  # as all later calls will
    return calls.logs.get(region.function, [])


def _with_new_instances(interp: Interpreter, calls: RepeatedCalls, region: Region) -> Region | None:
    """The region with new instances as owner and arguments, which stay the same for all calls.

    None for a function in another one, whose variables are not created again.
    """
    target = region.target
    owner = None if target is None else target.owner
    copies: dict[Instance, Instance] = {}

    def again(value: Instance) -> Instance:
        if value not in copies:
            copies[value] = Instance(value.cls, outside=True)
            instances.build_open(calls, copies[value])
        return copies[value]

    inputs: list[dict[str, Value]] = [
        {name: again(value) for name, value in env.items() if isinstance(value, Instance) and value is not owner}
        for _, env in interp.driver_calls.get(region.function, ())
    ]
    calls.driver_calls[region.function] = [(None, env) for env in inputs]
    if isinstance(owner, Instance):
        return region._replace(target=Function(region.function, again(owner)))
    if region.cls is not None:
        own = again(Instance(region.cls, outside=True))
        return region._replace(target=Function(region.function, own))
    return region if target is None or target.closure is None else None


def of_driver_code(interp: Interpreter, module: Module, targets: frozenset[FunctionInfo]) -> RepeatedCalls:
    """The calls in the driver code of a file of the functions that it compiles."""
    calls = RepeatedCalls(interp.project, interp.facts, targets)
    driver_code.run(calls, module)
    return calls
