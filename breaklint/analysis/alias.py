"""Which expressions make a tensor that nothing else refers to."""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.shapes import operation
from breaklint.interp.values import Array, Number, Shape, Size, constant_kind
from breaklint.torchops.names import tensor_types
from breaklint.torchops.signatures import Signature

# Of memory of its own as far as tensors go: what NumPy does with it no schema says.
OF_ARRAYS = "torch.from_numpy"
COPYING = frozenset({"torch.tensor"})  # of what it takes; no schema says so
TAKING = frozenset({"tensor", "tensors", "other"})  # kinds of parameters that take tensors
# Of the tensor that these take they use dtype, device or shape alone, which no schema says.
LIKE_ANOTHER = frozenset({"to", "type_as", "view_as", "expand_as", "reshape_as"})
TYPED = frozenset(f"torch.{device}{kind}" for device in ("", "cuda.") for kind in tensor_types() if kind != "Tensor")


def is_fresh_result(model: FunctionModel, node: ast.expr) -> bool:
    """Whether an expression computes a tensor that nothing else refers to; it may need a gradient."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.BinOp) or (isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd))
    split = operation(model, node)
    given_memory = any(keyword.arg in ("out", "inplace", None) for keyword in node.keywords)
    return split is not None and not given_memory and model.facts.is_fresh(split[0])


def is_fresh(model: FunctionModel, node: ast.expr) -> bool:
    """Whether an expression makes a tensor object that nothing else refers to and that needs no gradient."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return model.tensor(node.value) is not None
    if not isinstance(node, ast.Call) or any(
        keyword.arg in ("requires_grad", "out", None) for keyword in node.keywords
    ):
        return False
    name = model.qualified(node.func)
    if name.startswith("torch."):
        if name in TYPED:
            return _takes_plain(model, node)
        result = name == OF_ARRAYS or (name.count(".") == 1 and _takes_requires_grad(model, name))
        return result and (name in COPYING or name.endswith("_like") or _takes_no_tensor(model, node, name))
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    creates = method == "detach" or _takes_requires_grad(model, f"torch.Tensor.{method}")
    if model.tensor(node) is not None and (creates or (method == "new" and _takes_plain(model, node))):
        return True
    return _keeps_no_gradient(model, node, method) and is_fresh(model, node.func.value)


def may_be_view(model: FunctionModel, node: ast.expr) -> bool:
    """Whether a tensor that an expression makes may be a view of another one, which takes fewer changes in place.

    Detached values do not count. A conversion returns the tensor itself or a copy, and accepts a `memory_format`.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or model.qualified(node.func):
        return False
    method, facts = node.func.attr, model.facts
    name = f"torch.Tensor.{method}"
    if method == "detach" or facts.is_fresh(method) or _takes_requires_grad(model, name):
        return False
    signature = facts.signature(name)
    converts = signature is not None and signature.parameter("memory_format") is not None
    return (facts.is_view(method) and not converts) or may_be_view(model, node.func.value)


def _takes_requires_grad(model: FunctionModel, name: str) -> bool:
    """Whether a function creates a leaf: its arguments state whether it needs a gradient. A function that may return
    its input does not."""
    signature = model.facts.signature(name)
    makes = signature is not None and signature.parameter("requires_grad") is not None
    return makes and not model.facts.is_view(name.rpartition(".")[2])


def _takes_plain(model: FunctionModel, call: ast.Call) -> bool:
    """Whether all arguments of a call are sizes, numbers and arrays: it cannot return a tensor argument."""
    return not call.keywords and all(_is_plain(model, argument) for argument in call.args)


def _is_plain(model: FunctionModel, node: ast.expr) -> bool:
    """Whether a value is a number, a size, an array, or a sequence of these."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_plain(model, item) for item in node.elts)
    value = model.value(node.value if isinstance(node, ast.Starred) else node)
    return isinstance(value, (Array, Number, Shape, Size)) or constant_kind(value) in ("int", "float", "bool")


def _takes_no_tensor(model: FunctionModel, call: ast.Call, name: str) -> bool:
    """Whether no argument of a function is a tensor whose gradient, or memory, the result may have."""
    signature = model.facts.signature(name)
    if signature is None or name == OF_ARRAYS:
        return name == OF_ARRAYS
    return _gets_no_tensor(model, call, signature)


def _gets_no_tensor(model: FunctionModel, call: ast.Call, signature: Signature) -> bool:
    """Whether all that a call gives parameters which take tensors is plain."""
    arguments: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
    arguments += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    parameters = ((signature.parameter(which), argument) for which, argument in arguments)
    takers = (argument for taker, argument in parameters if taker is None or taker.kinds & TAKING)
    return all(_is_plain(model, argument) for argument in takers)


def _keeps_no_gradient(model: FunctionModel, call: ast.Call, method: str) -> bool:
    """Whether a method gives a tensor that needs a gradient only if its own does."""
    fact, signature = model.facts.method(method), model.facts.signature(f"torch.Tensor.{method}")
    moves = fact is None and method == "cuda"  # not measured where there is no such device
    tensor = moves or (fact is not None and (fact.plain.kind == "tensor" or method == "type"))
    if signature is None or not tensor or method == "requires_grad_":
        return False
    return method in LIKE_ANOTHER or _gets_no_tensor(model, call, signature)
