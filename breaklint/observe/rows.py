"""The lines of a file by state on the observed inputs: in a graph, broken, skipped, or not reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from breaklint.errors import SourceError
from breaklint.observe.functions import Function
from breaklint.observe.known import File
from breaklint.observe.profile import Seen
from breaklint.source.syntax import parse

GRAPH, BROKEN, GIVEN_UP, UNREACHED = "graph", "broken", "given-up", "unreached"


class Row(NamedTuple):
    """A line of the source with its state ("" outside of functions) and Dynamo's reason."""

    number: int
    text: str
    state: str = ""
    notes: tuple[str, ...] = ()


def rows_of(file: File, entries: Set[int]) -> list[Row]:
    """All rows of a file; those of a function are told that was observed, or that is an entry: of one at `entries`."""
    lines = file.text.split("\n")
    states: dict[int, str] = {}
    notes: dict[int, list[str]] = {}
    known = {row: state for function, seen in file.known.items() for row, state in _states(function, seen)}
    for span in _statements(file):
        function = file.functions.at(span[0])
        if function is not None and (function in file.known or not entries.isdisjoint(_rows(function))):
            result = {known[row] for row in span if row in known}
            states.update(dict.fromkeys(span, _worst(result, file, span[0])))
    for function, seen in file.known.items():
        for row, note in _notes(function, seen):
            notes.setdefault(row, []).append(note)
    return [
        Row(number, text, states.get(number, ""), tuple(dict.fromkeys(notes.get(number, ()))))
        for number, text in enumerate(lines[:-1] if lines[-1] == "" else lines, 1)
    ]


def _states(function: Function, seen: Mapping[str, Seen]) -> Iterator[tuple[int, str]]:
    """The traced lines, then the lines with a break."""
    for item in seen.values():
        yield from ((function.first + row - 1, GRAPH) for row in item.traced)
    for item in seen.values():
        yield from ((function.first + broken.row - 1, BROKEN) for broken in item.breaks if broken.row)


def _rows(function: Function) -> range:
    return range(function.first, function.last + 1)


def _worst(found: set[str], file: File, row: int) -> str:
    """The state of a statement; one without any was given up where its function was."""
    if found:
        return BROKEN if BROKEN in found else GRAPH
    function = file.functions.at(row)
    seen = file.known.get(function, {}) if function is not None else {}
    return GIVEN_UP if any(item.given_up for item in seen.values()) else UNREACHED


def _notes(function: Function, seen: Mapping[str, Seen]) -> Iterator[tuple[int, str]]:
    for torch, item in seen.items():
        for broken in item.breaks:
            then = "; the rest of the function ran eagerly" if broken.gave_up else ""
            by = f" ({', '.join(broken.by)})" if broken.by else ""
            yield function.first + broken.row - 1, f"torch {torch}: {broken.gb} {broken.reason}{then}{by}"
        for again in item.recompiles:
            by = f" ({', '.join(again.by)})" if again.by else ""
            yield function.first + max(again.row, 1) - 1, f"torch {torch}: compiled again: {again.reason}{by}"


def _statements(file: File) -> Iterator[range]:
    """The rows of each statement inside functions, without those of the statements in it."""
    try:
        tree = parse(file.path, file.text)
    except SourceError:
        return
    for outer in ast.walk(tree):
        for node in getattr(outer, "body", ()) if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) else ():
            yield from _spans(node)


def _spans(node: ast.stmt) -> Iterator[range]:
    inner = [child for name in ("body", "orelse", "finalbody") for child in getattr(node, name, ())]
    inner += [child for name in ("handlers", "cases") for item in getattr(node, name, ()) for child in item.body]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return  # a function's statements are its own
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # nothing runs
    last = min([node.end_lineno or node.lineno, *(child.lineno - 1 for child in inner)])
    yield range(node.lineno, max(last, node.lineno) + 1)
    for child in inner:
        yield from _spans(child)
