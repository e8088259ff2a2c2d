"""Whether a tensor is surely no sparse one, which torch.where refuses: by how it is made or what is computed of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.shapes import operation
from breaklint.interp.values import Const, Tensor, constant_kind
from breaklint.project.walking import walk

# Measured (tests/analysis/test_layouts.py): of a tensor that is not strided these raise, without further arguments.
REFUSING = frozenset(
    "all amax amin count_nonzero erfc exp exp2 log log10 log2 max mean median min nanmean nansum prod "
    "reciprocal rsqrt std var".split()
)
# Of such a tensor these raise too, or give another that is not strided.
KEEPING = frozenset("abs detach isfinite isinf isnan neg sign sqrt".split())
# Of one that is compared with a number, which only nested tensors are, these raise.
REFUSING_COMPARED = REFUSING | {"any", "sum"}


def is_dense(model: FunctionModel, node: ast.expr, test: ast.expr) -> bool:
    """Whether a tensor is surely strided where a condition has been computed: it is made so, or computed from such
    tensors alone, or the condition raises for any other."""
    if not isinstance(model.value(node), Tensor):
        return True
    if isinstance(node, ast.Name):
        made = model.definition(node.id, node)
        refused = made.version == model.definition(node.id, test).version and any(
            _refuses(model, part, node.id) for part in _computed(test)
        )
        return refused or (made.value is not None and is_dense(model, made.value, test))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and _is_number(model, node):
        return True  # of a sparse tensor and a number these raise
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        return all(is_dense(model, part, test) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
    if not isinstance(node, ast.Call) or any(keyword.arg in ("layout", None) for keyword in node.keywords):
        return False
    split = operation(model, node)
    if split is None or "sparse" in split[0]:
        return False
    refuses = split[0] in REFUSING and len(split[1]) == 1 and not node.keywords
    return refuses or all(is_dense(model, part, test) for part in split[1])


def _computed(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that are computed whatever they give; none where it binds names."""
    if any(isinstance(part, ast.NamedExpr) for part in walk(node)):
        return
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, ast.BoolOp):
            waiting.append(part.values[0])
        elif isinstance(part, ast.Compare):
            waiting += [part.left, part.comparators[0]]
        elif isinstance(part, (ast.UnaryOp, ast.BinOp, ast.Call)):
            waiting += [each for each in ast.iter_child_nodes(part) if isinstance(each, ast.expr)]
        elif isinstance(part, ast.Attribute):
            waiting.append(part.value)


def _refuses(model: FunctionModel, node: ast.expr, name: str) -> bool:
    """Whether a call raises unless the tensor of a name is strided."""
    split = operation(model, node) if isinstance(node, ast.Call) and not node.keywords else None
    if split is None or len(split[1]) != 1:
        return False
    tensor, refusing = split[1][0], REFUSING
    if isinstance(tensor, ast.Compare) and constant_kind(model.value(tensor.comparators[0])) in ("int", "float"):
        tensor, refusing = tensor.left, REFUSING_COMPARED
    return split[0] in refusing and _keeps(model, tensor, name)


def _keeps(model: FunctionModel, node: ast.expr, name: str) -> bool:
    """Whether an expression is the tensor of a name, or has its layout."""
    if isinstance(node, ast.Name):
        return node.id == name
    split = operation(model, node) if isinstance(node, ast.Call) and not node.keywords else None
    return split is not None and split[0] in KEEPING and len(split[1]) == 1 and _keeps(model, split[1][0], name)


def _is_number(model: FunctionModel, node: ast.BinOp) -> bool:
    """Whether a side of an operation is a number that is not zero."""
    values = [model.value(side) for side in (node.left, node.right)]
    return any(isinstance(value, Const) and bool(value.value) for value in values)
