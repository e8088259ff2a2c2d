"""Runs a program, and compares what its expressions were with what the interpreter says they may be."""

from __future__ import annotations

import ast
import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from unittest import mock

import torch
from covering import Object, covers, frozen
from harness import INSTALLED_TORCH

from breaklint.interp.entries import regions
from breaklint.interp.frame import EventFilter
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.regions import run_deep, trace
from breaklint.interp.transfer import expressions, loops
from breaklint.project.project import Project
from breaklint.source.decoding import read_source
from breaklint.torchops.facts import for_target

MAX_SEEN: Final = 4_000  # expressions of one run: programs that take longer are of no use
DELIBERATE: Final = (
    (loops._grown, lambda _before, after: after, "a sum over a loop is a tensor: loops are taken to run"),
    (
        expressions._outcome,
        lambda result, _stops: join_all(result) or UNKNOWN,
        "`value or True` is True: what it is tested for is its truth",
    ),
)
Place = tuple[int, int, int, int, str]


class TooLong(Exception):
    """The program runs too long."""


class Violation(NamedTuple):
    """An expression that was something that the interpreter rules out, or that it says never runs (`abstract` None)."""

    place: Place
    source: str
    abstract: Value | None
    concrete: object

    def __str__(self) -> str:
        said = "is never evaluated" if self.abstract is None else f"is {self.abstract!r}"
        return f"line {self.place[0]}: {self.source!r} {said}, but was {self.concrete!r}"


def place_of(node: ast.expr) -> Place:
    """Where an expression is, and what it is."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, type(node).__name__


class _Observer(ast.NodeTransformer):
    """Hands the value of every expression that is read to `_see`, in the order and as lazily as before."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        node.body = [self.visit(statement) for statement in node.body]
        self.depth -= 1
        if self.depth:
            node.args = self.visit(node.args)
        if node.name == "__init__":
            inside = ast.With([ast.withitem(ast.Name("_building", ast.Load()))], node.body)
            node.body = [ast.fix_missing_locations(ast.copy_location(inside, node))]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        inside_function = self.depth > 0
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return node
        if isinstance(node, (ast.pattern, ast.FormattedValue)):
            return node
        super().generic_visit(node)
        if not inside_function or not isinstance(node, ast.expr) or isinstance(node, (ast.Starred, ast.Slice)):
            return node
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return node
        if isinstance(node, ast.Name) and node.id == "super":
            return node
        self.places.append(place_of(node))
        seen = ast.Call(ast.Name("_see", ast.Load()), [ast.Constant(len(self.places) - 1), node], [])
        return ast.fix_missing_locations(ast.copy_location(seen, node))


class Run:
    """What the expressions of `Net.forward` were, and of all that it calls."""

    def __init__(self, text: str) -> None:
        self.values: dict[Place, list[object]] = {}
        self._observer = _Observer()
        tree = ast.fix_missing_locations(self._observer.visit(ast.parse(text)))
        self._code = compile(tree, "model.py", "exec")
        self._steps = 0
        self._off = 1

    def forward(self, flag: bool) -> None:
        """Make a new model and run it."""
        module = types.ModuleType("model")
        module.__dict__.update(_see=self._see, _building=self._building())
        self._steps, self._off = 0, 1
        exec(self._code, module.__dict__)
        net: Any = module.__dict__["Net"]()
        self._off = 0
        try:
            net.forward(torch.linspace(-1.0, 1.0, 6).reshape(2, 3), flag)
        finally:
            self._off = 1

    def _see(self, number: int, value: object) -> object:
        self._steps += 1
        if self._steps > MAX_SEEN:
            raise TooLong
        if not self._off:
            seen = self.values.setdefault(self._observer.places[number], [])
            if len(seen) < 40:
                seen.append(frozen(value))
        return value

    def _building(self) -> Any:
        run = self

        class Building:
            def __enter__(self) -> None:
                run._off += 1

            def __exit__(self, *_error: object) -> None:
                run._off -= 1

        return Building()


def _without(function: Any, replacement: Any) -> Any:
    return mock.patch.object(sys.modules[function.__module__], function.__name__, replacement)


@contextlib.contextmanager
def exact() -> Iterator[None]:
    """Without the approximations that rule out what may be, for the sake of findings that would be missed."""
    with contextlib.ExitStack() as stack:
        for function, replacement, _reason in DELIBERATE:
            stack.enter_context(_without(function, replacement))
        yield


def violations(text: str) -> list[Violation] | None:
    """What the interpreter gets wrong in a program, in the order of the lines; None for a program that fails."""
    run = Run(text)
    try:
        with torch.no_grad():
            run.forward(True)
            run.forward(False)
    except (TooLong, RecursionError, Exception):  # noqa: BLE001 - whatever a generated program raises
        return None
    return sorted(_compare(text, run), key=lambda found: found.place)


def _compare(text: str, run: Run) -> Iterator[Violation]:
    project = Project([], lambda path: read_source(path).text)
    module = project.add("model.py", text)
    interp = Interpreter(project, for_target(INSTALLED_TORCH), lambda _event: None, EventFilter())
    with exact():
        limits = run_deep(lambda: [trace(interp, region) for region in regions(interp, module)])
    if any(limit.startswith("too ") for limit in limits):
        return  # given up half-way
    known = {place_of(node): value for node, value in interp.values.items() if isinstance(node, ast.expr)}
    lines = text.splitlines()
    followed = not any(_not_followed(known.get(place), values) for place, values in run.values.items())
    for place, values in run.values.items():
        abstract = known.get(place)
        if abstract is None and (any(limits) or not followed):
            continue
        for concrete in values:
            if abstract is None or not covers(abstract, concrete):
                row, start, _, end, _ = place
                yield Violation(place, lines[row - 1][start:end], abstract, concrete)
                break
    interp.forget()


def _not_followed(abstract: Value | None, values: list[object]) -> bool:
    """Whether nothing is known of a function or an object, so that calls of it and its methods are not followed."""
    return abstract is UNKNOWN and any(callable(value) or isinstance(value, Object) for value in values)


def minimised(text: str, same: Any) -> str:
    """The smallest program that can be had by leaving statements out for which `same(text)` still holds."""
    changed = True
    while changed:
        changed = False
        for number in range(len(list(_bodies(ast.parse(text))))):
            smaller = True
            while smaller:
                smaller = False
                for shorter in _shorter(text, number):
                    if same(shorter):
                        text, smaller, changed = shorter, True, True
                        break
    return text


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                yield body


def _shorter(text: str, number: int) -> Iterator[str]:
    """The program without one of the statements of a block, or with the statement's own block in its place."""
    length = len(next((body for at, body in enumerate(_bodies(ast.parse(text))) if at == number), []))
    for place in reversed(range(length)):
        for way in ("", "body", "orelse"):
            tree = ast.parse(text)
            body = [*_bodies(tree)][number]
            statement = body[place]
            if way:
                definition = isinstance(statement, (ast.FunctionDef, ast.ClassDef))
                instead = [] if definition else getattr(statement, way, [])
            else:
                instead = [] if length > 1 or isinstance(statement, ast.Pass) else [ast.Pass()]
            if instead or (length > 1 and not way):
                body[place : place + 1] = instead
                yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"
