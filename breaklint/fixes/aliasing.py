"""Which expressions make a tensor that nothing else refers to."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.shape_equality import operation

CREATED = frozenset(
    "zeros ones rand randn randint empty full arange linspace eye "
    "tensor zeros_like ones_like rand_like randn_like empty_like "
    "full_like randperm from_numpy".split()
)
TYPED = frozenset(
    f"torch.{device}{dtype}Tensor"
    for device in ("", "cuda.")
    for dtype in "BFloat16 Bool Byte Char Double Float Half Int Long Short".split()
)
CREATED_BY = frozenset("new new_zeros new_ones new_empty new_full new_tensor detach bernoulli".split())
KEEPS_NO_GRADIENT = frozenset(
    "cuda cpu to float double half long int bool type type_as fill_ "
    "zero_ normal_ uniform_ view reshape unsqueeze squeeze "
    "expand repeat transpose permute contiguous clone bernoulli_".split()
)
# What these compute lies in memory of its own.
RESULTS = frozenset(
    "tanh sigmoid relu exp log sqrt sin cos matmul mm bmm softmax gelu silu mul add sub div neg abs clone".split()
)


def is_fresh_result(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression computes a tensor that nothing else refers to; it may need a gradient."""
    split = operation(request, node) if isinstance(node, ast.Call) else None
    return isinstance(node, (ast.BinOp, ast.UnaryOp)) or (split is not None and split[0] in RESULTS)


def is_fresh(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression makes a tensor object that nothing else refers to and that needs no gradient."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return request.tensor(node.value) is not None
    if not isinstance(node, ast.Call) or any(keyword.arg in ("requires_grad", None) for keyword in node.keywords):
        return False
    name = request.qualified(node.func)
    if name.startswith("torch."):
        short = name.rpartition(".")[2]
        return (name.count(".") == 1 and short in CREATED) or name in TYPED
    if not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    if method in CREATED_BY and method != "bernoulli" and request.tensor(node) is not None:
        return True
    return method in KEEPS_NO_GRADIENT and is_fresh(request, node.func.value)
