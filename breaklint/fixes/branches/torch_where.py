"""Branches on a 0-dim bool tensor as torch.where: both sides are computed, the condition selects."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import as_tensor, split, whole_condition
from breaklint.fixes.branches.selections import are_alike, check_kinds, is_behind_exit, selected, tests_in
from breaklint.fixes.branches.sides import Before, Branch, Computed, Named, Selected, Value
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, Put
from breaklint.project.walking import variables_in, walk

UNSAFE = (
    "Both sides are computed: an infinity, a NaN or an error in the side that is not selected counts, also in the "
    "gradient. The result needs a gradient if either side does, and integers may get another dtype."
)
EXIT = "an earlier branch on data that returns breaks the graph as well"
MESSAGE = "Select with `torch.where`"
PLACES = (ast.Name, ast.Attribute, ast.Subscript)


@fix("torch-where", unsafe=UNSAFE)
def torch_where(m: Match) -> Draft:
    """A branch that only computes and assigns → `torch.where` of both values."""
    request, test = m.request, whole_condition(m.request)
    m.require(not is_behind_exit(request), EXIT)
    statements, branch = selected(request, test)
    check_kinds(request, test, statements[0], branch)
    enclosing, writer = request.scope.parent(test), _Writer(request, statements, branch)
    if isinstance(enclosing, ast.IfExp):
        draft = m.exchanged(enclosing, writer.expression(enclosing), MESSAGE, *writer.imports)
    else:
        draft = Draft(MESSAGE, writer.changes())
    return draft._replace(display_only=not are_alike(request, statements[0], branch))


class _Writer:
    """The code of a branch as selections."""

    def __init__(self, request: FixRequest, statements: list[ast.stmt], branch: Branch) -> None:
        self.request, self.statements, self.branch = request, statements, branch
        self.torch, self.imports = request.name_of("torch")
        self.conditions: dict[ast.expr, str] = {}

    def changes(self) -> tuple[Change, ...]:
        """The selections in place of the statements, under the part of the condition that stays an `if`."""
        first = self.statements[0]
        assert isinstance(first, ast.If)
        static = split(self.request, first.test).static
        lines = self._lines()
        if static:
            test = " and ".join(map(self.request.code, static))
            lines = [f"if {test}:", *(f"    {line}" for line in lines)]
            others = [*map(self.request.code, first.orelse)]
            lines += ["else:", *(f"    {line}" for line in others)] if others else []
            lines += map(self.request.code, self.statements[1:])
        code, last = "\n".join(lines), self.statements[-1]
        if self.request.scope.parent(first) is self.request.scope.parent(last):
            return (*self.imports, Put(first, last, code))
        # An `elif` that returns, and the statements after the chain.
        return (*self.imports, Put(first, first, ""), Put(self.statements[1], last, code))

    def expression(self, node: ast.IfExp) -> str:
        """The selection in place of a conditional expression."""
        code, static = self.code(self.branch.targets[""]), split(self.request, node.test).static
        if static:
            test = " and ".join(map(self.request.code, static))
            code = f"{code} if {test} else {self.request.code(node.orelse)}"
        return code

    def _lines(self) -> list[str]:
        lines = []
        for test in self._repeated():
            name = self._free_name()
            lines.append(f"{name} = {as_tensor(self.request, test)}")
            self.conditions[test] = name
        lines += [f"{line.name} = {self.code(line.value)}" for line in self.branch.lines]
        lines += self._assigned(self.branch.targets)
        if self.branch.returned is not None:
            lines.append(f"return {', '.join(map(self.code, self.branch.returned))}")
        return lines

    def _assigned(self, targets: dict[str, Value]) -> list[str]:
        """The targets in an order in which no value reads a target that has its new value; else all at once."""
        rest, lines = dict(targets), list[str]()
        while rest:
            free = next((item for item in rest if not any(self._reads(rest[other], item, other) for other in rest)), "")
            if not free:
                return [*lines, f"{', '.join(rest)} = {', '.join(map(self.code, rest.values()))}"]
            lines.append(f"{free} = {self.code(rest.pop(free))}")
        return lines

    def _reads(self, value: Value, target: str, own: str) -> bool:
        """Whether a value of another target reads the previous value of a target."""
        if target == own:
            return False
        if isinstance(value, Before):
            return value.target == target
        if isinstance(value, Selected):
            has_name = value.test in self.conditions
            in_test = not has_name and self._reads(Computed(value.test, {}), target, own)
            return in_test or self._reads(value.first, target, own) or self._reads(value.second, target, own)
        if not isinstance(value, Computed):
            return False
        parts = (part for part in walk(value.node) if part not in value.names)
        return any(self.request.text(part) == target for part in parts if isinstance(part, PLACES))

    def _repeated(self) -> list[ast.expr]:
        """The tests that several values share, and that do not read a name that the branch assigns."""
        values = [*(line.value for line in self.branch.lines), *self.branch.targets.values()]
        values += self.branch.returned or []
        tests = [test for value in values for test in dict.fromkeys(tests_in([value]))]
        names = {line.name for line in self.branch.lines}
        return [test for test in dict.fromkeys(tests) if tests.count(test) > 1 and not variables_in(test) & names]

    def _free_name(self) -> str:
        scope, conditions = self.request.scope, set(self.conditions.values())
        for name in ("condition", "chosen", "taken", "selected"):
            if not (scope.binds(name) or scope.loads(name) or name in self.request.module.names or name in conditions):
                return name
        raise NotFixable("no name is free for the condition")

    def code(self, value: Value) -> str:
        """The code of a value."""
        request = self.request
        if isinstance(value, Before):
            return value.target
        if isinstance(value, Named):
            return value.name
        if isinstance(value, Computed):
            names = {node: name for node, name in value.names.items() if request.text(node) != name}
            return request.code(request.code_with(value.node, names)) if names else request.code(value.node)
        first, second = self.code(value.first), self.code(value.second)
        if not value.of_data:
            return f"({first} if {request.code(value.test)} else {second})"
        condition = self.conditions.get(value.test) or as_tensor(request, value.test)
        return f"{self.torch}.where({condition}, {first}, {second})"
