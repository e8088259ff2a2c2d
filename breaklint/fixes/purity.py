"""Which expressions do nothing but give a value: no side effect, no random numbers, nothing stored."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.scope import single_name
from breaklint.interp.values import Array, Shape, Size, Tensor

BUILTINS = frozenset(
    f"builtins.{name}"
    for name in "len int float bool str repr abs min max round tuple "
    "list type isinstance range sum zip enumerate".split()
)
# Written in Python and drawing only with some arguments, or setting the random state: no tag, and no call tells it.
RANDOM = frozenset("multi_head_attention_forward fractional_max_pool2d fractional_max_pool3d seed initial_seed".split())
# What their schemas do not say: they change weights, buffers or the process, or tell of memory.
STATEFUL = frozenset(
    "save embedding embedding_bag batch_norm instance_norm backward register_hook requires_grad_ manual_seed "
    "apply resize_ set_ data_ptr share_memory_ cuda pin_memory".split()
)
TORCH = ("torch", "torch.nn.functional", "torch.special", "torch.linalg", "torch.functional")
PLAIN = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.Subscript,
    ast.Slice,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.Starred,
    ast.keyword,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
    ast.expr_context,
)


def is_pure(request: FixRequest, node: ast.AST) -> bool:
    """Whether evaluating an expression changes nothing and gives the same each time (it may raise)."""
    if isinstance(node, ast.Call):
        if not _pure_call(request, node):
            return False
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return all(is_pure(request, part) for part in [*receiver, *node.args, *node.keywords])
    return isinstance(node, PLAIN) and all(is_pure(request, child) for child in ast.iter_child_nodes(node))


def _pure_call(request: FixRequest, call: ast.Call) -> bool:
    if any(keyword.arg in ("out", "inplace", "generator") for keyword in call.keywords):
        return False
    name = request.qualified(call.func)
    if name:
        library, _, short = name.rpartition(".")
        return name in BUILTINS or library == "math" or (library in TORCH and _pure_name(request, short))
    if isinstance(call.func, ast.Attribute) and isinstance(
        request.value(call.func.value), Tensor | Array | Shape | Size
    ):
        return _pure_name(request, call.func.attr)
    return False


def _pure_name(request: FixRequest, short: str) -> bool:
    if short.endswith("_") or short.startswith(("set_", "use_")) or short in STATEFUL or short[:1].isupper():
        return False
    return short not in RANDOM and not request.facts.is_random(short)


def only_read(request: FixRequest, node: ast.expr, names: frozenset[str] = frozenset()) -> bool:
    """Whether a tensor is used for nothing but computing from it."""
    around = request.scope.parent(node)
    if isinstance(around, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Return)):
        return True
    if isinstance(around, ast.Subscript) and around.value is node:
        return isinstance(around.ctx, ast.Load) and only_read(request, around, names)
    if isinstance(around, ast.Attribute):
        call = request.scope.parent(around)
        return isinstance(call, ast.Call) and call.func is around and is_pure(request, call)
    if isinstance(around, ast.Call):
        return is_pure(request, around)
    name = single_name(around)
    return name is not None and name_only_read(request, name, names)


def name_only_read(request: FixRequest, name: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether what a name holds is used for nothing but computing from it; `names` are being looked at already."""
    if name in names:
        return True
    if any(isinstance(request.scope.parent(store), ast.AugAssign) for store in request.scope.stores(name)):
        return False
    return all(only_read(request, load, names | {name}) for load in request.scope.loads(name))
