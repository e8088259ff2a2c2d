"""Branches that only compute and assign, as the values that each target has on either side."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from breaklint.analysis.literals import same_code
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import split
from breaklint.fixes.logging.log_calls import is_of_data
from breaklint.interp.values import ExternalInstance
from breaklint.project.scope import single_target
from breaklint.project.walking import dotted_name, walk

# Modules of torch whose call does not change state, draw random numbers or change an input.
COMPUTING = frozenset(
    f"torch.nn.{name}"
    for name in "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding "
    "Flatten GELU GroupNorm Identity LayerNorm LogSoftmax RMSNorm Sigmoid Softmax Softplus Tanh Unflatten".split()
)


class Computed(NamedTuple):
    """An expression; `names` are the names to write for parts of it that are values of the branch."""

    node: ast.expr
    names: Mapping[ast.expr, str]


class Before(NamedTuple):
    """The value of a target before the branch."""

    target: str


class Named(NamedTuple):
    """A value that a separate line binds to a name."""

    name: str
    value: Value


class Selected(NamedTuple):
    """One of two values. The test is on a tensor (`of_data`), or on a Python value."""

    test: ast.expr
    first: Value
    second: Value
    of_data: bool


Value = Computed | Before | Named | Selected
Values = dict[str, Value]


class Branch(NamedTuple):
    """A branch as values: those of its targets that other code reads, in order, and those that it returns."""

    lines: list[Named]
    targets: Values
    returned: list[Value] | None


def branch_of_statements(request: FixRequest, statements: list[ast.stmt]) -> Branch:
    """The values of an `if` at the start of a list, with the later statements if it returns.

    Operands of its condition without a tensor count as true. Raises NotFixable if a branch does more than compute and
    assign.
    """
    sides = _Sides(request, statements)
    values, returned = sides.run(statements, {})
    targets = {target: value for target, value in values.items() if sides.is_read(target)}
    return Branch(sides.lines, targets, returned)


def leaves(block: list[ast.stmt]) -> bool:
    """Whether a block ends by returning."""
    last = block[-1] if block else None
    return isinstance(last, ast.Return) or (isinstance(last, ast.If) and leaves(last.body) and leaves(last.orelse))


class _Sides:
    """Runs statements as if all of them were taken. `lines` are the names that values get on the way."""

    def __init__(self, request: FixRequest, statements: list[ast.stmt]) -> None:
        self.request, self.lines, self._outer = request, list[Named](), statements[0]
        self._inside = {part for statement in statements for part in walk(statement)}

    def run(self, block: list[ast.stmt], values: Values) -> tuple[Values, list[Value] | None]:
        """The values of all targets after a block, and its return value."""
        values = dict(values)
        for at, statement in enumerate(block):
            if isinstance(statement, ast.Return):
                return values, self._returned(statement, values)
            if isinstance(statement, ast.If):
                rest = block[at + 1 :] if leaves(statement.body) or leaves(statement.orelse) else []
                values, returned = self._decided(statement, rest, values)
                if returned is not None:
                    return values, returned
            elif not isinstance(statement, ast.Pass):
                values |= {target: self._value(value, values) for target, value in self._assigned(statement)}
        return values, None

    def _decided(self, branch: ast.If, rest: list[ast.stmt], values: Values) -> tuple[Values, list[Value] | None]:
        body = branch.body if leaves(branch.body) else [*branch.body, *rest]
        orelse = branch.orelse if leaves(branch.orelse) else [*branch.orelse, *rest]
        parts = split(self.request, self._test(branch.test, values))
        static = [] if branch is self._outer else parts.static  # that of the outermost stays an `if`
        first, results = self.run(body, values)
        second, other = self.run(orelse, values)

        def chosen(one: Value, two: Value) -> Value:
            if _same(one, two):
                return one
            of_data = branch is self._outer or bool(static) or is_of_data(self.request, parts.decided)
            value: Value = Selected(parts.decided, one, two, of_data)
            for item in reversed(static):
                value = Selected(item, value, two, False)
            return value

        targets = dict.fromkeys([*first, *second])
        merged = {
            target: chosen(first.get(target, Before(target)), second.get(target, Before(target))) for target in targets
        }
        if results is None and other is None:
            return merged, None
        if results is None or other is None:
            raise NotFixable("only one of the branches returns")
        if len(results) != len(other):
            raise NotFixable("the branches return results of different length")
        return merged, [chosen(*pair) for pair in zip(results, other, strict=True)]

    def _returned(self, statement: ast.Return, values: Values) -> list[Value]:
        value = statement.value
        if value is None:
            raise NotFixable("a branch returns nothing")
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        return [self._value(part, values) for part in parts]

    def _assigned(self, statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
        """The targets of an assignment, with the value of each."""
        target, value = single_target(statement), getattr(statement, "value", None)
        if isinstance(statement, ast.Raise):
            raise NotFixable("a branch raises; an error has no place in a graph")
        if isinstance(statement, ast.AugAssign):
            raise NotFixable("a branch changes a value in place")
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, expression in pairs:
            if one is None or expression is None or not _is_place(one):
                first = self.request.text(statement).partition("\n")[0]
                raise NotFixable(f"a branch does more than compute and assign: `{first}`")
            yield self.request.text(one), expression

    def _value(self, node: ast.expr, values: Values) -> Value:
        if not isinstance(node, ast.IfExp) or is_of_data(self.request, node.test):
            return self._computed(node, values)
        first, second = self._value(node.body, values), self._value(node.orelse, values)
        return Selected(self._test(node.test, values), first, second, False)

    def _test(self, test: ast.expr, values: Values) -> ast.expr:
        names = self._computed(test, values).names
        if any(self.request.text(node) != name for node, name in names.items()):
            raise NotFixable("the condition of an inner branch reads a value of the outer one")
        return test

    def _computed(self, node: ast.expr, values: Values) -> Computed:
        """An expression, with names for the values of the branch that it reads."""
        if not computes(self.request, node):
            raise NotFixable(f"`{short(self.request.text(node))}` may do more than compute, and both sides would run")
        names: dict[ast.expr, str] = {}
        for part in walk(node):
            if isinstance(part, ast.Name) and part.id in values:
                value = values[part.id] = self._name_for(part.id, values[part.id])
                names[part] = value.name if isinstance(value, Named) else part.id
            elif isinstance(part, (ast.Attribute, ast.Subscript)) and self.request.text(part) in values:
                raise NotFixable(f"the branch stores `{self.request.text(part)}` and reads it again")
        return Computed(node, names)

    def _name_for(self, target: str, value: Value) -> Value:
        if isinstance(value, Named | Before):
            return value
        scope, new_names = self.request.scope, {line.name for line in self.lines}
        own = not self.is_read(target) and self._inside.issuperset(scope.bound(target))
        names = (target, *(f"{target}_{number}" for number in range(1, 9)))
        free = [item for item in names if item not in new_names and ((own and item == target) or self._is_free(item))]
        if not free:
            raise NotFixable(f"no name is free for the value of `{target}`")
        self.lines.append(Named(free[0], value))
        return self.lines[-1]

    def _is_free(self, name: str) -> bool:
        scope = self.request.scope
        return not (scope.binds(name) or scope.loads(name) or name in self.request.module.names)

    def is_read(self, target: str) -> bool:
        """Whether code outside of the branch may read a target."""
        scope = self.request.scope
        if not target.isidentifier() or scope.shares(target) or not isinstance(scope.root, ast.FunctionDef):
            return True
        return not self._inside.issuperset(scope.loads(target))


def computes(request: FixRequest, node: ast.AST) -> bool:
    """Whether an expression has no side effect, also if modules of torch compute parts of it."""
    calls = [part for part in walk(node) if isinstance(part, ast.Call) and _is_computing(request, part)]
    if not calls:
        return is_pure(request, node)
    if isinstance(node, ast.Call) and node in calls:
        return all(computes(request, part) for part in (*node.args, *(keyword.value for keyword in node.keywords)))
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)) and all(
        computes(request, child) for child in ast.iter_child_nodes(node)
    )


def _is_computing(request: FixRequest, call: ast.Call) -> bool:
    module = request.value(call.func)
    return isinstance(module, ExternalInstance) and module.cls in COMPUTING and not module.hooked


def _same(one: Value, two: Value) -> bool:
    if isinstance(one, Computed) and isinstance(two, Computed):
        return not one.names and not two.names and same_code(one.node, two.node)
    return one == two


def _is_place(target: ast.expr) -> bool:
    """Whether a target is a name, an attribute, or an entry by a literal key of something with a dotted name."""
    is_item = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    return dotted_name(target.value if is_item else target) is not None  # type: ignore[attr-defined]


def short(text: str) -> str:
    """Code on one line, shortened if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
