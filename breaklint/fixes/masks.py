"""Boolean masks, where the result can keep its shape."""

from __future__ import annotations

import ast

from breaklint.analysis.values import Const, constant_kind
from breaklint.fixes import gradients
from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.likeness import likeness, operation
from breaklint.fixes.purity import is_pure

# Of these a masked-out element that is finite gives a finite slope, so that its zero weight stays zero.
SMOOTH = frozenset("relu neg tanh sigmoid abs square sin cos".split())
WHY_SUM = "the sum is rounded in another order, and masked-out elements that are infinite or NaN reach the gradient"
WHY_MEAN = "; a mean of integers does not raise"
WHY_STORE = "a new tensor takes the place of the one changed in place, and both sides are computed for every element"


def masked_where(request: FixRequest) -> Outcome:
    """`x[m].sum()` -> `torch.where(m, x, 0).sum()`; `y[m] = f(x[m])` -> `y = torch.where(m, f(x), y)`."""
    statement = request.scope.statement(request.node)
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if isinstance(target, ast.Subscript) and _within(request, request.node, target, statement.value):
            return _store(request, statement, target)
    return _reduction(request)


def _within(request: FixRequest, node: ast.AST, target: ast.Subscript, value: ast.expr) -> bool:
    around = {node, *request.scope.parents(node)}
    return target in around or value in around


def _store(request: FixRequest, statement: ast.Assign | ast.AugAssign, target: ast.Subscript) -> Outcome:
    """A masked store into a local tensor that nothing else refers to."""
    name, mask = target.value, target.slice
    if not isinstance(name, ast.Name) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        raise NotFixable("it stores into something that is no local tensor")
    if not _is_own(request, name, statement):
        raise NotFixable(f"`{name.id}` may be known elsewhere, where the change in place would be missed")
    _same_shape(request, mask, name)
    text = _stored(request, statement, name, mask)
    torch, imports = request.name_of("torch")
    content = f"{name.id} = {torch}.where({request.text(mask)}, {text}, {name.id})"
    return request.rewrite(
        statement, statement, content, Verdict(UNSAFE, WHY_STORE, "Select with `torch.where`"), imports
    )


def _stored(request: FixRequest, statement: ast.Assign | ast.AugAssign, name: ast.Name, mask: ast.expr) -> str:
    """The source of what is stored, for every element."""
    before = likeness(request, name)
    if isinstance(statement, ast.AugAssign):
        number = request.value(statement.value)
        kept = before is not None and (
            before.widened == "float" or _kind(request, name) == "float" or constant_kind(number) == "int"
        )
        if (
            type(statement.op) not in OPERATORS
            or not isinstance(number, Const)
            or not kept
            or isinstance(statement.op, ast.Div)
        ):
            raise NotFixable("what it is changed by is not known to keep the dtype of the tensor")
        return f"{name.id} {OPERATORS[type(statement.op)]} {request.text(statement.value)}"
    value, stored = _unmasked(request, statement.value, mask), likeness(request, statement.value)
    for tensor in value.tensors:
        _same_shape(request, tensor, name)
    if stored is None or before is None or (stored.dtype, stored.widened) != (before.dtype, before.widened):
        raise NotFixable("the stored values are not known to have the dtype of the tensor")
    return value.text


def _kind(request: FixRequest, node: ast.expr) -> str:
    tensor = request.tensor(node)
    return tensor.dtype if tensor is not None else ""


OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def _is_own(request: FixRequest, name: ast.Name, statement: ast.stmt) -> bool:
    """Whether a name holds a tensor computed here that is so far only read by arithmetic and indexing."""
    value = request.scope.definition(name.id, statement).value
    split = operation(request, value) if isinstance(value, ast.Call) else None
    new = isinstance(value, (ast.BinOp, ast.UnaryOp)) or (split is not None and split[0] in gradients.NEW)
    early = [read for read in request.scope.loads(name.id) if read.lineno < statement.lineno]
    plain = ast.BinOp | ast.Compare | ast.UnaryOp | ast.Subscript
    return new and all(isinstance(request.scope.parent(read), plain) for read in early)


class _Unmasked:
    """The source of an expression whose masked reads are whole tensors, and those tensors."""

    def __init__(self, text: str, tensors: list[ast.expr]) -> None:
        self.text, self.tensors = text, tensors


def _unmasked(request: FixRequest, node: ast.expr, mask: ast.expr) -> _Unmasked:
    """An elementwise expression with `x[mask]` written as `x`; raises NotFixable for any other."""
    if (
        isinstance(node, ast.Subscript)
        and ast.dump(node.slice) == ast.dump(mask)
        and request.tensor(node.value) is not None
    ):
        return _Unmasked(request.operand(node.value), [node.value])
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return _arithmetic(request, node, mask)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _unmasked(request, node.operand, mask)
        return _Unmasked(
            f"-{inner.text}" if isinstance(node.operand, ast.Subscript) else f"-({inner.text})", inner.tensors
        )
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return _Unmasked(request.text(node), [])
    split = operation(request, node) if isinstance(node, ast.Call) and not node.keywords else None
    if isinstance(node, ast.Call) and split is not None and split[0] in SMOOTH and len(split[1]) == 1:
        inner = _unmasked(request, split[1][0], mask)
        if node.args:
            return _Unmasked(f"{request.text(node.func)}({inner.text})", inner.tensors)
        receiver = inner.text if isinstance(split[1][0], ast.Subscript) else f"({inner.text})"
        return _Unmasked(f"{receiver}.{split[0]}()", inner.tensors)
    raise NotFixable("what is done with the selected elements is not known to act on each alone")


def _arithmetic(request: FixRequest, node: ast.BinOp, mask: ast.expr) -> _Unmasked:
    left, right = (_unmasked(request, side, mask) for side in (node.left, node.right))
    if right.tensors and (isinstance(node.op, ast.Div) or left.tensors):
        raise NotFixable("a product or quotient of selected elements may have no finite slope where the mask is off")
    texts = [f"({side.text})" if isinstance(part, ast.BinOp) and not isinstance(node.op, ast.Add) else side.text
             for part, side in ((node.left, left), (node.right, right))]  # fmt: skip
    return _Unmasked(f"{texts[0]} {OPERATORS[type(node.op)]} {texts[1]}", [*left.tensors, *right.tensors])


def _reduction(request: FixRequest) -> Outcome:
    node = request.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("its elements are needed one by one")
    mask, top = node.slice, _elementwise(request, node)
    call = request.scope.parent(top)
    call = request.scope.parent(call) if isinstance(call, ast.Attribute) else call
    split = operation(request, call) if isinstance(call, ast.Call) and not call.keywords else None
    if not isinstance(call, ast.Call) or split is None or split[0] not in ("sum", "mean") or split[1] != [top]:
        raise NotFixable("the selected elements are used for more than a sum or mean")
    value = _unmasked(request, top, mask)
    for tensor in value.tensors:
        _same_shape(request, mask, tensor)
    torch, imports = request.name_of("torch")
    text = f"{torch}.where({request.text(mask)}, {value.text}, 0).sum()"
    why = WHY_SUM
    if split[0] == "mean":
        text = f"{text} / {request.operand(mask)}.sum()"
        why += "" if _kind(request, top) == "float" else WHY_MEAN
    return request.replace(call, text, Verdict(UNSAFE, why, "Sum with the mask instead of under it"), imports)


def _elementwise(request: FixRequest, node: ast.expr) -> ast.expr:
    """The largest expression around a masked read that still has its shape."""
    while True:
        around = request.scope.parent(node)
        if isinstance(around, ast.Attribute):
            around = request.scope.parent(around)
        split = operation(request, around) if isinstance(around, ast.Call) else None
        if not isinstance(around, (ast.BinOp, ast.UnaryOp)) and (split is None or split[0] not in SMOOTH):
            return node
        assert isinstance(around, ast.expr)
        node = around


def _same_shape(request: FixRequest, a: ast.expr, b: ast.expr) -> None:
    if not is_pure(request, a) or not is_pure(request, b):
        raise NotFixable("the mask or the tensor is not a plain value")
    left, right = likeness(request, a), likeness(request, b)
    if left is None or right is None or left.shape != right.shape:
        raise NotFixable("the mask is not known to have the shape of the tensor")
