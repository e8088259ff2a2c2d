"""The inference for one file by position: plain data that is joined with LibCST nodes.

Inference uses `ast`, rules and codemods LibCST. Both have positions, LibCST through its PositionProvider. The places
below are the common form of both.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from breaklint.codemod.values import InferredValue, described
from breaklint.interp.lattice import Value
from breaklint.model import Finding, Position, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.spans import span_of
from breaklint.project.walking import children
from breaklint.rules.python_rules import Analysis

Place = tuple[object, ...]
"""Where an expression is written. Python counts the parentheses around a tuple or a generator as part of it, LibCST
does not: these two are found by the place of their first part."""

UNCERTAIN = (ast.Raise, ast.ExceptHandler)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """The inference for the nodes of one file; can be pickled, and contains no syntax nodes.

    `values` has the traced expressions, `statements` where traced statements begin. `at` and `from_statement` are the
    findings by expression and by the beginning of a statement. `functions` are the rows of the functions with their
    dotted names, outer ones first.
    """

    values: dict[Place, InferredValue] = field(default_factory=dict)
    statements: frozenset[Position] = frozenset()
    at: dict[Place, tuple[Finding, ...]] = field(default_factory=dict)
    from_statement: dict[Position, tuple[Finding, ...]] = field(default_factory=dict)
    functions: tuple[tuple[int, int, str], ...] = ()

    def function_at(self, row: int) -> str:
        """The dotted name of the innermost function around a line, `<module>` outside of functions."""
        return next((name for first, last, name in reversed(self.functions) if first <= row <= last), "<module>")


def span_place(span: Span) -> Place:
    """The place of most expressions."""
    return tuple(span)


def part_place(kind: str, part: Place) -> Place:
    """The place of a tuple, a generator or an unpacked part: the place of its first item."""
    return (kind, part)


def module_facts(analysis: Analysis) -> ModuleFacts:
    """The inference of an analysis for the nodes of its own file."""
    return _Reader(analysis).facts()


class _Reader:
    """Reads the tree once, from the outside in."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis, self._module = analysis, analysis.module
        self._values: dict[Place, InferredValue] = {}
        self._statements: set[Position] = set()
        self._described: dict[Value, InferredValue] = {}
        self._places: dict[Span, Place] = {}

    def facts(self) -> ModuleFacts:
        for node, parents in self._nodes():
            if isinstance(node, ast.expr) and not isinstance(node, ast.Slice):
                self._read(node, parents)
        at: dict[Place, list[Finding]] = defaultdict(list)
        from_statement: dict[Position, list[Finding]] = defaultdict(list)
        for finding in self._analysis.findings:
            if finding.filename != self._module.path:
                continue
            if finding.span in self._places:
                at[self._places[finding.span]].append(finding)
            else:
                from_statement[finding.span.start].append(finding)
        return ModuleFacts(
            self._values,
            frozenset(self._statements),
            {place: tuple(findings) for place, findings in at.items()},
            {start: tuple(findings) for start, findings in from_statement.items()},
            tuple(sorted(map(_rows, self._module.functions.values()), key=lambda rows: (rows[0], -rows[1]))),
        )

    def _nodes(self) -> Iterator[tuple[ast.AST, tuple[ast.stmt, ...]]]:
        """Every node that may be traced, with the statements around it in its function, the function included."""
        todo: list[tuple[ast.AST, tuple[ast.stmt, ...]]] = [(self._module.tree, ())]
        while todo:
            node, parents = todo.pop()
            yield node, parents
            if isinstance(node, ast.stmt):
                parents = (node,) if isinstance(node, SCOPES) else (*parents, node)
            todo += [(child, parents) for child in children(node) if not isinstance(child, UNCERTAIN)]

    def _read(self, node: ast.expr, parents: tuple[ast.stmt, ...]) -> None:
        place = self._place(node)
        self._places.setdefault(span_of(self._module, node), place)
        value = self._analysis.interp.values.get(node)
        if value is None:
            return
        self._values.setdefault(place, self._describe(value))
        for parent in reversed(parents):
            start = span_of(self._module, parent).start
            if start in self._statements:
                break
            self._statements.add(start)

    def _describe(self, value: Value) -> InferredValue:
        result = self._described.get(value)
        if result is None:
            result = self._described[value] = described(self._analysis.interp, value)
        return result

    def _place(self, node: ast.expr) -> Place:
        if isinstance(node, ast.Tuple) and node.elts:
            return part_place("tuple", self._place(node.elts[0]))
        if isinstance(node, ast.GeneratorExp):
            return part_place("generator", self._place(node.elt))
        if isinstance(node, ast.Starred):
            return part_place("starred", self._place(node.value))
        return span_place(span_of(self._module, node))


def _rows(function: FunctionInfo) -> tuple[int, int, str]:
    return function.node.lineno, function.node.end_lineno or function.node.lineno, function.name
