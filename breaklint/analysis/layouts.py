"""Whether a tensor is surely no sparse one, which torch.where refuses, or surely one of floating numbers: by how it is
made, or because a condition raises for any other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.shapes import of_one_tensor, operation
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
# Measured as well: of integers and truths these raise.
FLOATING_ALONE = frozenset("mean nanmean std var".split())
# Of whole numbers these give whole numbers, or raise.
KEEPING_WHOLE = frozenset({"abs", "detach", "neg"})


def is_floating(model: FunctionModel, node: ast.Name, test: ast.expr) -> bool:
    """Whether a tensor surely holds floating or complex numbers where a condition has been computed."""
    value = model.value(node)
    return isinstance(value, Tensor) and (
        value.dtype == "float" or _refused(model, node, test, FLOATING_ALONE, KEEPING_WHOLE)
    )


def is_dense(model: FunctionModel, node: ast.expr, test: ast.expr) -> bool:
    """Whether a tensor is surely strided where a condition has been computed: it is made so, or computed from such
    tensors alone, or the condition raises for any other."""
    if not isinstance(model.value(node), Tensor):
        return True
    if isinstance(node, ast.Name):
        made = model.definition(node.id, node)
        dense = made.value is not None and is_dense(model, made.value, test)
        return dense or _refused(model, node, test, REFUSING, KEEPING, REFUSING_COMPARED)
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


def _refused(
    model: FunctionModel,
    node: ast.Name,
    test: ast.expr,
    refusing: frozenset[str],
    keeping: frozenset[str],
    compared: frozenset[str] = frozenset(),
) -> bool:
    """Whether a condition computes one of some operators of the tensor of a name, or of what others keep of it; or one
    of `compared`, of a comparison of it with a number."""
    same = model.definition(node.id, node).version == model.definition(node.id, test).version
    for part in _computed(test) if same else ():
        name, tensor = of_one_tensor(model, part)
        operators = refusing
        if isinstance(tensor, ast.Compare) and constant_kind(model.value(tensor.comparators[0])) in ("int", "float"):
            tensor, operators = tensor.left, compared
        while name in operators and isinstance(tensor, ast.Call):
            kept, inner = of_one_tensor(model, tensor)
            if kept not in keeping:
                break
            tensor = inner
        if name in operators and isinstance(tensor, ast.Name) and tensor.id == node.id:
            return True
    return False


def _is_number(model: FunctionModel, node: ast.BinOp) -> bool:
    """Whether a side of an operation is a number that is not zero."""
    values = [model.value(side) for side in (node.left, node.right)]
    return any(isinstance(value, Const) and bool(value.value) for value in values)
