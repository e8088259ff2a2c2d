"""Proofs that two tensors have the same shape and dtype, from how they are computed.

A `ShapeAndDtype` identifies both by their origin: two expressions with equal origins have the same shape and dtype.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import NamedTuple

from breaklint.analysis.asserted import asserted_shape
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.mutation import reshapes
from breaklint.interp.values import Const, Number, Size, Static, Tensor, constant_kind
from breaklint.project.syntax import stores
from breaklint.project.walking import walk
from breaklint.torchops.names import dtypes

SCALAR = "0-dim"
# The dtypes hold for complex tensors as well. The facts do not cover complex tensors, and composite operators have no
# tag of their own.
KEEPING = frozenset(
    "relu neg clamp clamp_min clamp_max square sign detach clone "
    "contiguous hardtanh relu6 leaky_relu zeros_like "
    "ones_like nan_to_num softmax log_softmax flip roll triu tril".split()
)
# Nor are activations measured with integers, which some of these refuse and others make floating.
FLOATING = frozenset(
    "sigmoid tanh exp log log1p expm1 sqrt rsqrt reciprocal "
    "sin cos tan atan sinh cosh erf softplus silu gelu elu "
    "mish selu celu logsigmoid hardswish hardsigmoid log2 log10".split()
)
# Composite aliases (multiply, true_divide) carry no tag.
BINARY = frozenset("add sub mul div true_divide pow maximum minimum multiply subtract".split())
# Of all dimensions, whatever their number: the facts are measured with one.
REDUCING = frozenset("sum mean max min amax amin norm std var prod median all any".split())
BOUNDED = frozenset({"clamp", "clamp_min", "clamp_max", "square"})  # of bools these give integers
# Of these the dtype changes with classes of dtypes that only some tensors have.
WIDENING = frozenset({"softmax", "log_softmax", "square", "sign", "relu", "clamp"})
DEPTH = 24


class ShapeAndDtype(NamedTuple):
    """`dtype` names an origin; `widened` is its promotion: `int` (from bool), `float` (from bool or int).

    `floating` states that the origin is floating, so that nothing widens it.
    """

    shape: Hashable
    dtype: Hashable
    widened: str = ""
    floating: bool = False


def shape_and_dtype(model: FunctionModel, node: ast.expr, depth: int = 0) -> ShapeAndDtype | None:
    """The shape and dtype of a tensor expression by origin; None if unknown."""
    result = _computed(model, node, depth) if depth < DEPTH else None
    value = model.value(node)
    if result is not None and isinstance(value, Tensor) and value.ndim == 0:
        result = result._replace(shape=SCALAR)
    if result is not None and not result.widened and isinstance(value, Tensor) and value.dtype == "float":
        result = result._replace(floating=True)
    return result


def _computed(model: FunctionModel, node: ast.expr, depth: int) -> ShapeAndDtype | None:
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _of_reference(model, node, depth)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert)):
        return shape_and_dtype(model, node.operand, depth + 1)
    if isinstance(node, ast.BinOp):
        return _binary(model, node.left, node.right, isinstance(node.op, ast.Div), depth)
    if (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and not isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot))
    ):
        both = _binary(model, node.left, node.comparators[0], False, depth)
        return ShapeAndDtype(both.shape, "bool") if both else None
    if isinstance(node, ast.Call):
        return _of_call(model, node, depth)
    if isinstance(node, ast.Subscript):
        return _masked(model, node, depth)
    return None


def _masked(model: FunctionModel, node: ast.Subscript, depth: int) -> ShapeAndDtype | None:
    """`x[mask]`: like x, but of a length that only the same mask gives."""
    mask, inner = model.value(node.slice), shape_and_dtype(model, node.value, depth + 1)
    if inner is None or not isinstance(mask, Tensor) or mask.dtype != "bool":
        return None
    names = [part for part in walk(node.slice) if isinstance(part, ast.Name)]
    result = tuple(model.definition(name.id, name).version for name in names)
    return inner._replace(shape=("under", inner.shape, ast.dump(node.slice), result))


def _of_reference(model: FunctionModel, node: ast.Name | ast.Attribute, depth: int) -> ShapeAndDtype | None:
    root, cache = model.scope.root, model.module.derive(_Reshaping, _Reshaping)
    if root not in cache:
        cache[root] = reshapes(root)
    if cache[root] or not isinstance(model.value(node), Tensor):
        return None
    if isinstance(node, ast.Attribute):
        text = model.text(node)
        if node.attr in ("T", "mT", "H", "grad", "real", "imag") or not isinstance(node.value, ast.Name):
            return None
        if node.attr == "data":
            return shape_and_dtype(model, node.value, depth + 1)
        # An attribute stands for itself only while nothing in the function sets it.
        is_stored = any(stores(part, node.attr) for part in walk(model.scope.root))
        return None if is_stored else ShapeAndDtype(("attribute", text), ("attribute", text))
    definition = model.definition(node.id, node)
    if definition.value is not None:
        following = shape_and_dtype(model, definition.value, depth + 1)
        if following is not None:
            return following
    origin = (node.id, definition.version)
    return ShapeAndDtype(asserted_shape(model, origin), origin)


class _Reshaping(dict[ast.AST, bool]):
    """The functions of a file, and whether they give a tensor another shape in place."""


def _binary(model: FunctionModel, left: ast.expr, right: ast.expr, divides: bool, depth: int) -> ShapeAndDtype | None:
    sides = [_side(model, side, depth) for side in (left, right)]
    tensors = [side for side in sides if isinstance(side, ShapeAndDtype)]
    if None in sides or not tensors:
        return None
    number = next((side for side in sides if isinstance(side, str)), "")
    if len(tensors) == 1:
        return _widen(tensors[0], "float" if divides or number == "float" else number)
    a, b = tensors
    if a.dtype != b.dtype:
        pair = frozenset({(a.dtype, a.widened), (b.dtype, b.widened)})
        return ShapeAndDtype(a.shape, ("promoted", pair, divides)) if a.shape == b.shape and a.shape != SCALAR else None
    shape = a.shape if a.shape == b.shape or b.shape == SCALAR else b.shape if a.shape == SCALAR else None
    if shape is None or (a.shape != b.shape and a.widened != b.widened):
        return None
    wider = _wider(a, b)._replace(shape=shape)
    return _widen(wider, "float") if divides else wider


def _side(model: FunctionModel, node: ast.expr, depth: int) -> ShapeAndDtype | str | None:
    """A tensor, the kind of a Python number, or None."""
    value = model.value(node)
    if isinstance(value, Tensor):
        return shape_and_dtype(model, node, depth + 1)
    kind = value.kind if isinstance(value, Number) else constant_kind(value)
    is_number = isinstance(value, (Const, Static, Size, Number))
    return kind if is_number and kind in ("int", "float", "bool") else None


def _widen(like: ShapeAndDtype, by: str) -> ShapeAndDtype:
    if by in ("", "bool") or like.widened == "float" or like.floating:
        return like
    return ShapeAndDtype(like.shape, "float") if like.dtype == "bool" and by == "float" else like._replace(widened=by)


def _of_call(model: FunctionModel, call: ast.Call, depth: int) -> ShapeAndDtype | None:
    split = operation(model, call)
    if split is None or any(keyword.arg == "dtype" for keyword in call.keywords):
        return None
    name, arguments = split
    if name in BINARY and len(arguments) == 2 and not call.keywords:
        return _binary(model, arguments[0], arguments[1], name in ("div", "true_divide"), depth)
    if name in REDUCING and len(arguments) == 1 and not call.keywords:
        inner = shape_and_dtype(model, arguments[0], depth + 1)
        return inner and ShapeAndDtype(SCALAR, "bool" if name in ("all", "any") else (inner.dtype, name), inner.widened)
    if name == "where" and len(arguments) == 3 and not call.keywords:
        return _selected(model, arguments, depth)
    casts, truth = name in dtypes() and model.facts.method(name) is not None, _is_truth(model, name)
    if not arguments or not (casts or truth or name in KEEPING | FLOATING):
        return None
    extra = [model.value(part) for part in (*arguments[1:], *(keyword.value for keyword in call.keywords))]
    if any(isinstance(value, Tensor) for value in extra):
        return None
    inner = shape_and_dtype(model, arguments[0], depth + 1)
    if inner is None:
        return None
    if truth or casts:
        return ShapeAndDtype(inner.shape, "bool" if truth or name == "bool" else ("cast", name))
    if name in WIDENING and inner.dtype == "bool":
        return None
    if name in FLOATING or (name in BOUNDED and any(constant_kind(value) != "int" for value in extra)):
        return _widen(inner, "float")
    return _widen(inner, "int") if name in BOUNDED else inner


def _is_truth(model: FunctionModel, name: str) -> bool:
    """Whether an operator returns a bool per element."""
    fact = model.facts.operator(name)
    return fact is not None and fact.pointwise and not fact.inplace and fact.plain.dtype == "bool"


def takes_tensor(model: FunctionModel, name: str, position: int) -> bool:
    """Whether an operator takes a tensor at a position, counted from its first tensor: some want a plain number."""
    facts = model.facts
    functions = [facts.signature(f"{library}.{name}") for library in ("torch", "torch.nn.functional")]
    method = facts.signature(f"torch.Tensor.{name}")
    parameters = [signature.parameter(position) for signature in functions if signature is not None]
    parameters += [method.parameter(position - 1)] if method is not None and position > 0 else []
    return any(parameter is not None and parameter.takes("tensor") for parameter in parameters)


def _selected(model: FunctionModel, arguments: list[ast.expr], depth: int) -> ShapeAndDtype | None:
    """`where(condition, a, b)` is like a and b when these are alike and the condition adds no dimension."""
    condition, a, b = (shape_and_dtype(model, argument, depth + 1) for argument in arguments)
    if condition is None or a is None or b is None or (a.shape, a.dtype) != (b.shape, b.dtype):
        return None
    return _wider(a, b) if condition.shape in (SCALAR, a.shape) else None


def _wider(a: ShapeAndDtype, b: ShapeAndDtype) -> ShapeAndDtype:
    return a._replace(widened=max(a.widened, b.widened, key=("", "int", "float").index))


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
