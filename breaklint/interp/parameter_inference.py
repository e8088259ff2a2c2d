"""The value of an untyped parameter by its uses in the body of a function: a tensor, a sequence of tensors, or another
value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Final

from breaklint.interp.number_uses import number_names
from breaklint.project.module import FunctionInfo, ImportedName
from breaklint.project.syntax import called_on, negated
from breaklint.project.walking import dotted_name, names_with_parents, walk
from breaklint.torchops.signatures import newest_signature
from breaklint.torchops.tables import read_table


class Evidence(Enum):
    """The verdict of a use. TENSOR and OTHER are near proof.

    ANY_VALUE is a use that fits any value, and counts as OTHER if no use suggests a tensor. NONE leaves an assumed
    tensor. BATCH is a dict that is read by string keys only, MAPPING a use that fits any dict.
    """

    TENSOR = "tensor"
    NUMBER = "number"
    SEQUENCE = "sequence"
    OTHER = "other"
    ANY_VALUE = "any value"
    BATCH = "batch"
    MAPPING = "mapping"
    NONE = "none"


# No schema: methods of tensors that other objects also have.
NOT_ONLY_TENSORS: Final = frozenset("values indices apply name names split index copy update get".split())
UNLISTED: Final = frozenset({"new"})  # methods of tensors without a schema
# Methods of Python's lists that tensors do not have.
SEQUENCE_ATTRIBUTES: Final = frozenset("append extend insert pop".split())
OTHER_TYPES: Final = frozenset("int float str bool list tuple dict List Tuple Dict Mapping Sequence Iterable".split())
FUNCTIONS_OF_TENSORS: Final = ("torch", "F", "nn", "einops")
# Keywords that by convention are numbers, flags and strings in all functions of models.
NOT_TENSOR_KEYWORDS: Final = frozenset(
    "dim axis size keepdim dtype device p training eps mode reduction stride padding inplace align_corners".split()
)
OF_DICTS: Final = frozenset("keys values items get".split())
SHAPE: Final = frozenset({"int", "size", "dtype"})  # the kinds of arguments of a method that changes the shape


_OF_BATCHES: Final = frozenset({Evidence.BATCH, Evidence.MAPPING, Evidence.ANY_VALUE})


def evidence(function: FunctionInfo, name: str) -> Evidence:
    """The strongest verdict of the uses of `name` in the function; a use as another value wins."""
    kinds = set()
    for node, parent in uses(function).get(name, ()):
        verdict = _of_use(node, parent)
        if verdict is not None and not (verdict is Evidence.NUMBER and _is_of_library(function, parent)):
            kinds.add(verdict)
    if Evidence.BATCH in kinds and kinds <= _OF_BATCHES:
        return Evidence.BATCH
    if not kinds.isdisjoint((Evidence.BATCH, Evidence.MAPPING)):
        return Evidence.OTHER
    if Evidence.ANY_VALUE in kinds and Evidence.TENSOR not in kinds:
        return Evidence.SEQUENCE if kinds == {Evidence.ANY_VALUE} and _holds_tensors(function, name) else Evidence.OTHER
    for verdict in (Evidence.OTHER, Evidence.NUMBER, Evidence.SEQUENCE, Evidence.TENSOR):
        if verdict in kinds and not (verdict is Evidence.SEQUENCE and Evidence.TENSOR in kinds):
            return verdict
    if any(isinstance(parent, ast.Compare) and parent in masks(function) for _, parent in uses(function).get(name, ())):
        return Evidence.TENSOR
    return Evidence.NUMBER if name in number_names(function) else Evidence.NONE


def masks(function: FunctionInfo) -> frozenset[ast.expr]:
    """The comparisons of a function whose result is used as a tensor, or is bound to a name that is used as one:
    `scores[labels == 1]`, `(a > b).sum()`, `keep = a > b; keep.any()`."""
    return function.derive(_masks)


def _masks(function: FunctionInfo) -> frozenset[ast.expr]:
    nodes = function.nodes
    operands = [each.slice for each in nodes.of(ast.Subscript) if isinstance(each.value, (ast.Name, ast.Attribute))]
    operands += [each.value for each in nodes.of(ast.Attribute) if is_tensor_attribute(each.attr)]
    operands += [each.operand for each in nodes.of(ast.UnaryOp) if isinstance(each.op, ast.Invert)]
    operands += [each.value for each in nodes.of(ast.Assign) if _is_mask(function, each.targets[0])]
    parts = (part for node in operands for part in _operands(node))
    compared = (part for part in parts if isinstance(part, ast.Compare))
    return frozenset(part for part in compared if not any(map(_is_text, (part.left, *part.comparators))))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (str, bytes)))


def _is_mask(function: FunctionInfo, target: ast.expr) -> bool:
    """Whether the uses of a name show a tensor: an attribute, or use as an index."""
    places = uses(function).get(target.id, ()) if isinstance(target, ast.Name) else ()
    return any(
        is_tensor_attribute(parent.attr)
        if isinstance(parent, ast.Attribute)
        else isinstance(parent, ast.Subscript) and parent.slice is node
        for node, parent in places
    )


def _holds_tensors(function: FunctionInfo, name: str) -> bool:
    """Whether an item of a parameter is used as a tensor: `rows[i].sum()`, `(rows[i] - rows[j]).norm()`."""
    return any(
        is_tensor_attribute(attribute.attr)
        and any(
            isinstance(item, ast.Subscript) and isinstance(item.value, ast.Name) and item.value.id == name
            for item in _operands(attribute.value)
        )
        for attribute in function.nodes.of(ast.Attribute)
    )


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of an arithmetic expression, or the expression itself."""
    if isinstance(node, ast.BinOp):
        yield from _operands(node.left)
        yield from _operands(node.right)
    else:
        yield node


def uses(function: FunctionInfo) -> dict[str, list[tuple[ast.Name, ast.AST]]]:
    """The reads of each name in a function, with the node around it."""
    return function.derive(_uses)


def _uses(function: FunctionInfo) -> dict[str, list[tuple[ast.Name, ast.AST]]]:
    result: dict[str, list[tuple[ast.Name, ast.AST]]] = {}
    for node, parent in names_with_parents(function.node):
        if node.ctx.__class__ is ast.Load:
            result.setdefault(node.id, []).append((node, parent))
    return result


def _of_use(node: ast.Name, parent: ast.AST) -> Evidence | None:
    if isinstance(parent, ast.Attribute):
        if parent.attr in OF_DICTS:
            return Evidence.MAPPING
        if parent.attr in SEQUENCE_ATTRIBUTES:
            return Evidence.SEQUENCE
        return Evidence.TENSOR if is_tensor_attribute(parent.attr) else Evidence.OTHER
    if isinstance(parent, ast.Call):
        return _of_argument(node, parent)
    if isinstance(parent, ast.keyword):
        return Evidence.OTHER if parent.arg is None else Evidence.NUMBER if parent.arg in NOT_TENSOR_KEYWORDS else None
    if isinstance(parent, (ast.If, ast.IfExp, ast.While)) and parent.test is node:
        return Evidence.OTHER  # a bare flag: `if return_attention:`
    if isinstance(parent, (ast.BoolOp, ast.Starred, ast.Slice)) or negated(parent) is not None:
        return Evidence.OTHER
    if isinstance(parent, ast.Compare):
        return _of_comparison(node, parent)
    if isinstance(parent, ast.Subscript):
        return _of_subscript(node, parent)
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], (ast.Tuple, ast.List)) and parent.value is node:
        return Evidence.SEQUENCE
    if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
        return Evidence.SEQUENCE
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult):
        return Evidence.TENSOR
    return None


def is_tensor_attribute(name: str) -> bool:
    """Whether an attribute or method name suggests a tensor."""
    table = read_table()
    is_listed = name in table["methods"] or name in table["attributes"] or name in UNLISTED
    return is_listed and name not in NOT_ONLY_TENSORS


def _is_of_library(function: FunctionInfo, call: ast.AST) -> bool:
    """Whether the receiver of a call is an import, so that the callee is not a tensor method: `ops.mean(x)`."""
    head = (dotted_name(called_on(call)) or "").partition(".")[0]
    return isinstance(function.module.names.get(head), ImportedName)


def _of_argument(node: ast.Name, call: ast.Call) -> Evidence | None:
    function = call.func
    if function is node:
        return Evidence.OTHER
    if isinstance(function, ast.Name):
        if function.id == "isinstance" and len(call.args) == 2:
            names = {getattr(item, "id", getattr(item, "attr", "")) for item in walk(call.args[1])}
            return Evidence.OTHER if names & OTHER_TYPES else None
        if function.id in ("len", "str", "getattr", "hasattr"):
            return Evidence.ANY_VALUE
        return Evidence.OTHER if function.id in ("range", "callable", "dict", "list", "set") else None
    if isinstance(function, ast.Attribute):
        if isinstance(function.value, ast.Name) and function.value.id in FUNCTIONS_OF_TENSORS:
            return _of_first_argument(function.value.id, function.attr) if call.args[:1] == [node] else None
        owner = (dotted_name(function.value) or "").partition(".")
        library = owner[0] in FUNCTIONS_OF_TENSORS or owner[0::2] == ("self", "")
        if not library and node in call.args and _takes_sizes(function.attr, call.args.index(node)):
            return Evidence.NUMBER
    return None


@cache
def _takes_sizes(method: str, place: int) -> bool:
    """Whether a tensor method takes only a dimension or sizes at a position."""
    signature = newest_signature(f"torch.Tensor.{method}") if method not in NOT_ONLY_TENSORS else None
    parameter = signature.parameter(place) if signature is not None else None
    return parameter is not None and parameter.kinds <= SHAPE


@cache
def _of_first_argument(library: str, name: str) -> Evidence | None:
    """The verdict on the first argument of a function of a tensor library."""
    signatures = [newest_signature(f"{owner}.{name}") for owner in ("torch", "torch.nn.functional")]
    parameters = [signature.parameter(0) for signature in signatures if signature is not None]
    if not any(signature is not None for signature in signatures):
        return Evidence.OTHER if library == "torch" else Evidence.TENSOR
    return Evidence.TENSOR if any(each is not None and each.takes("tensor") for each in parameters) else Evidence.OTHER


def _of_comparison(node: ast.Name, compare: ast.Compare) -> Evidence | None:
    if isinstance(compare.ops[-1], (ast.In, ast.NotIn)) and compare.comparators[-1] is node:
        return Evidence.MAPPING
    sides = [compare.left, *compare.comparators]
    if any(isinstance(side, ast.Constant) and isinstance(side.value, (str, bool)) for side in sides):
        return Evidence.OTHER
    if any(isinstance(op, (ast.In, ast.NotIn)) for op in compare.ops):
        return Evidence.OTHER
    return None


def _of_subscript(node: ast.Name, subscript: ast.Subscript) -> Evidence | None:
    if subscript.value is not node:
        return None
    index = subscript.slice
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return Evidence.BATCH
    if isinstance(index, (ast.Tuple, ast.Slice)):
        return Evidence.TENSOR if isinstance(index, ast.Tuple) else None
    return None
