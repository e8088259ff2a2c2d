"""Numbers read from tensors: the 0-dim tensor takes their place where every use is tensor arithmetic."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import makes_floats
from breaklint.analysis.mutation import keeps_dtype
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.selections import may_select
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.scalars.scalar_uses import MATH, ScalarUses
from breaklint.interp.values import Const, Size, Static, Tensor
from breaklint.model import Edit
from breaklint.project.scope import single_target
from breaklint.project.syntax import method_name

# Builtins, and the dtype class of what they give.
NUMBERS = {"builtins.float": "float", "builtins.int": "int"}
STORED = "An integer is converted to the dtype of the tensor that takes it, as a number is."
WHY = "A 0-dim tensor takes the place of a number: it is rounded like a tensor, and the result may have another dtype."


@fix("keep-tensor", safe=STORED, unsafe=WHY)
def keep_tensor(m: Match) -> Draft:
    """`t.item()`, `float(t)`, `int(t)` -> `t.detach()`, when the number is only used as a tensor can be."""
    request, call = m.request, m.request.call
    source, number = number_source(request, call)
    tensor = request.tensor(source)
    if tensor is None:
        raise request.not_a_tensor(source)
    kind = tensor.dtype if not number or number in MATH else number
    if kind in ("bool", "complex"):
        raise NotFixable(f"Python's {kind} and a {kind} tensor behave differently in arithmetic")
    uses = ScalarUses(request, may_select)
    uses.follow(call, False)
    if not all({*request.managed(call)} <= {*request.managed(each)} for each in uses.followed):
        raise NotFixable("it is used behind the `with` under which it is read")
    imports: tuple[Edit, ...] = ()
    if tensor.ndim != 0 and uses.decides:
        raise NotFixable(f"it decides a branch, and `{request.text(source)}` is not known to be a single value")
    content = as_tensor(request, source, number, tensor)
    if number in MATH:
        torch, imports = request.name_of("torch")
        content = f"{torch}.{number.partition('.')[2]}({content})"
    if not number and _is_stored_whole(request, call, tensor):
        return m.exchanged(call, content, "Store the 0-dim tensor")
    m.safe_if(False)
    return m.exchanged(call, content, "Keep the 0-dim tensor", *imports)


def _is_stored_whole(request: FixRequest, call: ast.Call, tensor: Tensor) -> bool:
    """Whether an integer goes straight into a tensor of floats: `counts[i] = (x == i).sum().item()`."""
    around = request.scope.parent(call)
    target = single_target(around)
    if tensor.dtype != "int" or tensor.ndim != 0 or not isinstance(target, ast.Subscript):
        return False
    made = request.definition(target.value.id, target).value if isinstance(target.value, ast.Name) else None
    plain = isinstance(made, ast.Call) and not made.keywords and makes_floats(request, request.qualified(made.func))
    if not plain or "set_default_dtype" in request.module.text or "set_default_tensor_type" in request.module.text:
        return False
    assert isinstance(target.value, ast.Name)
    return keeps_dtype(request, target.value.id, call) and isinstance(
        request.value(target.slice), (Const, Static, Size)
    )


def as_tensor(request: FixRequest, source: ast.expr, number: str, tensor: Tensor) -> str:
    """The 0-dim tensor of a number that is read from a tensor: a snapshot of what may change later."""
    content = f"{request.operand(source)}.detach()" + (".reshape(())" if tensor.ndim != 0 else "")
    if number == "int" and tensor.dtype != "int":
        return f"{content}.long()"
    if number == "float" and tensor.dtype == "int":
        return f"{content}.float()"
    return content if number in MATH or _is_new(request, source) else f"{content}.clone()"


def number_source(request: FixRequest, call: ast.Call) -> tuple[ast.expr, str]:
    """What the number is read from, and the kind that a conversion makes of it."""
    if (read := request.matched(call, "{t}.item()")) is not None:
        return read["t"], ""
    name = request.qualified(call.func)
    if name in MATH and len(call.args) == 1:
        return call.args[0], name
    if name not in NUMBERS or len(call.args) != 1:
        raise NotFixable(f"`{request.text(call.func)}` has no counterpart that stays in the graph")
    return call.args[0], NUMBERS[name]


def _is_new(request: FixRequest, source: ast.expr) -> bool:
    """Whether the tensor is the result of a reduction or of arithmetic, which nothing else refers to."""
    return isinstance(source, ast.BinOp) or request.facts.is_fresh(method_name(source))
