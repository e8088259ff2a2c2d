"""Follows a call statement by statement. Where nothing is known of a condition, both ways are followed."""

# ruff: noqa: D102 - the methods of one kind of node are named by it

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from breaklint.project.project import Project
from breaklint.recompiles.objects import UNKNOWN, Closure, LocalClass, Tensor
from breaklint.recompiles.scopes import Broken, Continued, OutOfBudget, Raised, Returned, Scope, Undecided
from breaklint.recompiles.stores import Stores
from breaklint.recompiles.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from breaklint.recompiles.tracing import Trace

MAX_STEPS: Final = 150_000
MAX_TURNS: Final = 300
_SIGNALS: Final = (Returned, Broken, Continued, Raised)


class Machine(Stores):
    """Runs functions on values of which some are symbolic; `trace` is the compilation that it is run for, if any."""

    def __init__(self, project: Project, world: World, trace: Trace | None = None) -> None:
        super().__init__(project, world, trace)
        self.steps, self.most = 0, MAX_STEPS
        self.turns, self.unknown_turns = MAX_TURNS, 1  # of a loop; the latter where its items are not known

    def step(self, node: ast.AST, scope: Scope) -> None:
        """Count work, and note the row for guards."""
        self.steps += 1
        if self.steps > self.most:
            raise OutOfBudget
        if self.trace is not None and not scope.module.installed:
            self.trace.node = node
            self.trace.row, self.trace.filename = getattr(node, "lineno", self.trace.row), scope.module.path

    def run_block(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        """Run statements one after the other."""
        for statement in body:
            self.step(statement, scope)
            getattr(self, f"run_{type(statement).__name__}", self.run_nothing)(statement, scope)

    def run_nothing(self, node: ast.stmt, scope: Scope) -> None:
        """A statement that changes nothing here."""

    def run_Expr(self, node: ast.Expr, scope: Scope) -> None:
        self.eval(node.value, scope)

    def run_Return(self, node: ast.Return, scope: Scope) -> None:
        raise Returned(None if node.value is None else self.eval_lazy(node.value, scope))

    def run_Raise(self, node: ast.Raise, scope: Scope) -> None:
        raise Raised

    def run_Break(self, node: ast.Break, scope: Scope) -> None:
        raise Broken

    def run_Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise Continued

    def run_Global(self, node: ast.Global, scope: Scope) -> None:
        scope.globals.update(node.names)

    def run_Nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.outer.update(node.names)

    def run_Import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            scope.names[alias.asname or name] = self.resolved(self.project.lookup(name))

    def run_ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        origin = scope.module.absolute(node.module, node.level)
        for alias in node.names:
            scope.names[alias.asname or alias.name] = self.resolved(self.project.lookup(f"{origin}.{alias.name}"))

    def run_FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        scope.names[node.name] = Closure(None, node, scope.module, scope, scope.cls)

    def run_Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.eval_lazy(node.value, scope)
        for target in node.targets:
            self.assign(target, value, scope)

    def run_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval_lazy(node.value, scope), scope)

    def run_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        counted = self.counted(node.target, node.op, node.value, scope)
        if counted is not None:
            self.assign(node.target, counted, scope)
            return
        left = self.eval(node.target, scope)
        right = self.eval(node.value, scope)
        if self._change_in_place(left, node.op, right):
            self.note_change(left, node.target, scope)
            return
        try:
            value = self.operate(node.op, left, right)
        except Undecided:
            value = UNKNOWN
        self.assign(node.target, value, scope)

    def _change_in_place(self, left: Any, op: ast.operator, right: Any) -> bool:
        """`outs += [x]`, `seen |= {x}`: the container itself changes."""
        if isinstance(left, list) and isinstance(op, ast.Add) and isinstance(right, (list, tuple)):
            left.extend(right)
        elif isinstance(left, (dict, set)) and isinstance(op, ast.BitOr) and isinstance(right, type(left)):
            left.update(right)
        else:
            return False
        return True

    def run_Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                scope.names.pop(target.id, None)
            elif isinstance(target, ast.Subscript):
                owner = self.eval(target.value, scope)
                self.delete_item(owner, self.eval(target.slice, scope))
                self.note_change(owner, target, scope)

    def run_Assert(self, node: ast.Assert, scope: Scope) -> None:
        if self.truth(self.eval(node.test, scope)) is False:
            raise Raised

    def run_If(self, node: ast.If, scope: Scope) -> None:
        truth = self.truth(self.eval(node.test, scope))
        if truth is None:
            self.run_both(node.body, node.orelse, scope)
        else:
            self.run_block(node.body if truth else node.orelse, scope)

    def run_both(self, first: Sequence[ast.stmt], second: Sequence[ast.stmt], scope: Scope) -> None:
        """Run two alternatives, and join what they leave."""
        before = dict(scope.names)
        one = self._end_of(first, scope)
        left, scope.names = scope.names, before
        other = self._end_of(second, scope)
        if one is not None and other is not None:
            if isinstance(one, Returned) and isinstance(other, Returned):
                raise Returned(one.value if one.value is other.value else _joined(one.value, other.value))
            end = other if isinstance(one, Raised) else one
            one = other = None
            try:
                raise end
            finally:
                del end  # which holds this frame, and with it all that the machine holds
        if other is not None:
            scope.names = left
        elif one is None:
            scope.names = {
                name: _joined(left.get(name, UNKNOWN), scope.names.get(name, UNKNOWN))
                for name in {**left, **scope.names}
            }

    def _end_of(self, body: Sequence[ast.stmt], scope: Scope) -> Exception | None:
        try:
            self.run_block(body, scope)
        except _SIGNALS as signal:
            return signal.with_traceback(None)
        return None

    def run_For(self, node: ast.For, scope: Scope) -> None:
        self.run_turns(node, self.iterated(self.eval(node.iter, scope)), scope)

    def run_turns(self, node: ast.For, items: list[Any] | None, scope: Scope) -> None:
        """Run the body of a loop for each of the items, None: they are not known."""
        for item in [UNKNOWN] * self.unknown_turns if items is None else items[: self.turns]:
            self.assign(node.target, item, scope)
            if self.is_broken(node.body, scope):
                return
        self.run_block(node.orelse, scope)

    def is_broken(self, body: Sequence[ast.stmt], scope: Scope) -> bool:
        """Run the body of a loop once; whether it leaves the loop."""
        try:
            self.run_block(body, scope)
        except Broken:
            return True
        except Continued:
            pass
        return False

    def run_While(self, node: ast.While, scope: Scope) -> None:
        for _ in range(self.turns):
            truth = self.truth(self.eval(node.test, scope))
            if truth is False:
                break
            try:
                self.run_block(node.body, scope)
            except Broken:
                return
            except Continued:
                continue
            if truth is None:
                break

    def run_With(self, node: ast.With, scope: Scope) -> None:
        for item in node.items:
            value = self.eval(item.context_expr, scope)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, scope)
        self.run_block(node.body, scope)

    def run_Try(self, node: ast.Try, scope: Scope) -> None:
        try:
            self.run_block([*node.body, *node.orelse], scope)
        except Raised:
            if not node.handlers:
                raise
            self.run_block(node.handlers[0].body, scope)
        finally:
            self.run_block(node.finalbody, scope)

    def run_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        body = Scope(scope.module, scope)
        self.run_block(node.body, body)
        simple = not node.bases and not node.decorator_list
        scope.names[node.name] = LocalClass(node.name, body.names) if simple else UNKNOWN

    def run_Match(self, node: ast.Match, scope: Scope) -> None:
        subject = self.eval(node.subject, scope)
        for case in node.cases:
            matched = self._matches(case.pattern, subject, scope)
            if matched is not False and (case.guard is None or self.truth(self.eval(case.guard, scope)) is not False):
                self.run_block(case.body, scope)
                return

    def _matches(self, pattern: ast.pattern, subject: Any, scope: Scope) -> bool | None:
        if isinstance(pattern, ast.MatchValue):
            return self.truth(self.compare(ast.Eq(), subject, self.eval(pattern.value, scope)))
        if isinstance(pattern, ast.MatchSingleton):
            return subject is pattern.value
        if isinstance(pattern, ast.MatchOr):
            return any(self._matches(each, subject, scope) for each in pattern.patterns)
        return True if isinstance(pattern, ast.MatchAs) and pattern.pattern is None else None

    @contextmanager
    def at(self, row: int | None, filename: str) -> Iterator[None]:
        """Go back to a row when a call is done."""
        yield
        if self.trace is not None:
            self.trace.row, self.trace.filename = row, filename

    def unpacked(self, items: Iterable[Any]) -> list[Any]:
        """Items with those of sources as code sees them."""
        return [self.force(each) for each in items]


def _joined(one: Any, other: Any) -> Any:
    if one is other:
        return one
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one if one.shape == other.shape else one.like(None)
    simple = (bool, int, float, str, type(None))
    return one if isinstance(one, simple) and type(one) is type(other) and one == other else UNKNOWN
