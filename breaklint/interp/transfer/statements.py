"""Statements: how they change what is known of the names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from breaklint.interp import cache_fill
from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Sequence
from breaklint.interp.events import Arithmetic, Enter, Truth
from breaklint.interp.frame import go_on, join_env
from breaklint.interp.iteration import element_of
from breaklint.interp.lazy_init import put_off
from breaklint.interp.models import instances
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import loops, names, narrowing, operators, subscripts
from breaklint.interp.transfer.truth import ask
from breaklint.interp.values import NONE, UNKNOWN, Object, Symbol, Value
from breaklint.project.binding import bind_import, class_info

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame


def block(frame: Frame, body: list[ast.stmt]) -> bool:
    """Run statements; False when control never reaches what follows them."""
    building = frame.machine.quiet and isinstance(frame.owner, Instance) and not frame.owner.ready
    for statement in body:
        if building:
            if put_off(frame, statement):
                continue
            frame.snapshot = None
        handler = HANDLERS.get(type(statement))
        if handler is not None and handler(frame, statement) is False:
            return False
    return True


def expression(frame: Frame, node: ast.Expr) -> None:
    frame.eval(node.value)


def assignment(frame: Frame, node: ast.Assign) -> None:
    value = frame.eval(node.value)
    for target in node.targets:
        subscripts.assign(frame, target, value, augmented=_updates(target, node.value))


def _updates(target: ast.expr, value: ast.expr) -> bool:
    """Whether `self.x = self.x + 1` is `self.x += 1` written out."""
    if not (isinstance(target, ast.Attribute) and isinstance(value, ast.BinOp)):
        return False
    old = ast.unparse(target)
    return any(isinstance(node, ast.Attribute) and ast.unparse(node) == old for node in (value.left, value.right))


def annotated(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        subscripts.assign(frame, node.target, frame.eval(node.value))


def augmented(frame: Frame, node: ast.AugAssign) -> None:
    old, new = frame.eval(node.target), frame.eval(node.value)  # handlers do not look at ctx
    if isinstance(old, Sequence) and isinstance(node.op, ast.Add):
        old.add(element_of(new) or UNKNOWN)  # `outs += [x]` grows the list itself
        return
    if operators.computes_in_python(old, new):
        frame.machine.emit(Arithmetic(node, frame))
    subscripts.assign(frame, node.target, operators.operate(old, new, node.op), augmented=True)


def branch(frame: Frame, node: ast.If) -> bool:
    test = frame.eval(node.test)
    ask(frame, node.test, test, "if")
    known = narrowing.truth(test)
    before, ends = frame.env, []
    sides = ((True, node.body), (False, node.orelse))
    filled = False
    frame.machine.conditional += known is None
    for side, body in sides if known is not False else reversed(sides):
        later = filled and bool(body)  # the next call takes the other side, with what this one has stored
        env = narrowing.narrow(frame, node.test, side) if known is None or known == side or later else None
        if env is not None:
            frame.env = env
            once = not (later or frame.machine.quiet) and cache_fill.fills(frame, node.test, side, body)
            frame.machine.refilling += once
            if block(frame, body):
                ends.append(frame.env)
            frame.machine.refilling -= once
            frame.env = before
            filled = once and known is side
    frame.machine.conditional -= known is None
    return go_on(frame, ends)


def leave_loop(frame: Frame, node: ast.Break) -> bool:
    if frame.exits:
        frame.exits[-1].append(dict(frame.env))
    return False


def next_turn(frame: Frame, node: ast.Continue) -> bool:
    if len(frame.exits) > 1:
        frame.exits[-2].append(dict(frame.env))
    return False


def leave(frame: Frame, node: ast.Return) -> bool:
    frame.returns.append(frame.eval(node.value) if node.value else NONE)
    return False


def fail(frame: Frame, node: ast.Raise) -> bool:
    if node.exc is not None and not frame.machine.quiet:
        frame.blocks.append("raise")
        frame.eval(node.exc)
        frame.blocks.pop()
    return False


def check(frame: Frame, node: ast.Assert) -> bool | None:
    frame.blocks.append("assert")
    value = frame.eval(node.test)
    frame.blocks.pop()
    frame.machine.emit(Truth(node.test, frame, value, "assert"))
    if narrowing.truth(value) is False:
        return False
    frame.env = narrowing.narrow(frame, node.test, True) or frame.env
    return None


def context(frame: Frame, node: ast.With | ast.AsyncWith) -> bool:
    for item in node.items:
        value = frame.eval(item.context_expr)
        frame.machine.emit(Enter(item.context_expr, frame, _manager(frame, item.context_expr, value), value))
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
        if isinstance(called, Symbol):
            return called.name
    return value.cls if isinstance(value, Object) else value.name if isinstance(value, Symbol) else ""


def attempt(frame: Frame, node: ast.Try) -> bool:
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


def definition(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    frame.env[node.name] = names.inner_function(frame, node)


def class_definition(frame: Frame, node: ast.ClassDef) -> None:
    known = next((info for info in frame.module.classes if info.node is node), None)
    frame.env[node.name] = ClassValue(known or class_info(frame.module, node, frame.name + "."))


def imports(frame: Frame, node: ast.Import | ast.ImportFrom) -> None:
    bound: dict[str, Any] = {}
    bind_import(frame.module, node, bound)
    for name, imported in bound.items():
        frame.env[name] = names.as_value(frame.machine, frame.machine.project.lookup(imported.qualified))


def delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)


def match(frame: Frame, node: ast.Match) -> bool:
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
    ast.Expr: expression,
    ast.Assign: assignment,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.If: branch,
    ast.For: loops.for_loop,
    ast.AsyncFor: loops.for_loop,
    ast.While: loops.while_loop,
    ast.Break: leave_loop,
    ast.Continue: next_turn,
    ast.Return: leave,
    ast.Raise: fail,
    ast.Assert: check,
    ast.With: context,
    ast.AsyncWith: context,
    ast.Try: attempt,
    ast.FunctionDef: definition,
    ast.AsyncFunctionDef: definition,
    ast.ClassDef: class_definition,
    ast.Import: imports,
    ast.ImportFrom: imports,
    ast.Delete: delete,
    ast.Match: match,
}
if hasattr(ast, "TryStar"):
    HANDLERS[ast.TryStar] = attempt
