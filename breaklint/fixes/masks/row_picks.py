"""The first or last selected element of every row, where a mask selects equally many of each."""

from __future__ import annotations

import ast

from breaklint.analysis.literals import integer, is_all
from breaklint.analysis.purity import is_pure
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Rewrite, Verdict, codemod

WHY = (
    "rows of which the mask selects none, or unequally many, give one each instead of raising or being mixed; the mask "
    "must have two dimensions and the tensor three; strides may differ"
)


@codemod
def row_picks(request: FixRequest) -> Rewrite | None:
    """`x[m].view(x.size(0), -1, x.size(-1))[:, -1]` -> `x[arange(x.size(0)), -1 - m.flip(1).int().argmax(1)]`.

    None where the code is of another form; raises NotFixable where another number of dimensions is known.
    """
    node = request.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    mask = _mask(node)
    viewed = _viewed(request, node)
    picked = request.scope.parent(viewed) if viewed is not None else None
    if mask is None or not isinstance(picked, ast.Subscript) or picked.value is not viewed:
        return None
    place = _place(picked)
    if place is None or not isinstance(picked.ctx, ast.Load):
        return None
    base, tensors = node.value.id, (request.tensor(node.value), request.tensor(mask))
    if any(tensor is not None and tensor.ndim not in (n, None) for tensor, n in zip(tensors, (3, 2), strict=True)):
        raise NotFixable("the mask is not one of rows")
    if not is_pure(request, mask):
        raise NotFixable("the mask may do more than give a value")
    torch, imports = request.name_of("torch")
    rows = f"{torch}.arange({base}.size(0), device={base}.device)"
    truths = request.operand(mask)
    found = f"{truths}.int().argmax(1)" if place == 0 else f"-1 - {truths}.flip(1).int().argmax(1)"
    which = "first" if place == 0 else "last"
    verdict = Verdict(UNSAFE, WHY, f"Read the {which} selected element of every row by its index")
    return request.replace(picked, f"{base}[{rows}, {found}]", verdict, imports)


def _mask(node: ast.Subscript) -> ast.expr | None:
    """`m` of `x[m]` and of `x[m, :]`."""
    if not isinstance(node.slice, ast.Tuple):
        return node.slice
    parts = node.slice.elts
    return parts[0] if len(parts) == 2 and is_all(parts[1]) else None


def _viewed(request: FixRequest, node: ast.Subscript) -> ast.Call | None:
    """The call of `x[m].view(x.size(0), -1, x.size(-1))`, or of `reshape`."""
    method = request.scope.parent(node)
    call = request.scope.parent(method) if isinstance(method, ast.Attribute) else None
    if not isinstance(method, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not method:
        return None
    shape = call.args[0].elts if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple) else call.args
    if method.attr not in ("view", "reshape") or call.keywords or len(shape) != 3:
        return None
    assert isinstance(node.value, ast.Name)
    sized = _is_size(request, shape[0], node.value, 0) and _is_size(request, shape[2], node.value, -1, 2)
    return call if sized and integer(shape[1]) == -1 else None


def _is_size(request: FixRequest, node: ast.expr, tensor: ast.Name, *dims: int) -> bool:
    """Whether an expression, or what its name was made from, is the size of a tensor in one of these dimensions."""
    if isinstance(node, ast.Name):
        made = request.definition(node.id, node)
        same = request.definition(tensor.id, tensor).version
        if made.value is None or request.definition(tensor.id, made.value).version != same:
            return False
        node = made.value
    patterns = [f"{{x}}.{size}" for dim in dims for size in (f"size({dim})", f"shape[{dim}]")]
    found = request.matched(node, *patterns, *(["len({x})"] if 0 in dims else []))
    return found is not None and isinstance(found["x"], ast.Name) and found["x"].id == tensor.id


def _place(picked: ast.Subscript) -> int | None:
    """0 of `[:, 0]` and `[:, 0, :]`, -1 of `[:, -1]`."""
    parts = picked.slice.elts if isinstance(picked.slice, ast.Tuple) else []
    if len(parts) not in (2, 3) or not all(is_all(part) for part in (parts[0], *parts[2:])):
        return None
    place = integer(parts[1])
    return place if place in (0, -1) else None
