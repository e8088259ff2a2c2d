"""Which expressions surely raise nothing, so that code may run without them."""

from __future__ import annotations

import ast

from breaklint.analysis.attribute_values import made_of
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.mutation import is_unchanged
from breaklint.analysis.shapes import of_one_tensor, operation
from breaklint.interp.values import Const
from breaklint.project.syntax import own_attribute
from breaklint.project.walking import walk

# Of a tensor of any shape: the largest of no elements, the mean of integers and the sum of 8-bit floats raise.
ALL = ("", "bool", "int", "float", "complex")
# No schema says which dtypes an operator refuses.
REDUCTIONS = {"all": ALL, "any": ALL, "sum": ("bool", "int")}
EQUALITY = (ast.Eq, ast.NotEq)
ORDERED = frozenset({"bool", "int", "float"})  # dtypes that compare, and become others without a warning


def is_certain(model: FunctionModel, node: ast.expr) -> bool:
    """Whether an expression gives a tensor and surely raises nothing."""
    tensor = model.tensor(node)
    if tensor is None or model.may_be_none(node):
        return False
    if isinstance(node, ast.Name):
        return is_bound(model, node)
    if isinstance(node, ast.Attribute):
        made = made_of(model, node.attr) if own_attribute(node) else None
        return is_certain(model, node.value) if node.attr == "data" else made is not None
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        compared = model.tensor(node.left)
        known = isinstance(node.ops[0], EQUALITY) or (compared is not None and compared.dtype in ORDERED)
        number = model.value(node.comparators[0])
        plain = isinstance(number, Const) and isinstance(number.value, (bool, int, float))
        return known and plain and is_certain(model, node.left)
    if isinstance(node, ast.Call):
        source = reduced(model, node) or converted(model, node)
        return source is not None and is_certain(model, source)
    return False


def reduced(model: FunctionModel, call: ast.Call) -> ast.expr | None:
    """The tensor of which a call gives the sum, or another number that every tensor of its dtype has."""
    name, whole = of_one_tensor(model, call)
    tensor = model.tensor(whole) if whole is not None else None
    return whole if tensor is not None and tensor.dtype in REDUCTIONS.get(name, ()) else None


def converted(model: FunctionModel, call: ast.Call) -> ast.expr | None:
    """The tensor that a call copies, or converts to another dtype or device that there surely is."""
    split = operation(model, call)
    if split is None or not split[1] or call.keywords or not model.facts.keeps_values(split[0]):
        return None
    source, *options = split[1]
    tensor, result = model.tensor(source), model.tensor(call)
    known = tensor is not None and tensor.dtype in ORDERED
    same = tensor is not None and result is not None and (known or tensor.dtype == result.dtype)
    return source if same and all(split[0] == "to" and _is_target(model, each, known) for each in options) else None


def _is_target(model: FunctionModel, node: ast.expr, known: bool) -> bool:
    """Whether a tensor, whose dtype is `known` or not, can surely be moved or converted to what `to` is given."""
    if isinstance(node, ast.Constant):
        return node.value == "cpu"
    if isinstance(node, ast.Attribute) and node.attr in ("device", "dtype") and model.tensor(node.value) is not None:
        return (known or node.attr == "device") and is_certain(model, node.value)
    return known and (model.tensor(node) is not None and is_certain(model, node))


def is_bound(model: FunctionModel, node: ast.Name) -> bool:
    """Whether a name surely has a value: that of a parameter, or of an assignment that has run."""
    definition = model.definition(node.id, node)
    made = definition.statement
    if definition.is_outer:
        arguments = getattr(model.scope.root, "args", None)
        return arguments is not None and any(
            isinstance(each, ast.arg) and each.arg == node.id for each in walk(arguments)
        )
    plain = isinstance(made, (ast.Assign, ast.AugAssign)) or (
        isinstance(made, ast.AnnAssign) and made.value is not None
    )
    return plain and not model.scope.shares(node.id)


def is_scalar(model: FunctionModel, node: ast.Name) -> bool:
    """Whether a name surely holds a tensor of one element, as it was made."""
    tensor = model.tensor(node)
    return tensor is not None and tensor.ndim == 0 and is_bound(model, node) and is_unchanged(model, node.id, node)
