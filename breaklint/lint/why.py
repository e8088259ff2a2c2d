"""The inference for one line of a file, and the calls that reach it."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from breaklint.interp.callables import is_unknown
from breaklint.interp.compilation import Region
from breaklint.interp.describe import describe
from breaklint.interp.entries import entry_conditions
from breaklint.interp.frame import Frame, Sink
from breaklint.interp.interpreter import CallSite, Interpreter
from breaklint.interp.lattice import Value, join
from breaklint.interp.record import Record
from breaklint.interp.unknown_causes import causes
from breaklint.lint.conditions import text_of
from breaklint.lint.engine import Engine
from breaklint.lint.findings import excerpt
from breaklint.lint.unreached import explain
from breaklint.model import Finding, Settings, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import source_of, span_of
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.call_paths import CallPaths
from breaklint.source.decoding import read_source

Visit = Callable[[Frame, Any], Value]


@dataclass(frozen=True, slots=True)
class Inferred:
    """An expression: its place, its source, its value, and the reasons for an unknown value, step by step."""

    span: Span
    source: str
    value: str
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """A region from which a line is traced: its function and place, the calls to the line, and the conditions."""

    region: str
    filename: str
    row: int
    calls: tuple[str, ...]
    when: str


@dataclass(frozen=True, slots=True)
class Why:
    """The inference for a line. If no traced code reaches it, `reached` is empty, and `unreached` is the reason."""

    filename: str
    row: int
    reached: tuple[Reached, ...]
    inferred: tuple[Inferred, ...]
    findings: tuple[Finding, ...]
    unreached: tuple[str, ...] = ()


@dataclass(slots=True)
class _Evaluation:
    """A traced expression: its value over all runs, and the frames that ran it, with the conditions there."""

    value: Value
    function: FunctionInfo | None
    module: Any
    places: list[tuple[Frame, tuple[Any, ...]]]


class _Recorder(dict[type[ast.expr], Visit]):
    """Transfer functions that record values on one line of a file."""

    def __init__(self, visitors: Mapping[type[ast.expr], Visit], path: str, row: int) -> None:
        super().__init__({kind: self._noting(visit) for kind, visit in visitors.items()})
        self._path, self._row = path, row
        self.nodes: dict[ast.expr, _Evaluation] = {}

    def _noting(self, visit: Visit) -> Visit:
        def visit_and_note(frame: Frame, node: ast.expr) -> Value:
            value = visit(frame, node)
            covers = node.lineno <= self._row <= (node.end_lineno or node.lineno)
            if covers and frame.context.traced and os.path.abspath(frame.module.path) == self._path:
                evaluation = self.nodes.get(node)
                if evaluation is None:
                    evaluation = self.nodes[node] = _Evaluation(value, frame.function, frame.module, [])
                evaluation.value = join(evaluation.value, value)
                evaluation.places.append((frame, frame.context.conditions))
            return value

        return visit_and_note


class _Recording(Engine):
    """An engine whose interpreter records the values on one line of a file."""

    def __init__(self, settings: Settings, roots: Sequence[Path], path: str, row: int) -> None:
        super().__init__(settings, roots)
        self._place = os.path.abspath(path), row

    def interpreter(self, sink: Sink) -> Interpreter:
        """An interpreter for the regions of one file, whose events go to `sink`."""
        self.interp = super().interpreter(sink)
        self.recorder = self.interp.visitors = _Recorder(self.interp.visitors, *self._place)
        return self.interp


def why(path: str, row: int, callers: Sequence[str], settings: Settings) -> Why:
    """The inference for a line of the file at `path`, by the regions of that file and of `callers`.

    SourceError when one of them cannot be read or parsed.
    """
    reached: dict[Reached, None] = {}
    nodes: dict[ast.expr, _Evaluation] = {}
    inferred: list[Inferred] = []
    findings: dict[tuple[Span, str], Finding] = {}  # several files may reach one, at different costs
    unreached: list[str] = []
    for file in dict.fromkeys([path, *callers]):
        folders = [Path(os.path.dirname(os.path.abspath(caller))) for caller in (path, *callers)]
        engine = _Recording(settings, folders, path, row)
        text = read_source(file).text
        for finding in engine.check(file, text).findings:
            if os.path.abspath(finding.filename) == os.path.abspath(path) and row in finding.span.rows:
                findings.setdefault((finding.span, finding.code), finding)
        interp, recorder = engine.interp, engine.recorder
        if file == path:
            unreached = explain(interp, engine.project.add(file, text), row)
        reached.update(dict.fromkeys(_ways(recorder, interp)))
        if not nodes:
            nodes = recorder.nodes
            inferred = _inferred(nodes, interp.values, row)
    why_not = () if reached else tuple(unreached)
    return Why(path, row, tuple(reached), tuple(inferred), tuple(findings.values()), why_not)


def _ways(recorder: _Recorder, interp: Interpreter) -> list[Reached]:
    """The shortest path from each region to the line."""
    graph, roots = CallGraph(interp.call_sites), interp.roots
    paths = CallPaths(graph, entry_conditions(roots))
    places = {frame.record: conditions for entry in recorder.nodes.values() for frame, conditions in entry.places}
    results: dict[Region, Reached] = {}
    for record, conditions in places.items():
        todo: list[tuple[Record, tuple[str, ...]]] = [(record, ())]
        visited = {record}
        for current, calls in todo:
            region = roots.get(current)
            if region is not None and region not in results:
                function = region.function
                when = text_of(paths.fewest([(record, conditions)]) or ())
                results[region] = Reached(function.name, function.module.path, function.node.lineno, calls, when)
            for site in graph.callers.get(current, ()):
                if site.frame.record not in visited:
                    visited.add(site.frame.record)
                    todo.append((site.frame.record, (_call(site), *calls)))
    return list(results.values())


def _call(site: CallSite) -> str:
    if site.node is None:
        return site.callee.name
    return f"{site.frame.module.path}:{site.node.lineno}: {excerpt(source_of(site.frame.module, site.node))}"


def _inferred(nodes: Mapping[ast.expr, _Evaluation], values: Mapping[ast.AST, Value], row: int) -> list[Inferred]:
    """The expressions of a line from left to right, each source once; preferably those that begin there."""
    begin = {node: item for node, item in nodes.items() if node.lineno == row}
    results: dict[str, Inferred] = {}
    for node in sorted(begin or nodes, key=lambda expr: (expr.lineno, expr.col_offset, -(expr.end_col_offset or 0))):
        if isinstance(node, (ast.Constant, ast.Slice, ast.Starred, ast.JoinedStr)):
            continue
        entry = nodes[node]
        because = tuple(causes(node, entry.function, values)) if is_unknown(entry.value) else ()
        source = source_of(entry.module, node)
        results.setdefault(source, Inferred(span_of(entry.module, node), source, describe(entry.value), because))
    return list(results.values())
