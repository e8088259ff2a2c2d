"""Proofs that two tensors have the same shape, from how they are computed."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.mutation import reshapes
from breaklint.interp.predicates import is_python_number
from breaklint.interp.values import Tensor
from breaklint.project.syntax import arguments, stores
from breaklint.project.walking import walk
from breaklint.torchops.names import dtypes

SCALAR: Final = "0-dim"
# Functions whose result has the shape of their first argument, and that the facts do not call pointwise.
KEEPING: Final = frozenset(
    "contiguous detach flip hardswish log_softmax logsigmoid multiply ones_like roll softmax subtract tril triu "
    "zeros_like".split()
)
# Pairs of values with this relation have the same shape.
ALIKE: Final = tuple(f"{{a}}.{measure} == {{b}}.{measure}" for measure in ("shape", "size()", "dim()", "ndim"))
DEPTH: Final = 24


def shape_of(model: FunctionModel, node: ast.expr, depth: int = 0) -> Hashable | None:
    """The origin of the shape of a tensor expression; None if unknown. Equal origins are equal shapes."""
    value = model.value(node)
    if isinstance(value, Tensor) and value.ndim == 0:
        return SCALAR
    if depth == DEPTH:
        return None
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _of_reference(model, node, depth) if isinstance(value, Tensor) else None
    if isinstance(node, ast.Subscript):
        return _masked(model, node, depth)
    operands = _operands(model, node)
    return None if operands is None else _common(model, operands, depth)


def _operands(model: FunctionModel, node: ast.expr) -> Sequence[ast.expr] | None:
    """The operands of an expression that is computed element by element, None for any other."""
    if isinstance(node, ast.UnaryOp):
        return None if isinstance(node.op, ast.Not) else [node.operand]
    if isinstance(node, ast.BinOp):
        return None if isinstance(node.op, ast.MatMult) else [node.left, node.right]
    if isinstance(node, ast.Compare):
        is_plain = len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot))
        return [node.left, node.comparators[0]] if is_plain else None
    split = operation(model, node) if isinstance(node, ast.Call) else None
    if split is None or not isinstance(node, ast.Call) or not split[1]:
        return None
    name, operands = split
    if name in KEEPING or name in dtypes():
        return operands[:1]
    is_elementwise = model.facts.is_pointwise(name) or (name == "where" and len(operands) == 3)
    others = [part for part in arguments(node) if part not in operands]
    return [part for part in (*operands, *others) if isinstance(model.value(part), Tensor)] if is_elementwise else None


def _common(model: FunctionModel, operands: Iterable[ast.expr], depth: int) -> Hashable | None:
    """The shape of all operands that are neither numbers nor 0-dim tensors."""
    tensors = [part for part in operands if not is_python_number(model.value(part))]
    shapes = {shape_of(model, part, depth + 1) for part in tensors}
    larger = shapes - {SCALAR}
    return larger.pop() if len(larger) == 1 else SCALAR if shapes == {SCALAR} else None


def _masked(model: FunctionModel, node: ast.Subscript, depth: int) -> Hashable | None:
    """The shape of `x[mask]`: only the same mask selects as many items."""
    mask, inner = model.value(node.slice), shape_of(model, node.value, depth + 1)
    if inner is None or not isinstance(mask, Tensor) or mask.dtype != "bool":
        return None
    names = [part for part in walk(node.slice) if isinstance(part, ast.Name)]
    versions = tuple(model.definition(name.id, name).version for name in names)
    return "under", inner, ast.dump(node.slice), versions


def _of_reference(model: FunctionModel, node: ast.Name | ast.Attribute, depth: int) -> Hashable | None:
    root, cache = model.scope.root, model.module.derive(_Reshaping, _Reshaping)
    if root not in cache:
        cache[root] = reshapes(root)
    if cache[root]:
        return None
    if isinstance(node, ast.Attribute):
        if node.attr in ("T", "mT", "H", "grad", "real", "imag") or not isinstance(node.value, ast.Name):
            return None
        if node.attr == "data":
            return shape_of(model, node.value, depth + 1)
        # An attribute stands for itself only while nothing in the function sets it.
        is_stored = any(stores(part, node.attr) for part in walk(root))
        return None if is_stored else ("attribute", model.text(node))
    definition = model.definition(node.id, node)
    following = None if definition.value is None else shape_of(model, definition.value, depth + 1)
    return _asserted(model, (node.id, definition.version)) if following is None else following


class _Reshaping(dict[ast.AST, bool]):
    """The functions of a file, and whether they give a tensor another shape in place."""


def _asserted(model: FunctionModel, origin: Hashable) -> Hashable:
    """The first of the values that are asserted to have the shape (or the number of dimensions) of this one.

    Equal dimensions suffice if the mask indexes the tensor: indexing raises unless their sizes are equal as well.
    """
    for statement in model.scope.asserts:
        sides = model.matched(statement.test, *ALIKE)
        names = [side for side in (sides or {}).values() if isinstance(side, ast.Name)]
        if len(names) == 2:
            first, second = ((name.id, model.definition(name.id, name).version) for name in names)
            origin = first if origin == second else origin
    return origin


def takes_tensor(model: FunctionModel, name: str, position: int) -> bool:
    """Whether an operator takes a tensor at a position, counted from its first tensor: some want a plain number."""
    facts = model.facts
    functions = [facts.signature(f"{library}.{name}") for library in ("torch", "torch.nn.functional")]
    method = facts.signature(f"torch.Tensor.{name}")
    parameters = [signature.parameter(position) for signature in functions if signature is not None]
    parameters += [method.parameter(position - 1)] if method is not None and position > 0 else []
    return any(parameter is not None and parameter.takes("tensor") for parameter in parameters)


def operation(model: FunctionModel, call: ast.Call) -> tuple[str, list[ast.expr]] | None:
    """The short name of a torch function or tensor method, and its arguments, the tensor first."""
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    name = model.qualified(call.func)
    library, _, short = name.rpartition(".")
    if library in ("torch", "torch.nn.functional", "torch.special"):
        return short, call.args
    if not name and isinstance(call.func, ast.Attribute) and isinstance(model.value(call.func.value), Tensor):
        return call.func.attr, [call.func.value, *call.args]
    return None
