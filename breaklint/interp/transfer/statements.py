"""Statements: how they change what is known of the names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from breaklint.interp import cache_fill
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Sequence
from breaklint.interp.events import Enter, Truth
from breaklint.interp.frame import go_on, join_env
from breaklint.interp.iteration import element_of
from breaklint.interp.lazy_init import defer
from breaklint.interp.models import instances
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import loops, names, narrowing, operators, subscripts
from breaklint.interp.transfer.truth import emit_truth_test
from breaklint.interp.values import NONE, UNKNOWN, ExternalInstance, ExternalName, Value
from breaklint.project.binding import bind_import, class_info

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame


def block(frame: Frame, body: list[ast.stmt]) -> bool:
    """Run statements; False when control never reaches what follows them."""
    building = frame.interp.quiet and isinstance(frame.owner, Instance) and not frame.owner.ready
    for statement in body:
        if building:
            if defer(frame, statement):
                continue
            frame.snapshot = None
        handler = HANDLERS.get(type(statement))
        if handler is not None and handler(frame, statement) is False:
            return False
    return True


def visit_Expr(frame: Frame, node: ast.Expr) -> None:
    frame.eval(node.value)


def visit_Assign(frame: Frame, node: ast.Assign) -> None:
    value = frame.eval(node.value)
    for target in node.targets:
        subscripts.assign(frame, target, value, augmented=_updates(target, node.value))


def _updates(target: ast.expr, value: ast.expr) -> bool:
    """Whether `self.x = self.x + 1` is `self.x += 1` written out."""
    if not (isinstance(target, ast.Attribute) and isinstance(value, ast.BinOp)):
        return False
    old = ast.unparse(target)
    return any(isinstance(node, ast.Attribute) and ast.unparse(node) == old for node in (value.left, value.right))


def visit_AnnAssign(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        subscripts.assign(frame, node.target, frame.eval(node.value))


def visit_AugAssign(frame: Frame, node: ast.AugAssign) -> None:
    old, new = frame.eval(node.target), frame.eval(node.value)  # handlers do not look at ctx
    if isinstance(old, Sequence) and isinstance(node.op, ast.Add):
        old.add(element_of(new) or UNKNOWN)  # `outs += [x]` grows the list itself
        return
    if operators.computes_in_python(old, new):
        operators.emit_arithmetic(frame, node)
    subscripts.assign(frame, node.target, operators.operate(old, new, node.op), augmented=True)


def visit_If(frame: Frame, node: ast.If) -> bool:
    test = frame.eval(node.test)
    emit_truth_test(frame, node.test, test, "if")
    known = narrowing.truth(test)
    before, ends = frame.env, []
    sides = ((True, node.body), (False, node.orelse))
    filled = False
    frame.interp.conditional += known is None
    for side, body in sides if known is not False else reversed(sides):
        later = filled and bool(body)  # the next call takes the other side, with what this one has stored
        env = narrowing.narrow(frame, node.test, side) if known is None or known == side or later else None
        if env is not None:
            frame.env = env
            once = not (later or frame.interp.quiet) and cache_fill.fills_cache(frame, node.test, side, body)
            frame.interp.refilling += once
            if block(frame, body):
                ends.append(frame.env)
            frame.interp.refilling -= once
            frame.env = before
            filled = once and known is side
    frame.interp.conditional -= known is None
    return go_on(frame, ends)


def visit_Break(frame: Frame, node: ast.Break) -> bool:
    if frame.exits:
        frame.exits[-1].append(dict(frame.env))
    return False


def visit_Continue(frame: Frame, node: ast.Continue) -> bool:
    if len(frame.exits) > 1:
        frame.exits[-2].append(dict(frame.env))
    return False


def visit_Return(frame: Frame, node: ast.Return) -> bool:
    frame.returns.append(frame.eval(node.value) if node.value else NONE)
    return False


def visit_Raise(frame: Frame, node: ast.Raise) -> bool:
    if node.exc is not None and not frame.interp.quiet:
        frame.blocks.append("raise")
        frame.eval(node.exc)
        frame.blocks.pop()
    return False


def visit_Assert(frame: Frame, node: ast.Assert) -> bool | None:
    frame.blocks.append("assert")
    value = frame.eval(node.test)
    frame.blocks.pop()
    frame.interp.emit(Truth(node.test, frame, value, "assert"))
    if narrowing.truth(value) is False:
        return False
    frame.env = narrowing.narrow(frame, node.test, True) or frame.env
    return None


def visit_With(frame: Frame, node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        value = frame.eval(item.context_expr)
        frame.interp.emit(Enter(item.context_expr, frame, _manager(frame, item.context_expr, value), value))
        if item.optional_vars is not None:
            entered = instances.call_dunder(frame, value, "__enter__")
            subscripts.assign(frame, item.optional_vars, entered)
    frame.blocks.append("with")
    reached = block(frame, node.body)
    frame.blocks.pop()
    return reached


def _manager(frame: Frame, node: ast.expr, value: Value) -> str:
    """The qualified name of a context manager's class or function."""
    if isinstance(node, ast.Call):
        called = frame.module.values.get(node.func)
        if isinstance(called, ExternalName):
            return called.name
    return value.cls if isinstance(value, ExternalInstance) else value.name if isinstance(value, ExternalName) else ""


def visit_Try(frame: Frame, node: ast.Try) -> bool:
    before = dict(frame.env)
    frame.blocks.append("try")
    returned = len(frame.returns)
    reached = block(frame, node.body)
    frame.blocks.pop()
    if reached and node.orelse:
        reached = block(frame, node.orelse)
    kept = list(frame.returns)
    ends = [frame.env] if reached else []
    failed = join_env(before, frame.env)
    for handler in node.handlers:
        frame.env = dict(failed)
        if handler.name:
            frame.env[handler.name] = UNKNOWN
        frame.blocks.append("except")
        if block(frame, handler.body):
            ends.append(frame.env)
        frame.blocks.pop()
    if not reached and len(kept) > returned:
        frame.returns[:] = kept  # the body returns: what handlers return is for errors
    alive = go_on(frame, ends)
    if not alive:
        frame.env = dict(failed)
    return block(frame, node.finalbody) and alive


def visit_FunctionDef(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    frame.env[node.name] = names.inner_function(frame, node)


def visit_ClassDef(frame: Frame, node: ast.ClassDef) -> None:
    known = next((info for info in frame.module.classes if info.node is node), None)
    frame.env[node.name] = ClassValue(known or class_info(frame.module, node, frame.name + "."))


def visit_Import(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    bound: dict[str, Any] = {}
    bind_import(frame.module, node, bound)
    for name, imported in bound.items():
        frame.env[name] = names.as_value(frame.interp, frame.interp.project.lookup(imported.qualified))


def visit_Delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)


def visit_Match(frame: Frame, node: ast.Match) -> bool:
    frame.eval(node.subject)
    before, ends = frame.env, [dict(frame.env)]
    for case in node.cases:
        frame.env = dict(before)
        for pattern in ast.walk(case.pattern):
            name = getattr(pattern, "name", None)
            if isinstance(name, str):
                frame.env[name] = UNKNOWN
        if block(frame, case.body):
            ends.append(frame.env)
    return go_on(frame, ends)


HANDLERS: Final[dict[type[ast.stmt], Callable[[Frame, Any], bool | None]]] = {
    ast.Expr: visit_Expr,
    ast.Assign: visit_Assign,
    ast.AnnAssign: visit_AnnAssign,
    ast.AugAssign: visit_AugAssign,
    ast.If: visit_If,
    ast.For: loops.for_loop,
    ast.AsyncFor: loops.for_loop,
    ast.While: loops.while_loop,
    ast.Break: visit_Break,
    ast.Continue: visit_Continue,
    ast.Return: visit_Return,
    ast.Raise: visit_Raise,
    ast.Assert: visit_Assert,
    ast.With: visit_With,
    ast.AsyncWith: visit_With,
    ast.Try: visit_Try,
    ast.FunctionDef: visit_FunctionDef,
    ast.AsyncFunctionDef: visit_FunctionDef,
    ast.ClassDef: visit_ClassDef,
    ast.Import: visit_Import,
    ast.ImportFrom: visit_Import,
    ast.Delete: visit_Delete,
    ast.Match: visit_Match,
}
if hasattr(ast, "TryStar"):
    HANDLERS[ast.TryStar] = visit_Try
