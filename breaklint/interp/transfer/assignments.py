"""Assignments and deletions: the new values of names, attributes and items."""

from __future__ import annotations

import ast

from breaklint.interp import in_turn
from breaklint.interp.annotations import from_annotation
from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import ABSENT, Dict, Sequence
from breaklint.interp.events import Call, Index
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all, options
from breaklint.interp.models import container_methods, special_methods
from breaklint.interp.objects import Instance
from breaklint.interp.parameters import as_annotated
from breaklint.interp.transfer import narrowing, operators, subscripts
from breaklint.interp.values import Shape
from breaklint.project.walking import dotted_name

_ANY_SHAPE = Shape()


def visit_Assign(frame: Frame, node: ast.Assign) -> None:
    value = frame.eval(node.value)
    for target in node.targets:
        cls = target.__class__
        updates = (cls is ast.Attribute or (cls is ast.Name and bool(frame.outer))) and _updates(target, node.value)
        subscripts.assign(frame, target, value, updates)
        if (cls is ast.Tuple or cls is ast.List) and value == _ANY_SHAPE:
            narrowing.narrow_rank(frame, node.value, target.elts)  # type: ignore[attr-defined]


def _updates(target: ast.expr, value: ast.expr) -> bool:
    """Whether an assignment has the form `self.x = self.x + 1`, equal to `self.x += 1`."""
    if not isinstance(value, ast.BinOp):
        return False
    old = dotted_name(target)
    return old is not None and old in (dotted_name(value.left), dotted_name(value.right))


def visit_AnnAssign(frame: Frame, node: ast.AnnAssign) -> None:
    if node.value is not None:
        value = as_annotated(frame.interp, frame.module, node.annotation, frame.eval(node.value))
        subscripts.assign(frame, node.target, value)
    elif isinstance(node.target, ast.Attribute) and not frame.context.traced:  # `self.rnn: nn.LSTM` of a constructor
        promised = from_annotation(frame.interp, frame.module, node.annotation) or UNKNOWN
        owner = frame.eval(node.target.value)
        if promised is not UNKNOWN and isinstance(owner, Instance) and owner.stored(node.target.attr) is None:
            subscripts.assign(frame, node.target, promised)


def visit_AugAssign(frame: Frame, node: ast.AugAssign) -> None:
    old, new = frame.eval(node.target), frame.eval(node.value)  # handlers ignore ctx
    choices = options(old)
    changed = [option for option in choices if _change_in_place(frame, option, new, node, sure=len(choices) == 1)]
    if len(changed) == len(choices):
        return  # `outs += [x]` grows the list itself
    if operators.computes_in_python(old, new):
        operators.emit_arithmetic(frame, node)
    operators.emit_operator(frame, node, old, new)
    value = old if not changed else join_all(option for option in choices if option not in changed) or UNKNOWN
    own = special_methods.operate(frame, value, new, node.op, in_place=True)
    if own is None and frame.interp.runs_in_turn:
        own = in_turn.operate(value, new, node.op)
    value = operators.operate(value, new, node.op) if own is None else own
    subscripts.assign(frame, node.target, join_all([value, *changed]) or UNKNOWN, augmented=True)


def _change_in_place(frame: Frame, old: Value, new: Value, node: ast.AugAssign, sure: bool) -> bool:
    """Change a list, set or dict in place, as `+=` and other augmented assignments do; False for other values."""
    if isinstance(old, Dict) and isinstance(node.op, ast.BitOr):
        saved = frame.context
        frame.context = saved if sure else saved.under_condition()
        container_methods.call(frame, node.target, old, "update", Arguments([new], {}))
        frame.context = saved
        return True
    if not isinstance(old, Sequence) or old.kind == "tuple":
        return False
    frame.emit(Call(node.target, frame, "", [new], {}, "__iadd__", old))
    if frame.interp.runs_in_turn and in_turn.change(frame, old, "__iadd__", Arguments([new], {})) is not None:
        return True
    added = element_of(new) if isinstance(node.op, (ast.Add, ast.BitOr, ast.BitXor)) else None
    if added is not None:
        frame.change(old, None, added)
    frame.drop_order(old)
    return True


def visit_Delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.env.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            base, index = frame.eval(target.value), frame.eval(target.slice)
            frame.emit(Index(target, frame, base, index, "delete"))
            for option in options(base):
                if isinstance(option, Dict):
                    frame.change(option, index, ABSENT)
                elif isinstance(option, Sequence) and not (
                    frame.interp.runs_in_turn
                    and in_turn.change(frame, option, "pop", Arguments([index], {})) is not None
                ):
                    frame.drop_order(option)
        elif isinstance(target, ast.Attribute):
            frame.eval(target.value)
