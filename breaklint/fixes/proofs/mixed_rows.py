"""Statements that see selected rows: whether they may compute otherwise when the other rows stand beside them.

What they call is not looked into: a fix that relies on this has to name it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.walking import walk

# No schema says of these that an operator leaves the rows alone: at all, along a dimension that is not the first, and
# as long as the rows stay the first dimension.
KEEPING = frozenset(
    "bfloat16 clone contiguous detach dim double dropout float glu half index_add_ layer_norm linear rms_norm to type "
    "type_as".split()
)
# Along a dimension that is not the first (no schema says what `dim` leaves alone).
ALONG = frozenset(
    "all amax amin any argmax argmin argsort cat chunk concat cumprod cumsum log_softmax logsumexp max mean median min "
    "normalize prod softmax sort split squeeze stack std sum tensor_split topk unsqueeze var".split()
)
# Where the first size is that of the rows (no schema ties sizes to dimensions).
SHAPING = frozenset("reshape unflatten view".split())
# Attributes that show or move the first dimension: the facts give their rank alone.
TURNED = frozenset("H T mH mT shape".split())
MIXED = "what is done with the selected rows may mix or count them"


def check_apart(request: FixRequest, statements: Iterable[ast.stmt], names: Iterable[str], rows: str) -> None:
    """Raise NotFixable where rows are counted, mixed or moved as far as the statements show.

    Args:
        request: the finding.
        statements: those behind the one that selects.
        names: what that binds.
        rows: the one of them that holds places of rows.
    """
    held, indices = set(names), set(names)
    for statement in statements:
        for part in walk(statement):
            if isinstance(part, ast.Name) and part.id in indices and isinstance(part.ctx, ast.Load):
                _check_index(request, part, rows)
            elif isinstance(part, ast.Call | ast.Attribute | ast.Subscript | ast.BinOp):
                _check_part(request, part, held)
            elif isinstance(part, ast.If | ast.IfExp) and _names(part.test) & held:
                raise NotFixable("a branch asks the selected rows")
        if isinstance(statement, ast.Assign | ast.AugAssign) and _names(statement.value) & held:
            held |= {
                part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }


def _check_index(request: FixRequest, name: ast.Name, rows: str) -> None:
    """Places take rows (`x[rows]`, `x[None, rows]`, `w[rows, i, None]`), or say where to add."""
    around = request.scope.parent(name)
    func = around.func if isinstance(around, ast.Call) and name in around.args else None
    if isinstance(func, ast.Attribute) and func.attr == "index_add_" and name.id == rows:
        return
    parts = around.elts if isinstance(around, ast.Tuple) else [name]
    if isinstance(around, ast.Tuple):
        around = request.scope.parent(around)
    plain = all(each in parts and (isinstance(each, ast.Name) or _is_whole(each)) for each in parts)
    if not isinstance(around, ast.Subscript) or name is around.value or not plain:
        raise NotFixable("the places of the selected rows are used for more than to take rows")


def _is_whole(node: ast.expr) -> bool:
    all_of_it = isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None
    return all_of_it or (isinstance(node, ast.Constant) and node.value in (None, Ellipsis))


def _check_part(request: FixRequest, part: ast.expr, held: set[str]) -> None:
    """Modules and functions of the program are taken to act on each row alone; operators are not unless it is known."""
    mixes = False
    if isinstance(part, ast.BinOp):
        mixes = isinstance(part.op, ast.MatMult) and bool(_names(part.right) & held)
    elif isinstance(part, ast.Attribute) and part.attr in TURNED and _names(part.value) & held:
        around = request.scope.parent(part)
        index = ast.unparse(around.slice) if isinstance(around, ast.Subscript) and around.value is part else ""
        mixes = part.attr != "shape" or index not in ("-1", "1")
    elif isinstance(part, ast.Subscript):
        cut = isinstance(part.value, ast.Name) and part.value.id in held
        mixes = cut and not _keeps_rows(part.slice)
    elif isinstance(part, ast.Call) and _names(part) & held:
        mixes = not _acts_on_rows(request, part, held)
    if mixes:
        raise NotFixable(MIXED)


def _acts_on_rows(request: FixRequest, call: ast.Call, held: set[str]) -> bool:
    """Whether a call that takes rows is known to leave each to itself, as far as an operator of torch is called."""
    func, name = call.func, request.qualified(call.func)
    method = isinstance(func, ast.Attribute) and bool(_names(func.value) & held)
    if not method and not name.startswith("torch."):
        return name != "builtins.len"
    short = func.attr if isinstance(func, ast.Attribute) else name.rpartition(".")[2]
    if short == "size":
        return [ast.unparse(each) for each in call.args] in (["-1"], ["1"])
    if short == "matmul":
        return not any(_names(each) & held for each in (call.args if method else call.args[1:]))
    if short == "where" and len(call.args) < 2:
        return False
    along = short in ALONG and _is_along(call)
    pointwise = request.facts.is_pointwise(short) and not request.facts.is_random(short)
    return pointwise or along or short in KEEPING or (short in SHAPING and _keeps_first(call, method))


def _keeps_rows(index: ast.expr) -> bool:
    """`[:, 0]`, `[..., ::2]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return isinstance(first, ast.Slice | ast.Constant) and _is_whole(first) and ast.unparse(first) != "None"


def _keeps_first(call: ast.Call, method: bool) -> bool:
    """`h.view(-1, n)`, with as many rows as there are."""
    sizes = call.args if method else call.args[1:]
    first = sizes[0] if sizes else None
    first = first.elts[0] if isinstance(first, ast.Tuple) and first.elts else first
    return first is not None and ast.unparse(first) == "-1"


def _is_along(call: ast.Call) -> bool:
    """Whether a call names a dimension that is not the first: a literal other than 0."""
    named = [each.value for each in call.keywords if each.arg in ("dim", "axis")]
    given = named or call.args[-1:]
    texts = [ast.unparse(each) for each in _parts(given)]
    return bool(texts) and all(text.lstrip("-").isdigit() and text not in ("0", "-0") for text in texts)


def _parts(nodes: list[ast.expr]) -> Iterator[ast.expr]:
    for node in nodes:
        yield from node.elts if isinstance(node, ast.Tuple | ast.List) else [node]


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}
