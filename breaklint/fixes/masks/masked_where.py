"""Boolean masks whose result can keep its shape."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh_result
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.masks.masked_to_dense import OPERATORS, Dense, MaskedToDense, fits
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.interp.values import Const, constant_kind
from breaklint.project.walking import variables_in

UNSAFE = (
    "Both sides are computed for every element: an infinity or NaN outside the mask can reach the gradient. A new "
    "tensor may replace the old one."
)


@fix("masked-where", unsafe=UNSAFE)
def masked_where(m: Match) -> Draft:
    """`y[m] = f(x[m])` → `y = torch.where(m, f(x), y)`."""
    request = m.request
    statement = request.scope.statement(request.node)
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if isinstance(target, ast.Subscript) and _within(request, request.node, target, statement.value):
            return _store(m, statement, target)
    raise NotFixable


def _within(request: FixRequest, node: ast.AST, target: ast.Subscript, value: ast.expr) -> bool:
    enclosing = {node, *request.scope.parents(node)}
    return target in enclosing or value in enclosing


def _store(m: Match, statement: ast.Assign | ast.AugAssign, target: ast.Subscript) -> Draft:
    """A masked store: into a new tensor if the old one has no alias, else into the whole old tensor."""
    request, name, mask = m.request, target.value, target.slice
    if not isinstance(name, ast.Name) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        raise NotFixable("it does not store into a local tensor")
    if isinstance(mask, ast.Tuple):
        raise NotFixable("the mask selects along one of several dimensions")
    value = None if isinstance(statement, ast.AugAssign) else MaskedToDense(request, mask).of(statement.value)
    tensors = [name, *(value.tensors if value is not None else ())]
    own = _is_own(request, name, statement) and (value is None or _keeps_dtype(request, name, statement.value))
    text = _changed(request, statement, name) if value is None else _source(request, statement.value, name, value, own)
    torch, imports = request.name_of("torch")
    selected = f"{torch}.where({request.code(mask)}, {text}, {name.id})"
    content = f"{name.id} = {selected}" if own else f"{name.id}.copy_({selected})"
    draft = m.put(statement, content, "Select with `torch.where`", *imports)
    return draft._replace(display_only=not fits(request, mask, tensors))


def _changed(request: FixRequest, statement: ast.Assign | ast.AugAssign, name: ast.Name) -> str:
    """The source of the value of `y[mask] += 1`, for every element."""
    assert isinstance(statement, ast.AugAssign)
    number, sign = request.value(statement.value), OPERATORS.get(type(statement.op), "/")
    keeps_dtype = sign != "/" and (_kind(request, name) == "float" or constant_kind(number) == "int")
    if not keeps_dtype or not isinstance(number, Const):
        raise NotFixable("breaklint cannot infer that the operation keeps the dtype of the tensor")
    return f"{name.id} {sign} {request.code(statement.value)}"


def _source(request: FixRequest, selected: ast.expr, name: ast.Name, value: Dense, own: bool) -> str:
    """The source of the stored value, for every element; `copy_` keeps the dtype if the tensor is not its `own`."""
    kind, target_kind = _kind(request, selected), _kind(request, name)
    if target_kind not in ("", kind) and (kind or target_kind != "float"):
        raise NotFixable("breaklint cannot infer that the stored values have the dtype of the tensor")
    if own:
        return value.text
    if isinstance(selected, ast.Subscript):
        return request.code(selected.value)
    if any(isinstance(tensor, ast.Name) and tensor.id == name.id for tensor in value.tensors):
        raise NotFixable(f"the gradient of the stored value needs the previous `{name.id}`")
    return value.text


def _keeps_dtype(request: FixRequest, name: ast.Name, value: ast.expr) -> bool:
    """Whether stored values have the dtype of the tensor: of unknown ones, if both are computed from one variable."""
    kind, created = _kind(request, name), request.definition(name.id, value).value
    if kind or created is None or _kind(request, value):
        return kind == _kind(request, value) != ""
    return not variables_in(created).isdisjoint(variables_in(value))


def _kind(request: FixRequest, node: ast.expr) -> str:
    tensor = request.tensor(node)
    return tensor.dtype if tensor is not None else ""


def _is_own(request: FixRequest, name: ast.Name, statement: ast.stmt) -> bool:
    """Whether a name is bound to a tensor computed here that so far only arithmetic and indexing read."""
    value = request.definition(name.id, statement).value
    new = value is not None and is_fresh_result(request, value)
    early = [load for load in request.scope.loads(name.id) if request.values.may_precede(load, statement)]
    plain = ast.BinOp | ast.Compare | ast.UnaryOp | ast.Subscript
    result = request.definition(name.id, statement).statement
    new &= result is not None and request.managed(result) == request.managed(statement)  # no_grad, or none, for both
    return new and all(isinstance(request.scope.parent(load), plain) for load in early)
