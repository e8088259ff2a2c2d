"""The inference for one line of a file, and the calls that reach it."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from breaklint.interp.callables import is_unknown
from breaklint.interp.compilation import Region
from breaklint.interp.describe import describe
from breaklint.interp.entries import callers_first, entry_conditions, regions
from breaklint.interp.frame import Frame
from breaklint.interp.interpreter import CallSite, Interpreter
from breaklint.interp.lattice import Value, join
from breaklint.interp.record import Record
from breaklint.interp.regions import run_deep, trace
from breaklint.interp.unknown_causes import causes
from breaklint.lint.conditions import text_of
from breaklint.lint.engine import Engine
from breaklint.lint.findings import EXCERPT
from breaklint.lint.unreached import explain
from breaklint.model import Finding, Settings, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import source_of, span_of
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
        engine = Engine(settings, [Path(os.path.dirname(os.path.abspath(caller))) for caller in (path, *callers)])
        text = read_source(file).text
        for finding in engine.check(file, text).findings:
            if os.path.abspath(finding.filename) == os.path.abspath(path) and _covers(finding.span, row):
                findings.setdefault((finding.span, finding.code), finding)
        engine.forget()
        run = partial(_trace, engine, file, text, os.path.abspath(path), row)
        interp, recorder, roots, found_regions = run_deep(run)
        if file == path:
            unreached = explain(interp, engine.project.add(file, text), row, found_regions)
        reached.update(dict.fromkeys(_ways(recorder, interp.call_sites, roots)))
        if not nodes:
            nodes = recorder.nodes
            inferred = _inferred(nodes, interp.values, row)
    why_not = () if reached else tuple(unreached)
    return Why(path, row, tuple(reached), tuple(inferred), tuple(findings.values()), why_not)


def _trace(
    engine: Engine, file: str, text: str, path: str, row: int
) -> tuple[Interpreter, _Recorder, dict[Record, Region], list[Region]]:
    """Trace the regions of a file again, and record the line."""
    from breaklint.torchops.facts import for_target

    module = engine.project.add(file, text)
    facts = for_target(engine.settings.target_torch)
    interp = Interpreter(engine.project, facts, lambda _event: None, engine.rule_set.event_filter())
    recorder = _Recorder(interp.visitors, path, row)
    interp.visitors = recorder
    roots: dict[Record, Region] = {}
    entries = regions(interp, module, engine.settings.entry_points, engine.settings.entry)
    for region in callers_first(interp, entries):
        start = len(interp.call_sites)
        trace(interp, region)
        callees = {site.record for site in interp.call_sites}
        for frame in [site.frame for site in interp.call_sites[start:]] + _frames(recorder):
            if frame.record not in callees:
                roots.setdefault(frame.record, region)
    return interp, recorder, roots, entries


def _frames(recorder: _Recorder) -> list[Frame]:
    return [frame for entry in recorder.nodes.values() for frame, _ in entry.places]


def _ways(recorder: _Recorder, sites: Sequence[CallSite], roots: Mapping[Record, Region]) -> list[Reached]:
    """The shortest path from each region to the line."""
    paths, callers = CallPaths(sites, entry_conditions(roots)), dict[Record, list[CallSite]]()
    for site in sites:
        callers.setdefault(site.record, []).append(site)
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
            for site in callers.get(current, ()):
                if site.frame.record not in visited:
                    visited.add(site.frame.record)
                    todo.append((site.frame.record, (_call(site), *calls)))
    return list(results.values())


def _call(site: CallSite) -> str:
    if site.node is None:
        return site.callee.name
    source = source_of(site.frame.module, site.node)
    short = source if len(source) <= EXCERPT else f"{source[: EXCERPT - 1]}…"
    return f"{site.frame.module.path}:{site.node.lineno}: {short}"


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


def _covers(span: Span, row: int) -> bool:
    return span.start.row <= row <= span.end.row
