"""Sums and means of selected elements, as sums over all elements in which the others count nothing."""

from __future__ import annotations

import ast

from breaklint.analysis.places import span_of
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.likeness import operation
from breaklint.fixes.newness import is_result
from breaklint.fixes.purity import only_read
from breaklint.fixes.unmasked import is_elementwise, same_shape, unmasked
from breaklint.model import Edit, Fix

WHY = (
    "the sum is rounded in another order, masked-out elements that are infinite or NaN reach the gradient, "
    "a mask that indexing refuses may be broadcast, and a mean of integers does not raise"
)
MESSAGE = "Sum with the mask instead of under it"


def masked_sums(request: FixRequest) -> Outcome:
    """`x[m].mean()` -> `torch.where(m, x, 0).sum() / m.sum()`, also where `x[m]` is held in a name in between."""
    node = request.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("its elements are needed one by one")
    if isinstance(node.slice, ast.Tuple):
        raise NotFixable("the mask selects along one of several dimensions, and how many it selects is a size")
    top = _top(request, node)
    statement = request.scope.parent(top)
    if not isinstance(statement, ast.Assign):
        return request.replace(*_summed(request, top, node.slice, ()), Verdict(UNSAFE, WHY, MESSAGE), _imports(request))
    name = _held(request, statement)
    late = [load for load in request.scope.loads(name) if load.lineno > (statement.end_lineno or statement.lineno)]
    _is_stable(request, node.slice, statement)
    tops = list(dict.fromkeys(_top(request, load) for load in late))
    if not tops:
        raise NotFixable("the selected elements are not used")
    verdict = Verdict(UNSAFE, WHY, MESSAGE)
    fixes = [request.replace(*_summed(request, top, node.slice, (name,)), verdict) for top in tops]
    edits = [edit for fix in fixes for edit in fix.edits]
    return Fix(
        UNSAFE, MESSAGE, WHY, (*_imports(request), *_definition(request, statement, name, node.slice, verdict), *edits)
    )


def _imports(request: FixRequest) -> tuple[Edit, ...]:
    return request.name_of("torch")[1]


def _top(request: FixRequest, node: ast.expr) -> ast.expr:
    """The largest expression around selected elements that still has their shape."""
    while True:
        around = request.scope.parent(node)
        if isinstance(around, ast.Attribute):
            around = request.scope.parent(around)
        if not isinstance(around, ast.expr) or not is_elementwise(request, around, node):
            return node
        node = around


def _summed(request: FixRequest, top: ast.expr, mask: ast.expr, names: tuple[str, ...]) -> tuple[ast.expr, str]:
    """The sum or mean around an elementwise expression, and what takes its place."""
    call = request.scope.parent(top)
    call = request.scope.parent(call) if isinstance(call, ast.Attribute) else call
    split = operation(request, call) if isinstance(call, ast.Call) and not call.keywords else None
    if not isinstance(call, ast.Call) or split is None or split[0] not in ("sum", "mean") or split[1] != [top]:
        raise NotFixable("the selected elements are used for more than a sum or mean")
    value = unmasked(request, top, mask, names)
    for tensor in value.tensors:
        if not (isinstance(tensor, ast.Name) and tensor.id in names):
            same_shape(request, mask, tensor)
    torch, _ = request.name_of("torch")
    text = f"{torch}.where({request.text(mask)}, {value.text}, 0).sum()"
    return call, f"{text} / {request.operand(mask)}.sum()" if split[0] == "mean" else text


def _held(request: FixRequest, statement: ast.Assign) -> str:
    """The name that holds selected elements, when all its later uses see these and no other value."""
    target = statement.targets[0]
    if len(statement.targets) != 1 or not isinstance(target, ast.Name):
        raise NotFixable("the selected elements are used for more than a sum or mean")
    later = [store for store in request.scope.stores(target.id) if store.lineno > statement.lineno]
    place = request.scope.block(statement)
    if later or place is None or place[0] is not getattr(request.scope.root, "body", None):
        raise NotFixable(f"`{target.id}` has other values too, so that its uses do not all see the selected elements")
    for load in request.scope.loads(target.id):
        if any(isinstance(around, (ast.Lambda, ast.FunctionDef)) and around is not request.scope.root
               for around in request.scope.parents(load)):  # fmt: skip
            raise NotFixable(f"`{target.id}` is used by an inner function")
    return target.id


def _is_stable(request: FixRequest, mask: ast.expr, statement: ast.Assign) -> None:
    """Raise NotFixable unless a mask is the same wherever it is written behind a statement."""
    name = mask.id if isinstance(mask, ast.Name) else ""
    later = [use for use in request.scope.stores(name) if use.lineno >= statement.lineno]
    loads = [use for use in request.scope.loads(name) if use.lineno > statement.lineno]
    if not name or later or not all(only_read(request, load) for load in loads):
        raise NotFixable("the mask has no name under which it stays the same")


def _definition(
    request: FixRequest, statement: ast.Assign, name: str, mask: ast.expr, verdict: Verdict
) -> tuple[Edit, ...]:
    """The edits that make a name hold all elements."""
    value = unmasked(request, statement.value, mask)
    for tensor in value.tensors:
        same_shape(request, mask, tensor)
    made = request.scope.definition(name, statement).value
    if value.text == name and made is not None and is_result(request, made):
        return request.delete(statement, verdict).edits
    # As before, a later change in place of what was selected from shall not be seen.
    text = value.text if is_result(request, statement.value) else f"{value.text}.clone()"
    return (Edit(span_of(request.module, statement.value), text),)
