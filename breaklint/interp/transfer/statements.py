"""Transfer functions of statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp import cache_fill
from breaklint.interp.environment import Env, join_env
from breaklint.interp.events import Enter
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.lazy_init import defer
from breaklint.interp.models import context_managers, special_methods
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import truth
from breaklint.interp.transfer import (
    assignments,
    definitions,
    exits,
    loops,
    narrowing,
    subscripts,
)
from breaklint.interp.transfer.truth import emit_truth_test, outcomes
from breaklint.interp.values import NONE, ExternalInstance, ExternalName
from breaklint.project.walking import walk


def run_block(frame: Frame, body: list[ast.stmt]) -> bool:
    """Run statements; False if control never reaches their end."""
    building = not frame.context.traced and isinstance(frame.owner, Instance) and not frame.owner.ready
    for statement in body:
        if building:
            if defer(frame, statement):
                continue
            frame.snapshot = None
        visit = VISITORS.get(statement.__class__)
        if visit is not None and visit(frame, statement) is False:
            return False
    return True


def run_statement(frame: Frame, node: ast.stmt) -> bool:
    """Run one statement; False if control never reaches its end."""
    visit = VISITORS.get(type(node))
    return visit is None or visit(frame, node) is not False


def visit_Expr(frame: Frame, node: ast.Expr) -> None:
    frame.eval(node.value)


def visit_If(frame: Frame, node: ast.If) -> bool:
    test = frame.eval(node.test)
    emit_truth_test(frame, node.test, test, "if")
    outcome = truth(test)
    before, saved, ends = frame.env, frame.context, []
    blocks = ((True, node.body), (False, node.orelse))
    filled, exit_sides = False, []
    around = saved if outcome is not None else saved.under_condition()
    sides = outcomes(frame, node.test, test)
    opened = None not in sides
    for side, body in blocks if outcome is not False else reversed(blocks):
        later = filled and bool(body)  # the next call takes the other side, with the stores of this one
        env = narrowing.narrow(frame, node.test, side) if later else sides[side]
        if env is not None:
            frame.env = env
            once = not later and frame.context.traced and cache_fill.fills_cache(frame, node.test, side, body)
            inside = around.under_test(node.test, side) if opened or once else around
            frame.context = inside.filling_cache() if once else inside
            exits = _exits(frame)
            if run_block(frame, body):
                ends.append(frame.env)
            elif opened and _exits(frame) > exits:  # a branch that only raises is not an exit
                exit_sides.append(side)
            frame.env, frame.context = before, saved
            filled = once and outcome is side
    if len(exit_sides) == 1:
        frame.context = saved.under_test(node.test, not exit_sides[0], after_exit=True)  # the rest of the block
    return frame.continue_from(ends)


def _exits(frame: Frame) -> int:
    """The number of exits met so far: `return`, `break` and `continue`."""
    return len(frame.returns) + sum(map(len, frame.exits))


def visit_With(frame: Frame, node: ast.With | ast.AsyncWith) -> bool:
    managers: list[tuple[ast.expr, Value]] = []
    block = "with"
    for item in node.items:
        value = frame.eval(item.context_expr)
        name = _manager(frame, item.context_expr, value)
        frame.emit(Enter(item.context_expr, frame, name, value))
        if context_managers.is_python(name, value):
            block = "manager"
        traced = isinstance(value, Instance) and not context_managers.cannot_be_entered(frame, value)
        if item.optional_vars is not None or traced:
            outer, frame.context = frame.context, frame.context.within(block)
            frame.implicit = item.context_expr
            entered = special_methods.enter_or_leave(frame, value, "__enter__")
            frame.implicit, frame.context = None, outer
            if item.optional_vars is not None:
                subscripts.assign(frame, item.optional_vars, entered)
        managers += [(item.context_expr, value)] if traced else []
    saved, frame.context = frame.context, frame.context.within(block)
    reached = run_block(frame, node.body)
    frame.context = saved.within(block)
    for frame.implicit, manager in reversed(managers):
        special_methods.enter_or_leave(frame, manager, "__exit__", (NONE, NONE, NONE))
    frame.implicit, frame.context = None, saved
    return reached


def _manager(frame: Frame, node: ast.expr, value: Value) -> str:
    """The qualified name of a context manager's class or function."""
    if isinstance(node, ast.Call):
        callee = frame.interp.values.get(node.func)
        if isinstance(callee, ExternalName):
            return callee.name
    return value.cls if isinstance(value, ExternalInstance) else value.name if isinstance(value, ExternalName) else ""


def visit_Try(frame: Frame, node: ast.Try) -> bool:
    before = dict(frame.env)
    lengths = [len(ends) for ends in _ways_out(frame)] if node.finalbody else []
    saved, frame.context = frame.context, frame.context.within("try")
    returned = len(frame.returns)
    reached = run_block(frame, node.body)
    frame.context = saved
    if reached and node.orelse:
        reached = run_block(frame, node.orelse)
    returns = list(frame.returns)
    ends = [frame.env] if reached else []
    failed = join_env(before, frame.env, frame.outside)
    for handler in node.handlers:
        frame.env = dict(failed)
        if handler.name:
            frame.env[handler.name] = UNKNOWN
        frame.context = saved.within("except")
        if run_block(frame, handler.body):
            ends.append(frame.env)
        frame.context = saved
    if not reached and len(returns) > returned:
        frame.returns[:] = returns  # the body returns: results of handlers are for errors
    exits_early = _leave_through(frame, node.finalbody, lengths) if node.finalbody else False
    alive = frame.continue_from(ends)
    if not alive:
        if exits_early:
            return False
        frame.env = dict(failed)
    return run_block(frame, node.finalbody) and alive


def _ways_out(frame: Frame) -> list[list[Env]]:
    """The environments at the returns of a function, and at the exits of each of its loops."""
    if frame.return_envs is None:
        frame.return_envs = []
    return [frame.return_envs, *frame.exits]


def _leave_through(frame: Frame, body: list[ast.stmt], lengths: list[int]) -> bool:
    """Run a `finally` for the exits of its `try`, which were added after `lengths`; returns whether there are any."""
    new = [(ends, length) for ends, length in zip(_ways_out(frame), lengths, strict=True) if len(ends) > length]
    for ends, length in new:
        frame.continue_from(ends[length:])
        del ends[length:]
        if run_block(frame, body):
            ends.append(frame.env)
    return bool(new)


def visit_Match(frame: Frame, node: ast.Match) -> bool:
    frame.eval(node.subject)
    before, ends = frame.env, [dict(frame.env)]
    saved, around = frame.context, frame.context.under_condition()
    for case in node.cases:
        frame.env, frame.context = dict(before), around.under_test(node.subject, True, case)
        for pattern in walk(case.pattern):
            if isinstance(pattern, ast.expr):
                frame.eval(pattern)
            for name in (getattr(pattern, "name", None), getattr(pattern, "rest", None)):
                if isinstance(name, str):
                    frame.env[name] = UNKNOWN
        if case.guard is not None:
            value = frame.eval(case.guard)
            emit_truth_test(frame, case.guard, value, "if")
            frame.env = narrowing.narrow(frame, case.guard, True) or frame.env
            frame.context = frame.context.under_test(case.guard, True)
        if run_block(frame, case.body):
            ends.append(frame.env)
    frame.context = saved
    return frame.continue_from(ends)


VISITORS: Final[dict[type[ast.stmt], Callable[[Frame, Any], bool | None]]] = {
    ast.Expr: visit_Expr,
    ast.Assign: assignments.visit_Assign,
    ast.AnnAssign: assignments.visit_AnnAssign,
    ast.AugAssign: assignments.visit_AugAssign,
    ast.If: visit_If,
    ast.For: loops.visit_For,
    ast.AsyncFor: loops.visit_For,
    ast.While: loops.visit_While,
    ast.Break: exits.visit_Break,
    ast.Continue: exits.visit_Continue,
    ast.Return: exits.visit_Return,
    ast.Raise: exits.visit_Raise,
    ast.Assert: exits.visit_Assert,
    ast.With: visit_With,
    ast.AsyncWith: visit_With,
    ast.Try: visit_Try,
    ast.FunctionDef: definitions.visit_FunctionDef,
    ast.AsyncFunctionDef: definitions.visit_FunctionDef,
    ast.ClassDef: definitions.visit_ClassDef,
    ast.Import: definitions.visit_Import,
    ast.ImportFrom: definitions.visit_Import,
    ast.Delete: assignments.visit_Delete,
    ast.Nonlocal: definitions.visit_Nonlocal,
    ast.Global: definitions.visit_Global,
    ast.Match: visit_Match,
}
if hasattr(ast, "TryStar"):
    VISITORS[ast.TryStar] = visit_Try
