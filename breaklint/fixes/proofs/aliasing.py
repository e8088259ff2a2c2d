"""Which expressions make a tensor that nothing else refers to."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.shape_equality import operation
from breaklint.interp.values import Array, Number, Size, constant_kind
from breaklint.torchops.names import tensor_types
from breaklint.torchops.results import Result

# Of memory of its own as far as tensors go: what NumPy does with it no schema says.
OF_ARRAYS = "torch.from_numpy"
LEGACY = frozenset({"new", "detach"})  # make an object that needs no gradient, without a parameter that says so
# Of the tensor that these take they use dtype, device or shape alone, which no schema says.
LIKE_ANOTHER = frozenset({"to", "type_as", "view_as", "expand_as", "reshape_as"})
TYPED = frozenset(f"torch.{device}{kind}" for device in ("", "cuda.") for kind in tensor_types() if kind != "Tensor")


def is_fresh_result(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression computes a tensor that nothing else refers to; it may need a gradient."""
    if not isinstance(node, ast.Call):
        return isinstance(node, (ast.BinOp, ast.UnaryOp))
    split = operation(request, node)
    given_memory = any(keyword.arg in ("out", "inplace", None) for keyword in node.keywords)
    return split is not None and not given_memory and request.facts.is_fresh(split[0])


def makes_floats(request: FixRequest, function: str) -> bool:
    """Whether a function makes floating numbers of a size, as `torch.zeros` does without `dtype=`."""
    fact = request.facts.function(function)
    return fact is not None and fact.plain == Result("tensor", "float")


def is_fresh(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression makes a tensor object that nothing else refers to and that needs no gradient."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return request.tensor(node.value) is not None
    if not isinstance(node, ast.Call) or any(keyword.arg in ("requires_grad", None) for keyword in node.keywords):
        return False
    name = request.qualified(node.func)
    if name.startswith("torch."):
        made = name == OF_ARRAYS or (name.count(".") == 1 and _takes_requires_grad(request, name))
        return made or name in TYPED
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    creates = method in LEGACY or _takes_requires_grad(request, f"torch.Tensor.{method}")
    if creates and request.tensor(node) is not None:
        return True
    return _keeps_no_gradient(request, node, method) and is_fresh(request, node.func.value)


def _takes_requires_grad(request: FixRequest, name: str) -> bool:
    """Whether a function makes a leaf: those say whether it needs a gradient. What may give its input back does not."""
    signature = request.facts.signature(name)
    makes = signature is not None and signature.parameter("requires_grad") is not None
    return makes and not request.facts.is_view(name.rpartition(".")[2])


def _keeps_no_gradient(request: FixRequest, call: ast.Call, method: str) -> bool:
    """Whether a method gives a tensor that needs a gradient only if its own does."""
    fact, signature = request.facts.method(method), request.facts.signature(f"torch.Tensor.{method}")
    moves = fact is None and method == "cuda"  # not measured where there is no such device
    tensor = moves or (fact is not None and (fact.plain.kind == "tensor" or method == "type"))
    if signature is None or not tensor or method == "requires_grad_":
        return False
    given: list[tuple[int | str, ast.expr]] = [*enumerate(call.args), *((k.arg or "", k.value) for k in call.keywords)]
    for which, argument in given if method not in LIKE_ANOTHER else ():
        parameter = signature.parameter(which)
        takes = parameter is None or parameter.kinds & {"tensor", "tensors", "other"}
        value = request.value(argument)
        plain = isinstance(value, (Array, Number, Size)) or constant_kind(value) in ("int", "float", "bool")
        if takes and not plain:
            return False
    return True
