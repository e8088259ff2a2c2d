"""Whether a change of state recompiles the traced entry point at every call: its calls are interpreted in sequence."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from breaklint.interp import entries, repeated_calls
from breaklint.interp.call_log import NEW_CALLS, CallLog
from breaklint.interp.compilation import FORWARD, Region
from breaklint.interp.containers import Sequence
from breaklint.interp.context import Context
from breaklint.interp.events import Event, FixedMark, RepeatedCompile
from breaklint.interp.frame import Frame
from breaklint.interp.heap import HeapObject
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Value
from breaklint.interp.models.instances import is_module
from breaklint.interp.objects import Instance
from breaklint.interp.repeated_calls import RepeatedCalls
from breaklint.interp.repeated_reads import CONTENTS as CONTENTS
from breaklint.interp.repeated_reads import NUMBER as NUMBER
from breaklint.interp.repeated_reads import never_repeating
from breaklint.interp.size_marks import Mark, fixing
from breaklint.interp.values import ExternalInstance
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.walking import walk

RECURRENT: Final = frozenset(f"torch.nn.{name}" for name in ("RNN", "LSTM", "GRU"))


class Verdicts(NamedTuple):
    """The reasons why a function compiles at every call, and the nodes whose changes are inferred in all calls."""

    changes: dict[ast.AST, str]
    seen: frozenset[ast.AST]

    def of(self, node: ast.AST) -> str | None:
        """The kind of the value that a node changes, "" if it settles, None if it cannot be inferred."""
        return self.changes.get(node, "" if node in self.seen else None)


class _OfRegions(dict[tuple[Region, bool], Verdicts]):
    """The effects of calls of the regions of a file, with equal and other sizes, computed on demand."""

    def verdict_of(self, node: ast.AST, varies_sizes: bool) -> str | None:
        """The verdict on a change that the calls of another region of the file contain; None if none of them does."""
        verdicts_on_node = (verdicts.of(node) for (_, varied), verdicts in self.items() if varied == varies_sizes)
        return next((result for result in verdicts_on_node if result is not None), None)


class _Read(NamedTuple):
    """A value that differs in each iteration of a loop of driver code: `place` is the loop, "" for a change.

    `home` is the file of a change in compiled code.
    """

    node: ast.expr
    kind: str
    home: Module | None
    place: str


class _Driven(NamedTuple):
    """The observations of the calls of one function by driver code; `decides` if there are enough calls."""

    verdicts: Verdicts
    decides: bool
    has_sizes: bool
    reads: tuple[_Read, ...]


class _OfDrivers(NamedTuple):
    """The functions that the driver code of a file compiles, with their calls, and the sizes that it marks."""

    functions: Mapping[FunctionInfo, _Driven] = MappingProxyType({})
    marks: Collection[tuple[Mark, FunctionInfo]] = ()


def verdict(event: Event, varies_sizes: bool = False) -> str | None:
    """The kind of the changing value if the region compiles without end because of it, else "".

    None if the calls could not be followed.
    """
    interp, region = event.frame.interp, event.frame.interp.region
    if region is None or not isinstance(interp, Interpreter):
        return None
    module = region.function.module
    driven = _driven(interp, module).functions.get(region.function)
    inner = _of_owner(interp, event, region)
    if _is_skipped(interp, inner or region, event):
        return ""
    if driven is not None and driven.decides and (driven.has_sizes or not varies_sizes):
        result = driven.verdicts.of(event.node)
        if result is not None:
            return result
    if event.frame.module is not module:
        return None
    regions = module.derive(_OfRegions, _OfRegions)
    if (decided := regions.verdict_of(event.node, varies_sizes)) is not None:
        return decided
    if ((region := inner or region), varies_sizes) not in regions:
        if inner is None and interp.steps - interp.region_steps > repeated_calls.MAX_STEPS:
            return None  # calls in turn take more steps than tracing has taken up to here
        calls = RepeatedCalls(interp.project, interp.facts, frozenset())
        regions[region, varies_sizes] = _verdicts(repeated_calls.of_region(interp, calls, region, varies_sizes))
        calls.close()
    return regions[region, varies_sizes].of(event.node)


def _of_owner(interp: Interpreter, event: Event, region: Region) -> Region | None:
    """The region of the module whose method changes its state, if a method of another module calls that."""
    owner = event.frame.owner
    target = None if region.target is None else region.target.owner
    if not isinstance(owner, Instance) or owner is target or owner.cls is region.cls:
        return None
    forward = interp.project.method(owner.cls, FORWARD)
    is_entry = forward is not None and forward.module is region.function.module and is_module(interp, owner.cls)
    return Region(forward, owner.cls) if is_entry and forward is not None else None


def _is_skipped(interp: Interpreter, region: Region, event: Event) -> bool:
    """Whether Dynamo does not compile a method at all, as it calls a recurrent module itself."""
    owner: Value | None = interp.instances.get((region, region.cls)) if region.cls is not None else None
    if region.target is not None and isinstance(region.target.owner, Instance):
        owner = region.target.owner
    owner = owner or event.frame.owner
    if not isinstance(owner, Instance) or not interp.facts.does("skips recurrent"):
        return False
    names = (call.func.attr for call in region.function.nodes.of(ast.Call) if isinstance(call.func, ast.Attribute))
    callees = (owner.get(name) for name in names if name in owner.attrs)
    return any(isinstance(value, ExternalInstance) and value.cls in RECURRENT for value in callees)


def _verdicts(logs: list[CallLog]) -> Verdicts:
    if not logs or not all(log.is_whole for log in logs):
        return Verdicts({}, frozenset())
    changes: dict[ast.AST, str] = {change.node: read.kind for read in never_repeating(logs) for change in read.changes}
    every = [change for log in logs for change in log.changes]
    open_ended = {change.node for change, places in every if any(_has_unknown_items(place) for place, _ in places)}
    return Verdicts(changes, frozenset(change.node for change, _ in every) - open_ended)


def _has_unknown_items(place: object) -> bool:
    """Whether the items of a list are not known one by one, for example because it is too long."""
    return isinstance(place, Sequence) and place.items is None


def _driven(interp: Interpreter, module: Module) -> _OfDrivers:
    """The calls of the functions that the driver code of a file compiles; empty if it compiles none."""

    def run() -> _OfDrivers:
        targets = frozenset(region.function for region in entries.compiled_regions(interp))
        if not targets:
            return _OfDrivers()
        calls = repeated_calls.of_driver_code(interp, module, targets)
        functions = {function: _summary(logs) for function, logs in calls.logs.items()}
        calls.close()
        return _OfDrivers(functions, calls.marks)

    return module.derive(_OfDrivers, run)


def _summary(logs: list[CallLog]) -> _Driven:
    return _Driven(_verdicts(logs), len(logs) > NEW_CALLS, logs[-1].has_sizes, tuple(_reads(logs)))


def _reads(logs: list[CallLog]) -> Iterator[_Read]:
    """The values that differ in each iteration of a loop of driver code: changes in compiled code, else reads."""
    loop = logs[-1].loop
    reads = never_repeating(logs) if loop is not None else []
    changes = {(change.node, read.kind): change.frame.module for read in reads for change in read.changes}
    yield from (_Read(node, kind, home, "") for (node, kind), home in changes.items() if isinstance(node, ast.expr))
    if reads and loop is not None and not changes:
        place = f"{os.path.basename(loop[0].path)}:{loop[1].lineno}"
        is_change = isinstance(getattr(reads[0].node, "ctx", None), ast.Store)  # of a variable of a function around it
        yield _Read(reads[0].node, reads[0].kind, None, "" if is_change else place)


def repeated_compiles(interp: Interpreter, module: Module) -> Iterator[RepeatedCompile]:
    """The reasons why compiled code compiles in each iteration of a loop of driver code."""
    for function, driven in _driven(interp, module).functions.items():
        for node, kind, origin, place in driven.reads:
            home = _home(interp, function, node) if origin is None else origin
            yield RepeatedCompile(node, _frame(interp, home, function), kind, place)


def _home(interp: Interpreter, function: FunctionInfo, node: ast.expr) -> Module:
    """The file of an expression of a function or of its callees."""
    files = [function.module, *interp.called_modules()]
    return next((home for home in files if any(item is node for item in walk(home.tree))), function.module)


def _frame(interp: Interpreter, home: Module, function: FunctionInfo) -> Frame:
    return Frame(interp, home, function if home is function.module else None, {}, Context())


def fixed_marks(interp: Interpreter, module: Module) -> Iterator[FixedMark]:
    """The code that fixes a size which driver code of a file marks as dynamic."""
    for mark, function in _driven(interp, module).marks:
        node = fixing(function, mark)
        if node is not None:
            what, place = (
                f"dimension {mark.dim} of {mark.parameter}",
                f"{os.path.basename(module.path)}:{mark.node.lineno}",
            )
            yield FixedMark(node, _frame(interp, function.module, function), what, place)


def is_old(value: Value | None, event: Event) -> bool:
    """Whether an object was there before the call of the entry that is traced: the `**kwargs` of a call was not."""
    if not isinstance(value, HeapObject) or value.serial >= event.frame.interp.region_start:
        return False
    function = event.frame.function
    spec = None if function is None else function.node.args
    rest = () if spec is None else (spec.vararg, spec.kwarg)
    return all(parameter is None or event.frame.env.get(parameter.arg) is not value for parameter in rest)
