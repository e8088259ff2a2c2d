"""Whether an operator computes each row of a tensor alone, and leaves the rows along the first dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from breaklint.analysis.literals import integer, is_all
from breaklint.analysis.model import FunctionModel
from breaklint.project.scope import single_target

# No schema says of these that an operator leaves the rows alone, whatever else it does.
KEEPING = frozenset(
    "adaptive_avg_pool2d avg_pool2d bfloat16 clone contiguous conv1d conv2d conv3d detach dim double dropout float "
    "gelu half index_add_ interpolate layer_norm linear max_pool2d relu rms_norm to type type_as".split()
)
# Nor of these, along a dimension that is not the first.
ALONG = frozenset(
    "all amax amin any argmax argmin argsort cat chunk concat cumprod cumsum flatten glu log_softmax logsumexp max "
    "mean median min normalize prod softmax sort split squeeze stack std sum tensor_split topk transpose unflatten "
    "unsqueeze var".split()
)
LAST = frozenset("argsort glu normalize sort topk".split())  # of these, those that take a later dimension unless told
MOVED = frozenset("flatten squeeze transpose".split())  # of these, those of which -1 may be the first dimension
# Where the first size is that of the rows (no schema ties sizes to dimensions).
SHAPING = frozenset("reshape view".split())
DIMENSIONS = frozenset("axis dim dim0 dim1 start_dim".split())  # names of parameters


def leaves_rows(
    model: FunctionModel, name: str, tensor: ast.expr, given: list[ast.expr], keywords: list[ast.keyword]
) -> bool:
    """Whether an operator of this short name leaves each row to itself; `given` are its arguments behind the tensor of
    rows."""
    if name in ALONG:
        dims = [integer(each) for each in _flat(_dimensions(model, name, given, keywords))]
        return (bool(dims) or name in LAST) and all(dim and (dim > 0 or name not in MOVED) for dim in dims)
    parts = list(_flat(given[:1]))
    if name in SHAPING:
        return bool(parts) and (integer(parts[0]) == -1 or _counts_rows(model, parts[0], tensor))
    if name == "permute":
        return bool(parts) and integer(parts[0]) == 0
    if name == "pad":  # the last dimension alone, of which a tensor with rows has more
        return len(parts) == 2
    facts = model.facts
    pointwise = facts.is_pointwise(name) and not facts.is_inplace(name) and not facts.is_random(name)
    return pointwise or name in KEEPING


def _counts_rows(model: FunctionModel, node: ast.expr, tensor: ast.expr) -> bool:
    """Whether a size is `n` of `n, d = h.shape`, `h.shape[0]` or `h.size(0)`."""
    size = model.matched(node, "{t}.shape[0]", "{t}.size(0)", "len({t})")
    if isinstance(node, ast.Name):
        made = model.definition(node.id, node)
        target = single_target(made.statement)
        first = isinstance(target, ast.Tuple) and target.elts[0] is made.version
        size = model.matched(getattr(made.statement, "value", None), "{t}.shape", "{t}.size()") if first else None
    return size is not None and model.is_same(size["t"], tensor)


def _dimensions(
    model: FunctionModel, name: str, given: list[ast.expr], keywords: list[ast.keyword]
) -> Iterator[ast.expr]:
    """The arguments that say which dimension an operator works along."""
    yield from (each.value for each in keywords if each.arg in DIMENSIONS)
    for library, behind in (("torch.Tensor", 0), ("torch", 1), ("torch.nn.functional", 1)):
        signature = model.facts.signature(f"{library}.{name}")
        for place, argument in enumerate(given) if signature is not None else ():
            parameter = signature.parameter(place + behind) if signature is not None else None
            if parameter is not None and not DIMENSIONS.isdisjoint(parameter.names):
                yield argument
        if signature is not None:
            return


def takes_all_rows(index: ast.expr) -> bool:
    """Whether an index takes all of the first dimension, or of several: `[:, 0]`, `[..., ::2]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return is_all(first) or (isinstance(first, ast.Constant) and first.value is Ellipsis)


def _flat(nodes: Iterable[ast.expr]) -> Iterator[ast.expr]:
    for node in nodes:
        yield from node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
