"""The number of graphs of a function, from the breaks that the rules report.

A break ends a graph, and so does a call that reaches one: each function on the path is split there, and the callee is
compiled on its own. If the break, or the call, is in a loop, a comprehension or the body of a `try`, or the break is an
operation at which Dynamo cannot resume, the rest of that frame runs in eager mode. tests/rules/test_graphs.py compares
the counts with those of Dynamo.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Final, NamedTuple

from breaklint.interp.context import Condition
from breaklint.interp.interpreter import CallSite
from breaklint.interp.lattice import Value, options
from breaklint.interp.record import Record
from breaklint.interp.values import Tensor
from breaklint.project.module import FunctionInfo
from breaklint.rules.base import NO_RESUME
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.default_arguments import holds_by_default
from breaklint.rules.frame_ends import SKIPPING, Break, End, FrameEnds, Node, blocks_around, node_end
from breaklint.rules.loop_lengths import turns_of

_OPERATIONS: Final = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)


class _Point(NamedTuple):
    """A place in a call at which the graph ends; `site` is the call that reaches the break, if there is one.

    If it skips the rest of the frame, the code before it is compiled only if it is not a block (`compiles`).
    """

    node: Node
    skips: bool
    site: CallSite | None = None
    compiles: bool = False


class Graphs:
    """The calls of the regions of one file, with the breaks in them.

    Counts are of the graphs that one call runs: a function that is called twice counts twice, and a loop counts as
    often as it turns, if its length is literal or a default. `assumed` are calls that may not be compiled.
    """

    def __init__(
        self,
        graph: CallGraph,
        breaks: Iterable[Break],
        values: Mapping[ast.AST, Value],
        assumed: Set[Record] = frozenset(),
    ) -> None:
        self._values = values
        self._defaults: dict[tuple[Condition, FunctionInfo | None], bool] = {}
        self._functions = {**graph.functions}
        self._graph = graph.certain
        self._sites, self._callers = self._graph.callees, self._graph.callers
        self._breaks: dict[Record, list[Break]] = {}
        self._operations: dict[FunctionInfo, tuple[list[End], frozenset[ast.AST | None]]] = {}
        self._broken: dict[tuple[bool, Hashable], Set[Record]] = {}
        self._reaching: dict[Hashable, Set[Record]] = {}
        self._graphs: dict[tuple[Record, bool, Hashable, FunctionInfo | None], int] = {}
        self._turns: dict[ast.expr | None, int] = {}  # by the node of a call
        self._skipped: dict[Record, dict[FunctionInfo, bool]] = {}
        for item in breaks:
            self._functions.setdefault(item.record, item.function)
            self._breaks.setdefault(item.record, []).append(item)
        functions = {self._functions[record] for record in self._callers}
        excluded = self._callers.keys() | assumed
        self.roots = [
            record
            for record, function in self._functions.items()
            if record not in excluded and function is not None and function not in functions
        ]

    def function(self, record: Record) -> FunctionInfo | None:
        """The function of a call."""
        return self._functions[record]

    def count(
        self, root: Record, conditional: bool, without: Hashable = None, disabled: FunctionInfo | None = None
    ) -> int:
        """The graphs of a call and of the functions that it calls, if the breaks of one cause are gone.

        Breaks under conditions count if the default arguments make these true, or if `conditional` is set. Calls of
        the function that is `disabled` break, and it runs in eager mode with all that it calls.
        """
        if without is not None and root not in self._reach(without):
            without = None
        if disabled is not None and root not in self._reach(disabled):
            disabled = None
        key = root, conditional, without, disabled
        if key not in self._graphs:
            self._graphs[key] = 0  # recursion ends here
            self._graphs[key] = self._count(*key)
        return self._graphs[key]

    def _count(self, record: Record, conditional: bool, without: Hashable, disabled: FunctionInfo | None) -> int:
        points = self._points(record, self._breaking(conditional, without), conditional, without)
        skip = next((point for point in points if point.skips), None)
        ends = [node_end(point.node) for point in points]
        compiled = ends if skip is None else ends[: points.index(skip) + skip.compiles]
        operations = self._operation_ends(record, [point.node for point in points])
        calls = {point.node: point.site for point in points if point.site is not None}
        if skip is not None:  # callees of a frame in eager mode are compiled on their own
            after = (site for site in self._sites.get(record, ()) if node_end(site.node) > node_end(skip.node))
            calls |= {site.node: site for site in after if site.node is not None}
        graphs = _segments(operations, compiled, whole=skip is None)
        for site in calls.values():
            if disabled is None or site.callee is not disabled:
                graphs += self.count(site.record, conditional, without, disabled) * self._turns_of(site)
        return graphs

    def _turns_of(self, site: CallSite) -> int:
        if site.node not in self._turns:
            self._turns[site.node] = turns_of(site)
        return self._turns[site.node]

    def leading(self, records: Iterable[Record]) -> list[Record]:
        """The entry points that reach one of some calls."""
        calls = self._graph.with_callers(records)
        return [root for root in self.roots if root in calls]

    def alone(self, item: Break) -> bool:
        """Whether a call has and reaches only breaks of one cause."""
        points = self._points(item.record, self._breaking(True, None), True, None)
        own = {other.node for other in self._breaks[item.record] if other.cause == item.cause}
        return all(point.node in own for point in points)

    def breaking(self, root: Record) -> bool:
        """Whether a call reaches a break, under any condition."""
        return root in self._breaking(True, None)

    def by_default(self, item: Break) -> bool:
        """Whether a break happens if each parameter of the functions on the path to it has its default."""
        return item.record in self._reached_by_default and self._hold(item.conditions, item.function)

    @cached_property
    def _reached_by_default(self) -> Set[Record]:
        """The calls that the entry points reach with the default arguments."""
        return self._graph.with_callees(self.roots, self._follows).keys()

    def skipped(self, item: Break, ends: FrameEnds) -> dict[FunctionInfo, bool]:
        """The functions that Dynamo runs in eager mode because of a break: its own, and its callers.

        The value of one is true if it is only the rest of the function.
        """
        result = {}
        if item.function is not None and not SKIPPING.keys().isdisjoint(item.blocks):
            result[item.function] = ends.is_rest(item.record, item.node, item.blocks, item.conditions)
        if item.record not in self._skipped:
            self._skipped[item.record] = self._skipped_callers(item.record, ends)
        return {**result, **self._skipped[item.record]}

    def _skipped_callers(self, record: Record, ends: FrameEnds) -> dict[FunctionInfo, bool]:
        """The direct and indirect callers of a function that Dynamo skips because of the block around a call."""
        result: dict[FunctionInfo, bool] = {}
        for site in (site for call in self._graph.with_callers([record]) for site in self._callers.get(call, ())):
            function, node, blocks = site.frame.function, site.node, blocks_around(site)
            if function is not None and node is not None and not SKIPPING.keys().isdisjoint(blocks):
                is_rest = ends.is_rest(site.frame.record, node, blocks, site.context.conditions)
                result[function] = is_rest and result.get(function, True)
        return result

    def _breaking(self, conditional: bool, without: Hashable) -> Set[Record]:
        """The calls in which the graph breaks."""
        key = conditional, without
        if key not in self._broken:
            self._broken[key] = self._find_breaking(conditional, without)
        return self._broken[key]

    def _find_breaking(self, conditional: bool, without: Hashable) -> Set[Record]:
        counted = (item for breaks in self._breaks.values() for item in breaks)
        records = (item.record for item in counted if self._counts(item, conditional, without))
        callers = self._graph.with_callers(records) if conditional else self._graph.with_callers(records, self._follows)
        return callers.keys()

    def _reach(self, end: Hashable | FunctionInfo) -> Set[Record]:
        """The calls that reach a break of a cause, or a function, under any condition."""
        if end not in self._reaching:
            breaks = (item.record for breaks in self._breaks.values() for item in breaks if item.cause == end)
            calls = (record for record, function in self._functions.items() if function is end)
            self._reaching[end] = self._graph.with_callers([*breaks, *calls]).keys()
        return self._reaching[end]

    def _points(self, record: Record, breaking: Set[Record], conditional: bool, without: Hashable) -> list[_Point]:
        """The places at which a call's graphs end, in the order of the source."""
        result: dict[Node, _Point] = {}
        for item in self._breaks.get(record, ()):
            if self._counts(item, conditional, without):
                skipping = SKIPPING.keys() & item.blocks
                result[item.node] = _Point(item.node, bool(skipping), compiles=skipping == {NO_RESUME})
        for site in self._sites.get(record, ()):
            if site.record in breaking and (conditional or self._follows(site)):
                assert site.node is not None
                skipping = SKIPPING.keys() & blocks_around(site)
                skips = bool(skipping) or (site.node in result and result[site.node].skips)
                result[site.node] = _Point(site.node, skips, site, skipping == {NO_RESUME})
        return sorted(result.values(), key=lambda point: node_end(point.node))

    def _operation_ends(self, record: Record, points: Iterable[ast.AST]) -> list[End]:
        """The ends of the expressions of a function that compute tensors in a graph, in order."""
        function = self._functions[record]
        if function is None:
            return []
        if function not in self._operations:
            operations: frozenset[ast.AST | None] = frozenset(self._operations_in(function))
            if not operations:  # it is only a wrapper
                calls = self._sites.get(record, ())
                operations = frozenset(site.node for site in calls if any(self._operations_in(site.callee)))
            self._operations[function] = sorted(map(node_end, operations)), operations
        ends, nodes = self._operations[function]
        broken = [node_end(node) for node in points if node in nodes]
        if not broken:
            return ends
        result = list(ends)
        for end in broken:
            result.pop(bisect_left(result, end))
        return result

    def _operations_in(self, function: FunctionInfo) -> Iterator[ast.AST]:
        """The expressions of a function that compute tensors."""
        return (node for cls in _OPERATIONS for node in function.nodes.of(cls) if self._is_tensor(node))

    def _counts(self, item: Break, conditional: bool, without: Hashable) -> bool:
        return (conditional or self.by_default(item)) and (without is None or item.cause != without)

    def _follows(self, site: CallSite) -> bool:
        """Whether a call is made if each parameter has its default."""
        return self._hold(site.context.conditions, site.frame.function)

    def _hold(self, conditions: Iterable[Condition], function: FunctionInfo | None) -> bool:
        for condition in conditions:
            key = condition, function
            if key not in self._defaults:
                self._defaults[key] = holds_by_default(condition, function)
            if not self._defaults[key]:
                return False
        return True

    def _is_tensor(self, node: ast.AST) -> bool:
        value = self._values.get(node)
        return value is not None and any(isinstance(option, Tensor) for option in options(value))


def _segments(operations: Sequence[End], ends: Sequence[End], whole: bool) -> int:
    """How many of the stretches that end at `ends`, and the one after them if it is compiled, compute something."""
    borders = [bisect_left(operations, end) for end in ends]
    stops = [*borders, len(operations)] if whole else borders
    return sum(start < stop for start, stop in zip([0, *borders], stops, strict=False))
