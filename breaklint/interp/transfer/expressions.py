"""The value of every kind of expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp import in_turn
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Format, Repeat, Truth
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, each, join, join_all
from breaklint.interp.models import special_methods
from breaklint.interp.models.instances import as_tensor
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static, truth
from breaklint.interp.transfer import (
    attributes,
    calls,
    comparisons,
    displays,
    names,
    object_access,
    operators,
    subscripts,
)
from breaklint.interp.transfer.truth import emit_truth_test, outcomes
from breaklint.interp.values import (
    NONE,
    Const,
    ExternalInstance,
    Number,
    Slice,
    Static,
    Tensor,
    constant_kind,
    without_none,
)

MAX_PARTS: Final = 4  # of an f-string; longer ones are messages


def visit_Constant(_frame: Frame, node: ast.Constant) -> Value:
    return Const(node.value)


def visit_Name(frame: Frame, node: ast.Name) -> Value:
    value = frame.env.get(node.id) or names.lookup_name(frame, node.id)
    kind = type(value)
    if kind in object_access.OBJECTS or (kind is Tensor and value.role == "sparse"):  # type: ignore[attr-defined]
        object_access.emit_access(frame, node, value)
    return value


def visit_Attribute(frame: Frame, node: ast.Attribute) -> Value:
    base = frame.eval(node.value)
    if isinstance(node.value, ast.Name):
        narrowed = frame.env.get(f"{node.value.id}.{node.attr}")
        if narrowed is None and frame.closure is not None:
            narrowed = frame.narrowed_outside(node.value.id, node.attr)
        if narrowed is not None:
            object_access.emit_access(frame, node, narrowed)
            return narrowed
    return attributes.get(frame, node, base, node.attr)


def visit_BinOp(frame: Frame, node: ast.BinOp) -> Value:
    left, right = frame.eval(node.left), frame.eval(node.right)
    operators.emit_address_use(frame, node, left, right)
    if frame.interp.runs_in_turn and (folded := in_turn.operate(left, right, node.op)) is not None:
        return folded
    if isinstance(node.op, ast.Mult) and (isinstance(left, (Sequence, Tuple)) or isinstance(right, (Sequence, Tuple))):
        frame.emit(Repeat(node, frame, right if isinstance(left, (Sequence, Tuple)) else left))
        row = left if isinstance(left, (Sequence, Tuple)) else right
        return Sequence(element_of(row), kind="list" if isinstance(row, Sequence) and row.kind != "tuple" else "tuple")
    if isinstance(node.op, ast.Mod) and constant_kind(left) == "str":
        frame.emit(Format(node, frame, right, "%"))
        return Static("str")
    if operators.computes_in_python(left, right):
        operators.emit_arithmetic(frame, node)
    if type(left) is Instance or type(right) is Instance:
        operators.emit_operator(frame, node, left, right)
        frame.implicit = node
        own = special_methods.operate(frame, left, right, node.op)
        frame.implicit = None
        if own is not None:
            return own
        left, right = as_tensor(frame.interp, left), as_tensor(frame.interp, right)
    return operators.operate(left, right, node.op)


def visit_UnaryOp(frame: Frame, node: ast.UnaryOp) -> Value:
    value = frame.eval(node.operand)
    if isinstance(node.op, ast.Not):
        emit_truth_test(frame, node.operand, value, "not")
        outcome = truth(value)
        return Static("bool") if outcome is None else Const(not outcome)
    if isinstance(value, Number) and value.symbolic:
        operators.emit_arithmetic(frame, node)
    own = special_methods.call(frame, value, special_methods.UNARY[type(node.op)]) if type(value) is Instance else None
    value = as_tensor(frame.interp, value)
    return own or each(value, lambda option: operators.operate_on_one(option, node.op))


def visit_BoolOp(frame: Frame, node: ast.BoolOp) -> Value:
    """`and`/`or`: each operand but the last is tested for truth, and narrows the later ones."""
    context, result, ends = frame.context, [], []
    for place, operand in enumerate(node.values):
        value = frame.eval(operand)
        last = place == len(node.values) - 1
        if last:
            result.append(value)
            continue
        emit_truth_test(frame, operand, value, "boolop")
        outcome = truth(value)
        stops = outcome is not None and outcome == isinstance(node.op, ast.Or)
        if outcome is None or stops:
            result.append(_when(value, isinstance(node.op, ast.Or)))
            ends.append(frame.env)
        goes_on = isinstance(node.op, ast.And)
        sides = outcomes(frame, operand, value)
        narrowed = sides[goes_on]
        if narrowed is None:
            break
        if outcome is None:
            frame.context = frame.context.under_condition()
        if None not in sides:
            frame.context = frame.context.under_test(operand, goes_on)
        frame.env = narrowed
    else:
        ends.append(frame.env)
    frame.continue_from(ends)
    frame.context = context
    return _outcome(result, isinstance(node.op, ast.Or))


def _when(value: Value, truthy: bool) -> Value:
    """The result of `or` (`and`) if it stops at this operand: a true (false) value."""
    return without_none(value) if truthy else value


def _outcome(result: list[Value], stops: bool) -> Value:
    """The result of `and`/`or`: the last operand, or an earlier one that stops evaluation."""
    last = result[-1] if result else UNKNOWN
    if isinstance(last, Const) and last.value is stops:
        return last
    return join_all(result) or UNKNOWN


def visit_Compare(frame: Frame, node: ast.Compare) -> Value:
    left = frame.eval(node.left)
    result: Value | None = None
    for place, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = frame.eval(right_node)
        value = comparisons.compare(frame, node, left, op, right)
        if place < len(node.ops) - 1:
            frame.emit(Truth(node, frame, value, "compare"))  # `a < b < c` tests `a < b` first
        result = value if result is None else join(result, value)
        left = right
    return result or UNKNOWN


def visit_IfExp(frame: Frame, node: ast.IfExp) -> Value:
    test = frame.eval(node.test)
    emit_truth_test(frame, node.test, test, "ifexp")
    before, context, results, ends = frame.env, frame.context, list[Value](), []
    around = context.under_condition() if truth(test) is None else context
    sides = outcomes(frame, node.test, test)
    opened = None not in sides
    for side, branch in ((True, node.body), (False, node.orelse)):
        env = sides[side]
        if env is not None:
            frame.env, frame.context = env, around.under_test(node.test, side) if opened else around
            results.append(frame.eval(branch))
            ends.append(frame.env)
            frame.env, frame.context = before, context
    frame.continue_from(ends)
    layers = [value for value in results if isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn.")]
    if layers and not frame.context.traced and all(value in layers or value is UNKNOWN for value in results):
        results = list[Value](layers)  # an argument that replaces a default layer is called like the layer
    return join_all(results) or UNKNOWN


def visit_JoinedStr(frame: Frame, node: ast.JoinedStr) -> Value:
    if frame.interp.runs_in_turn:
        parts = [frame.eval(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values]
        return in_turn.text(parts)
    if not frame.context.traced:
        return _joined_string(frame, node) if len(node.values) <= MAX_PARTS else Static("str")
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = frame.eval(part.value)
            frame.emit(Format(part.value, frame, value, "f-string" if part.format_spec is None else "format spec"))
            if part.format_spec is not None:
                frame.eval(part.format_spec)
    return Static("str")


def _joined_string(frame: Frame, node: ast.JoinedStr) -> Value:
    """The string of an f-string in untraced code, if all parts are known strings."""
    parts = []
    for part in node.values:
        value = frame.eval(part.value if isinstance(part, ast.FormattedValue) else part)
        plain = not isinstance(part, ast.FormattedValue) or (part.format_spec is None and part.conversion == -1)
        if not (plain and isinstance(value, Const) and isinstance(value.value, str)):
            return Static("str")
        parts.append(value.value)
    return Const("".join(parts))


def visit_Lambda(frame: Frame, node: ast.Lambda) -> Value:
    return names.inner_function(frame, node)


def visit_Starred(frame: Frame, node: ast.Starred) -> Value:
    return frame.eval(node.value)


def visit_NamedExpr(frame: Frame, node: ast.NamedExpr) -> Value:
    value = frame.eval(node.value)
    subscripts.assign(frame, node.target, value)
    inner = frame
    while inner.is_comprehension and isinstance(inner.closure, Frame):
        inner = inner.closure  # the name is bound outside the comprehension, which may have no items
        previous = inner.lookup(node.target.id)
        inner.env[node.target.id] = value if previous is None else join(previous, value)
    return value


def visit_Yield(frame: Frame, node: ast.Yield | ast.YieldFrom) -> Value:
    value = frame.eval(node.value) if node.value else NONE
    frame.yields.append(value if isinstance(node, ast.Yield) else element_of(value) or UNKNOWN)
    return UNKNOWN


def visit_Await(frame: Frame, node: ast.Await) -> Value:
    frame.eval(node.value)
    return UNKNOWN


def visit_Slice(frame: Frame, node: ast.Slice) -> Value:
    bounds = tuple(None if part is None else frame.eval(part) for part in (node.lower, node.upper, node.step))
    return Static("slice") if all(bound is None or is_static(bound) for bound in bounds) else Slice(bounds)


def visit_other(_frame: Frame, _node: ast.expr) -> Value:
    """An expression of a kind that is missing in the table below."""
    return UNKNOWN


VISITORS: Final[dict[type[ast.expr], Callable[[Frame, Any], Value]]] = {
    **dict.fromkeys(ast.expr.__subclasses__(), visit_other),
    ast.Constant: visit_Constant,
    ast.Name: visit_Name,
    ast.Attribute: visit_Attribute,
    ast.BinOp: visit_BinOp,
    ast.UnaryOp: visit_UnaryOp,
    ast.BoolOp: visit_BoolOp,
    ast.Compare: visit_Compare,
    ast.IfExp: visit_IfExp,
    ast.Tuple: displays.visit_display,
    ast.List: displays.visit_display,
    ast.Set: displays.visit_display,
    ast.Dict: displays.visit_Dict,
    ast.ListComp: displays.visit_comprehension,
    ast.SetComp: displays.visit_comprehension,
    ast.GeneratorExp: displays.visit_comprehension,
    ast.DictComp: displays.visit_comprehension,
    ast.JoinedStr: visit_JoinedStr,
    ast.Lambda: visit_Lambda,
    ast.Starred: visit_Starred,
    ast.NamedExpr: visit_NamedExpr,
    ast.Yield: visit_Yield,
    ast.YieldFrom: visit_Yield,
    ast.Await: visit_Await,
    ast.Slice: visit_Slice,
    ast.Call: calls.visit_Call,
    ast.Subscript: subscripts.visit_Subscript,
}
