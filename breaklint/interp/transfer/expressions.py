"""The value of every kind of expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp.containers import MAX_ITEMS, Dict, Sequence, Tuple
from breaklint.interp.environment import continue_from
from breaklint.interp.events import Format, Loop, Repeat, Truth
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, each, join, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import truth
from breaklint.interp.transfer import attributes, calls, names, narrowing, object_access, operators, subscripts
from breaklint.interp.transfer.truth import emit_truth_test, is_open, outcomes
from breaklint.interp.values import NONE, Const, ExternalInstance, Number, Static, Tensor, constant_kind, without_none


def visit_Constant(frame: Frame, node: ast.Constant) -> Value:
    known = frame.interp.constants.get(node)
    if known is None:
        known = frame.interp.constants[node] = Const(node.value)
    return known


def visit_Name(frame: Frame, node: ast.Name) -> Value:
    value = frame.env.get(node.id) or names.named(frame, node.id)
    kind = type(value)
    if kind is Instance or kind is ExternalInstance or (kind is Tensor and value.role == "sparse"):  # type: ignore[attr-defined]
        object_access.use(frame, node, value)
    return value


def visit_Attribute(frame: Frame, node: ast.Attribute) -> Value:
    base = frame.eval(node.value)
    if isinstance(node.value, ast.Name):
        narrowed = frame.env.get(f"{node.value.id}.{node.attr}")
        if narrowed is None and frame.closure is not None:
            narrowed = frame.narrowed_outside(node.value.id, node.attr)
        if narrowed is not None:
            return narrowed
    return attributes.get(frame, node, base, node.attr)


def visit_BinOp(frame: Frame, node: ast.BinOp) -> Value:
    left, right = frame.eval(node.left), frame.eval(node.right)
    operators.use_pointers(frame, node, left, right)
    if isinstance(node.op, ast.Mult) and (isinstance(left, (Sequence, Tuple)) or isinstance(right, (Sequence, Tuple))):
        frame.emit(Repeat(node, frame, right if isinstance(left, (Sequence, Tuple)) else left))
        row = left if isinstance(left, (Sequence, Tuple)) else right
        return Sequence(element_of(row), kind="list" if isinstance(row, Sequence) and row.kind != "tuple" else "tuple")
    if isinstance(node.op, ast.Mod) and constant_kind(left) == "str":
        frame.emit(Format(node, frame, right, "%"))
        return Static("str")
    if operators.computes_in_python(left, right):
        operators.emit_arithmetic(frame, node)
    return operators.operate(left, right, node.op)


def visit_UnaryOp(frame: Frame, node: ast.UnaryOp) -> Value:
    value = frame.eval(node.operand)
    if isinstance(node.op, ast.Not):
        emit_truth_test(frame, node.operand, value, "not")
        known = truth(value)
        return Static("bool") if known is None else Const(not known)
    if isinstance(value, Number) and value.symbolic:
        operators.emit_arithmetic(frame, node)
    return each(value, lambda option: operators.operate_on_one(option, node.op))


def visit_BoolOp(frame: Frame, node: ast.BoolOp) -> Value:
    """`and`/`or`: each operand but the last is tested for truth; later ones see what earlier ones have narrowed."""
    context, result, ends = frame.context, [], []
    for place, operand in enumerate(node.values):
        value = frame.eval(operand)
        last = place == len(node.values) - 1
        if last:
            result.append(value)
            continue
        emit_truth_test(frame, operand, value, "boolop")
        known = truth(value)
        stops = known is not None and known == isinstance(node.op, ast.Or)
        if known is None or stops:
            result.append(_when(value, isinstance(node.op, ast.Or)))
            ends.append(frame.env)
        goes_on = isinstance(node.op, ast.And)
        sides = outcomes(frame, operand, value)
        narrowed = sides[goes_on]
        if narrowed is None:
            break
        if known is None:
            frame.context = frame.context.under_condition()
        if None not in sides:
            frame.context = frame.context.given(operand, goes_on)
        frame.env = narrowed
    else:
        ends.append(frame.env)
    continue_from(frame, ends)
    frame.context = context
    return _outcome(result, isinstance(node.op, ast.Or))


def _when(value: Value, truthy: bool) -> Value:
    """What an `or` (and) yields when it stops at this operand: a true (false) value."""
    return without_none(value) if truthy else value


def _outcome(result: list[Value], stops: bool) -> Value:
    """What `and`/`or` yields; the bool of the last operand where that stops it, as any of those before does."""
    last = result[-1] if result else UNKNOWN
    if isinstance(last, Const) and last.value is stops:
        return last
    return join_all(result) or UNKNOWN


def visit_Compare(frame: Frame, node: ast.Compare) -> Value:
    left = frame.eval(node.left)
    result: Value | None = None
    for place, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = frame.eval(right_node)
        value = operators.compare(frame, node, left, op, right)
        if place < len(node.ops) - 1:
            frame.emit(Truth(node, frame, value, "compare"))  # `a < b < c` asks `a < b` first
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
            frame.env, frame.context = env, around.given(node.test, side) if opened else around
            results.append(frame.eval(branch))
            ends.append(frame.env)
            frame.env, frame.context = before, context
    continue_from(frame, ends)
    layers = [value for value in results if isinstance(value, ExternalInstance) and value.cls.startswith("torch.nn.")]
    if layers and not frame.context.traced and all(value in layers or value is UNKNOWN for value in results):
        results = list[Value](layers)  # what a caller hands in for a default layer is called as that is
    return join_all(results) or UNKNOWN


def visit_display(frame: Frame, node: ast.Tuple | ast.List | ast.Set) -> Value:
    items: list[Value] | None = []
    loose: list[Value] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            value = frame.eval(item.value)
            known = value.items if isinstance(value, (Tuple, Sequence)) else None
            if known is not None and len(known) + len(loose) > MAX_ITEMS:
                known = None
            loose.extend(known if known is not None else [element_of(value) or UNKNOWN])
            items = None if known is None else items
        else:
            loose.append(frame.eval(item))
    if isinstance(node, ast.Set):
        return Sequence(join_all(loose), kind="set")  # in no order
    if items is None:
        return Sequence(join_all(loose), kind="tuple" if isinstance(node, ast.Tuple) else "list")
    return Tuple(tuple(loose)) if isinstance(node, ast.Tuple) else Sequence(items=loose)


def visit_Dict(frame: Frame, node: ast.Dict) -> Value:
    result = Dict()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = frame.eval(value_node)
        if key_node is not None:
            result.store(frame.eval(key_node), value)
        elif isinstance(value, Dict):
            result.update(value)
        else:
            result.store(UNKNOWN, UNKNOWN)
    return result


def visit_comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
    first = frame.eval(node.generators[0].iter)
    result: list[tuple[Value | None, Value]] = []

    def run() -> bool:
        result[:] = [_run_comprehension(frame, node, first)]
        return True

    frame.interp.run_until_stable(run)
    key, value = result[0]
    if key is not None:
        return Dict(rest=value)
    return Sequence(value, kind={ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator"))


def _run_comprehension(
    frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, first: Value
) -> tuple[Value | None, Value]:
    """The key (of a dict only) and the value of any item."""
    inner = frame.child()
    for place, generator in enumerate(node.generators):
        iterable = first if place == 0 else inner.eval(generator.iter)
        frame.emit(Loop(generator.iter, inner, iterable, generator.target))
        subscripts.assign(inner, generator.target, element_of(iterable) or UNKNOWN)
        for test in generator.ifs:
            value = inner.eval(test)
            emit_truth_test(inner, test, value, "comprehension")
            if is_open(inner, test, value):
                inner.context = inner.context.given(test, True)
            inner.env = narrowing.narrow(inner, test, True) or inner.env
    if isinstance(node, ast.DictComp):
        return inner.eval(node.key), inner.eval(node.value)
    return None, inner.eval(node.elt)


def visit_JoinedStr(frame: Frame, node: ast.JoinedStr) -> Value:
    for part in node.values if frame.context.traced else ():
        if isinstance(part, ast.FormattedValue):
            value = frame.eval(part.value)
            frame.emit(Format(part.value, frame, value, "f-string"))
            if part.format_spec is not None:
                frame.eval(part.format_spec)
    return Static("str")


def visit_Lambda(frame: Frame, node: ast.Lambda) -> Value:
    return names.inner_function(frame, node)


def visit_Starred(frame: Frame, node: ast.Starred) -> Value:
    return frame.eval(node.value)


def visit_NamedExpr(frame: Frame, node: ast.NamedExpr) -> Value:
    value = frame.eval(node.value)
    subscripts.assign(frame, node.target, value)
    inner = frame
    while inner.is_comprehension and isinstance(inner.closure, Frame):
        inner = inner.closure  # the name is bound around the comprehension, which may have no items
        known = inner.lookup(node.target.id)
        inner.env[node.target.id] = value if known is None else join(known, value)
    return value


def visit_Yield(frame: Frame, node: ast.Yield | ast.YieldFrom) -> Value:
    value = frame.eval(node.value) if node.value else NONE
    frame.yields.append(value if isinstance(node, ast.Yield) else element_of(value) or UNKNOWN)
    return UNKNOWN


def visit_Await(frame: Frame, node: ast.Await) -> Value:
    frame.eval(node.value)
    return UNKNOWN


def visit_Slice(frame: Frame, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            frame.eval(part)
    return Static("slice")


VISITORS: Final[dict[type[ast.expr], Callable[[Frame, Any], Value]]] = {
    ast.Constant: visit_Constant,
    ast.Name: visit_Name,
    ast.Attribute: visit_Attribute,
    ast.BinOp: visit_BinOp,
    ast.UnaryOp: visit_UnaryOp,
    ast.BoolOp: visit_BoolOp,
    ast.Compare: visit_Compare,
    ast.IfExp: visit_IfExp,
    ast.Tuple: visit_display,
    ast.List: visit_display,
    ast.Set: visit_display,
    ast.Dict: visit_Dict,
    ast.ListComp: visit_comprehension,
    ast.SetComp: visit_comprehension,
    ast.GeneratorExp: visit_comprehension,
    ast.DictComp: visit_comprehension,
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
