"""Order and definitions hold of what really runs: generated functions run, and note what they evaluate."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from breaklint.analysis.use_def import UseDef
from breaklint.project.scope import Scope, name_of

NAMES = "abxy"
LENGTH = 400  # of a run, in noted nodes


class Written:
    """Writes a function at random."""

    def __init__(self, seed: int) -> None:
        self.random, self.left = Random(seed), 22

    def name(self) -> str:
        return self.random.choice(NAMES)

    def expression(self, depth: int = 0) -> str:
        self.left -= 1
        kind = self.random.randrange(12 if depth < 3 and self.left > 0 else 3)
        inner = lambda: self.expression(depth + 1)  # noqa: E731
        match kind:
            case 0 | 1:
                return self.name()
            case 2:
                return self.random.choice(["coin()", "fail()", "1"])
            case 3:
                return f"({inner()} {self.random.choice(['and', 'or'])} {inner()})"
            case 4:
                return f"({inner()} if {inner()} else {inner()})"
            case 5:
                return f"({inner()} < {inner()} < {inner()})"
            case 6:
                return f"({self.name()} := {inner()})"
            case 7:
                target, element = self.name(), inner()
                if ":=" in element:
                    return element
                return f"len([{element} for {target} in items() if coin()])"
            case 8:
                element = self.expression(3)
                return f"any({element} for {self.name()} in items())"
            case 9:
                return f"coin(*[{inner()}, {inner()}])"
            case 10:
                return f"len({{{inner()}: {inner()}}})"
            case _:
                return f"(lambda: {self.name()})"

    def block(self, depth: int, loop: bool) -> list[str]:
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, loop)]
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, loop: bool) -> list[str]:
        self.left -= 1
        kind = self.random.randrange(17 if depth < 3 and self.left > 0 else 6)
        body = lambda within=loop: self.block(depth + 1, within)  # noqa: E731
        value = self.expression
        match kind:
            case 0 | 1:
                return [f"{self.name()} = {value()}"]
            case 2:
                return [f"{self.name()} += {value()}"]
            case 3:
                return [f"{self.name()}, {self.name()} = {value()}, {value()}"]
            case 4:
                leaves = ["break", "continue"] if loop else ["pass"]
                return [self.random.choice([*leaves, f"return {value()}", "raise Failed", f"del {self.name()}"])]
            case 5:
                return [value()]
            case 6 | 7:
                other = ["else:", *body()] if self.random.random() < 0.6 else []
                return [f"if {value()}:", *body(), *other]
            case 8:
                other = ["else:", *body()] if self.random.random() < 0.3 else []
                return [f"while coin({value()}):", *body(True), *other]
            case 9:
                other = ["else:", *body()] if self.random.random() < 0.3 else []
                return [f"for {self.name()} in items({value()}):", *body(True), *other]
            case 10 | 11:
                return self.attempt(body)
            case 12:
                return [f"with manager({value()}) as {self.name()}:", *body()]
            case 13:
                return [f"match {value()}:", *self.cases(body)]
            case 14:
                return [f"assert {value()}, {value()}"]
            case 15:
                name = self.name()
                return [f"class {name}:", f"    {self.name()} = {value()}", f"    {self.name()}"]
            case _:
                return [
                    self.random.choice([f"import math as {self.name()}", f"def {self.name()}(): return {self.name()}"])
                ]

    def attempt(self, body: Any) -> list[str]:
        lines = ["try:", *body()]
        handlers = self.random.randrange(3)
        for number in range(handlers):
            lines += [f"except {'Failed' if number == 0 else 'Exception'} as {self.name()}:", *body()]
        if handlers and self.random.random() < 0.4:
            lines += ["else:", *body()]
        if not handlers or self.random.random() < 0.4:
            lines += ["finally:", *body()]
        return lines

    def cases(self, body: Any) -> Iterator[str]:
        for pattern in self.random.sample(
            ["1", "True | 0", f"{self.name()} if coin()", f"(0 | 1) as {self.name()}"], 2
        ):
            yield f"    case {pattern}:"
            yield from (f"    {line}" for line in body())


def function(seed: int) -> ast.FunctionDef:
    """A function that compiles."""
    written = Written(seed)
    lines = ["def f(a, b):", *written.block(0, False), *written.block(0, False), "    x"]
    tree = ast.parse("\n".join(lines))
    assert isinstance(tree.body[0], ast.FunctionDef)
    return tree.body[0]


class Noted(ast.NodeTransformer):
    """Code that notes the number of every name and call when it has been evaluated, of every store when it is made."""

    def __init__(self, numbers: dict[ast.AST, int]) -> None:
        self.numbers = numbers

    def call(self, function: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(function, ast.Load()), [ast.Constant(self.numbers[node]), *arguments], [])

    def note(self, node: ast.AST) -> ast.stmt:
        return ast.Expr(self.call("note", node, ast.Constant(None)))

    def stores(self, target: ast.AST) -> list[ast.AST]:
        return [node for node in ast.walk(target) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]

    def storing(self, targets: list[ast.AST], value: ast.expr) -> ast.expr:
        for target in targets:
            value = self.call("note", target, value)  # the innermost first: in the order of the stores
        return value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.call("note", node, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return self.call("note", node, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if node.name == "f":
            self.generic_visit(node)
            return node
        return [node, self.note(node)]

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.generic_visit(node)
        return [node, self.note(node)]

    def visit_Import(self, node: ast.Import) -> Any:
        return [node, *map(self.note, node.names)]

    def visit_Delete(self, node: ast.Delete) -> Any:
        return [node, *(self.note(target) for target in node.targets)]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        targets = [store for target in node.targets for store in self.stores(target)]
        node.value = self.storing(targets, self.visit(node.value))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        return [node, self.note(node.target)]  # the operation may raise, and then nothing is stored

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value = self.storing([node.target], self.visit(node.value))
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        head = [*map(self.note, self.stores(node.target))]
        self.generic_visit(node)
        node.body = [*head, *node.body]
        return node

    def visit_With(self, node: ast.With) -> ast.stmt:
        head = [
            self.note(store) for item in node.items if item.optional_vars for store in self.stores(item.optional_vars)
        ]
        self.generic_visit(node)
        node.body = [*head, *node.body]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        stores = self.stores(node.target)
        self.generic_visit(node)
        node.iter = self.call("noted_items", stores[0], node.iter)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.body = [self.note(node), *node.body]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        named = [item for item in ast.walk(node.pattern) if getattr(item, "name", None)]
        self.generic_visit(node)
        tests: list[ast.expr] = [self.call("note", item, ast.Constant(True)) for item in named]
        node.guard = ast.BoolOp(ast.And(), [*tests, node.guard or ast.Constant(True), ast.Constant(True)])
        return node


class Ended(BaseException):
    pass


class Failed(Exception):
    pass


def run(root: ast.FunctionDef, seed: int) -> list[ast.AST]:
    """The nodes of a function in the order in which one run evaluates them."""
    nodes, copied = list(ast.walk(root)), copy.deepcopy(root)
    numbers = {node: number for number, node in enumerate(ast.walk(copied))}
    trace, random = [], Random(seed)

    def note(number: int, value: object) -> object:
        trace.append(nodes[number])
        if len(trace) > LENGTH:
            raise Ended
        return value

    def coin(*_: object) -> bool:
        if random.random() < 0.07:
            raise Failed
        return random.random() < 0.6

    def items(*_: object) -> list[int]:
        return [1] * random.randrange(3)

    def noted_items(number: int, given: list[int]) -> Iterator[int]:
        for each in given:
            note(number, None)
            yield each

    def fail() -> int:
        if random.random() < 0.4:
            raise Failed
        return 1

    class manager:
        def __init__(self, _: object) -> None: ...

        def __enter__(self) -> int:
            return int(coin())

        def __exit__(self, kind: type | None, *_: object) -> bool:
            return kind is not Ended and random.random() < 0.5

    module = ast.Module([Noted(numbers).visit(copied)], [])
    known: dict[str, Any] = {item.__name__: item for item in (note, coin, items, noted_items, fail, manager, Failed)}
    exec(compile(ast.fix_missing_locations(module), "f", "exec"), known)
    with suppress(Exception, Ended):
        known["f"](1, 0)
    return trace


def reads_all(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "any"


def is_store(node: ast.AST) -> bool:
    return name_of(node) is not None and not isinstance(getattr(node, "ctx", None), ast.Load)


SEEDS = st.integers(0, 2**32)


@given(SEEDS, st.lists(SEEDS, min_size=1, max_size=6))
@settings(max_examples=60)
def test_definitions_are_the_stores_that_a_run_makes_last(seed: int, runs: list[int]) -> None:
    root = function(seed)
    values = UseDef(Scope(root), reads_all)
    for item in runs:
        last: dict[str, ast.AST] = {}
        for node in run(root, item):
            name = name_of(node)
            if name is None or node in values.foreign:
                continue
            if is_store(node):
                last[name] = node
            elif name in NAMES:
                result = values.definition(name, node)
                assert result is not None
                if name in last:
                    assert last[name] in result.stores, ast.unparse(root)
                    assert not isinstance(result.version, ast.AST) or result.version is last[name], ast.unparse(root)
                    assert not result.is_outer, ast.unparse(root)
                else:
                    assert not isinstance(result.version, ast.AST), ast.unparse(root)


@given(SEEDS, st.lists(SEEDS, min_size=1, max_size=4))
@settings(max_examples=40)
def test_order_holds_in_every_run(seed: int, runs: list[int]) -> None:
    root = function(seed)
    values = UseDef(Scope(root), reads_all)
    for item in runs:
        before: dict[ast.AST, int] = {}
        trace = run(root, item)[:120]
        for at, node in enumerate(trace):
            for first in before:
                assert values.may_precede(first, node), ast.unparse(root)
            before.pop(node, None)
            before[node] = at


@given(SEEDS)
@settings(max_examples=20)
def test_every_node_that_runs_has_a_time(seed: int) -> None:
    root = function(seed)
    values = UseDef(Scope(root), reads_all)
    assert not [node for node in run(root, seed) if values.is_later(node)]
