"""The values of displays and comprehensions: new tuples, lists, sets, dicts and generators."""

from __future__ import annotations

import ast

from breaklint.interp import in_turn
from breaklint.interp.containers import MAX_ITEMS, Dict, Sequence, Tuple
from breaklint.interp.events import Loop
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models import special_methods
from breaklint.interp.predicates import truth
from breaklint.interp.transfer import narrowing, subscripts
from breaklint.interp.transfer.truth import emit_truth_test, is_open


def visit_display(frame: Frame, node: ast.Tuple | ast.List | ast.Set) -> Value:
    items: list[Value] | None = []
    loose: list[Value] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            value = frame.eval(item.value)
            elements = value.items if isinstance(value, (Tuple, Sequence)) else None
            if elements is not None and len(elements) + len(loose) > MAX_ITEMS:
                elements = None
            loose.extend(elements if elements is not None else [element_of(value) or UNKNOWN])
            items = None if elements is None else items
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
    first = special_methods.iterated(frame, frame.eval(node.generators[0].iter))
    if frame.interp.runs_in_turn and len(node.generators) == 1 and (items := items_of(first)) is not None:
        return _in_turn(frame, node, items[: in_turn.MAX_ITEMS])
    result: list[tuple[Value | None, Value]] = []

    def run() -> bool:
        result[:] = [_run_comprehension(frame, node, first)]
        return True

    frame.interp.run_until_stable(run)
    key, value = result[0]
    if key is not None:
        return Dict(rest=value)
    return Sequence(value, kind={ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator"))


def _in_turn(
    frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, items: list[Value]
) -> Value:
    """The result of a comprehension over known items."""
    block = "generator" if isinstance(node, ast.GeneratorExp) else "comprehension"
    inner, elements, table = frame.child(block), list[Value](), Dict()
    inner.context = frame.context.within(block)
    for item in items:
        subscripts.assign(inner, node.generators[0].target, item)
        if False in [truth(inner.eval(test)) for test in node.generators[0].ifs]:
            continue
        if isinstance(node, ast.DictComp):
            table.store(inner.eval(node.key), inner.eval(node.value))
        else:
            elements.append(inner.eval(node.elt))
    kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator")
    return table if isinstance(node, ast.DictComp) else Sequence(items=elements, kind=kind)


def _run_comprehension(
    frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, first: Value
) -> tuple[Value | None, Value]:
    """The key (of a dict only) and the value of any item."""
    inner = frame.child(_block(node, first))
    for place, generator in enumerate(node.generators):
        iterable = first if place == 0 else special_methods.iterated(inner, inner.eval(generator.iter))
        frame.emit(Loop(generator.iter, inner, iterable, generator.target))
        subscripts.assign(inner, generator.target, element_of(iterable) or UNKNOWN)
        for test in generator.ifs:
            value = inner.eval(test)
            emit_truth_test(inner, test, value, "comprehension")
            if is_open(inner, test, value):
                inner.context = inner.context.under_test(test, True)
            inner.env = narrowing.narrow(inner, test, True) or inner.env
    if isinstance(node, ast.DictComp):
        return inner.eval(node.key), inner.eval(node.value)
    return None, inner.eval(node.elt)


def _block(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, first: Value) -> str:
    """The block of a comprehension: "generator" if Dynamo cannot resume after a break in it, also because it is over
    an iterator that Dynamo cannot create again (modules, a view of a dict, `enumerate`)."""
    iterable = node.generators[0].iter
    name = iterable.func.id if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) else ""
    is_lazy = isinstance(first, Sequence) and first.kind.startswith(("generator", "torch.nn."))
    is_iterator = (is_lazy or isinstance(first, Dict)) and name not in ("zip", "map", "filter")
    return "generator" if is_iterator or isinstance(node, ast.GeneratorExp) else "comprehension"
