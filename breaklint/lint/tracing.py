"""Trace the regions of a file: the hits of its rules, and the rest of its result."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from breaklint.interp.compilation import Compilation, Region
from breaklint.interp.entries import callers_first, entry_conditions, matches, outside, regions, unfollowed
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.public_functions import has_public_name
from breaklint.interp.regions import trace_all
from breaklint.interp.ways_to_compiler import functions
from breaklint.lint.collector import Collector
from breaklint.lint.findings import RawFinding, excerpt
from breaklint.model import PUBLIC_FUNCTION, Entry, FileResult, Settings
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.spans import source_of
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.call_paths import CallPaths
from breaklint.rules.checks.repeated_calls import fixed_marks, repeated_compiles
from breaklint.rules.fullgraph import fullgraph_functions


def trace_file(
    interp: Interpreter, collector: Collector, module: Module, settings: Settings
) -> tuple[FileResult, CallGraph, list[RawFinding]]:
    """Trace the regions that begin in a module, with events that go to the collector: the result without findings, the
    calls, and the findings."""
    result = regions(interp, module, settings.entry_points)
    compilations = unfollowed(interp)
    notices = [_unfollowed_note(item) for item in compilations]
    notices += trace_all(interp, callers_first(interp, result))
    traced = {*interp.roots.values()}
    entries = dict.fromkeys(_entry(each) for each in result if each.kind != PUBLIC_FUNCTION or each in traced)
    for event in (*repeated_compiles(interp, module), *fixed_marks(interp, module)):
        collector.add(event)
    graph = CallGraph(interp.call_sites)
    collector.drop_captured(fullgraph_functions(interp.roots, graph))
    collector.add_library_breaks(graph)
    collector.add_module_starts(interp, graph)
    collector.apply_eager_frames(graph)
    collector.add_breaking_calls(graph)
    paths = CallPaths(graph, entry_conditions(interp.roots))
    compiled = {each.function for each in result if each.kind != PUBLIC_FUNCTION} | paths.reached()
    elsewhere = {(each.module.path, each.name) for each in compiled if _may_be_public(each, module)}
    file_result = FileResult(
        module.path,
        errors=tuple(dict.fromkeys(collector.errors)),
        notices=tuple(notices),
        captured=tuple((raw.event.frame.module.path, raw.span, raw.rule.code) for raw in collector.captured),
        reached=tuple(sorted(elsewhere)),
        entries=tuple(entries),
        unfollowed=len(compilations),
    )
    return file_result, graph, collector.findings(paths, graph)


def unmatched(module: Module, patterns: Sequence[str]) -> tuple[str, ...]:
    """The patterns of entry points that name no function of a file."""
    infos = functions(module) if patterns else []
    return tuple(pattern for pattern in patterns if not any(matches(info, pattern) for info in infos))


def _may_be_public(function: FunctionInfo, module: Module) -> bool:
    """Whether a function may be a public function or method of another checked file."""
    return function.module is not module and not function.module.installed and has_public_name(function)


def _entry(region: Region) -> Entry:
    """The entry point of a region: at the class if its function is inherited from an installed package."""
    function, cls = region.function, region.cls
    if cls is not None and function.module.installed:
        name = f"{cls.name}.{function.name.rpartition('.')[2]}"
        return Entry(cls.module.path, cls.node.lineno, region.kind, name)
    return Entry(function.module.path, function.node.lineno, region.kind, function.name)


def _unfollowed_note(compilation: Compilation) -> str:
    """The note on a call of the compiler with an argument that breaklint cannot infer."""
    node = compilation.node
    argument = node.args[0] if isinstance(node, ast.Call) and node.args else node
    source = excerpt(source_of(compilation.module, argument))
    where = f"{compilation.module.path}:{node.lineno}"
    library = outside(compilation.value)
    if library:
        why = f"and its code in `{library}` is missing; check its files as well, or pass its environment with --python"
    else:
        why = "and breaklint cannot infer its value; add the function to entry-points"
    return f"{where}: {compilation.kind} compiles `{source}`, {why}"
