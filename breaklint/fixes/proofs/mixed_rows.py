"""Statements that see selected rows: whether they may compute otherwise when the other rows stand beside them.

What they call is not looked into: a fix that relies on this has to name it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.walking import walk

# No schema says that an operator leaves the elements of other rows alone once it has a dimension to work along.
ALONG = frozenset(
    "all amax amin any argmax argmin argsort cumprod cumsum log_softmax logsumexp max mean median min nansum norm "
    "normalize prod softmax sort std sum topk unbind unique var".split()
)
MIXING = frozenset(
    "T addmm baddbmm bincount bmm cdist count_nonzero cov corrcoef einsum flatten flip histc mT mm mv nonzero numel "
    "outer permute pinverse roll rot90 scatter scatter_add t tolist transpose trace triu tril".split()
)
JOINING = frozenset("cat chunk concat split squeeze stack tensor_split unsqueeze".split())
SHAPING = frozenset("reshape unflatten view".split())
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
                _check_part(part, held)
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


def _check_part(part: ast.Call | ast.Attribute | ast.Subscript | ast.BinOp, held: set[str]) -> None:
    """Calls of functions and modules are taken to act on each row alone; operators are not unless they say so."""
    if isinstance(part, ast.BinOp):
        if isinstance(part.op, ast.MatMult) and _names(part.right) & held:
            raise NotFixable(MIXED)
        return
    if isinstance(part, ast.Attribute):
        if part.attr in MIXING and _names(part.value) & held:
            raise NotFixable(MIXED)
        return
    if isinstance(part, ast.Subscript):
        shape = isinstance(part.value, ast.Attribute) and part.value.attr == "shape"
        counted = shape and ast.unparse(part.slice) not in ("-1", "1") and _names(part.value) & held
        cut = isinstance(part.value, ast.Name) and part.value.id in held and not _keeps_rows(part.slice)
        if counted or cut:
            raise NotFixable(MIXED)
        return
    called = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
    if not _names(part) & held:
        return
    sized = called == "size" and [ast.unparse(each) for each in part.args] not in (["-1"], ["1"])
    mixes = called in MIXING or sized or called in ("len", "matmul") or (called in ALONG and not _is_along(part))
    if mixes or (called in JOINING and not _is_along(part)) or (called in SHAPING and not _keeps_first(part)):
        raise NotFixable(MIXED)


def _keeps_rows(index: ast.expr) -> bool:
    """`[:, 0]`, `[..., ::2]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    return isinstance(first, ast.Slice | ast.Constant) and _is_whole(first) and ast.unparse(first) != "None"


def _keeps_first(call: ast.Call) -> bool:
    """`h.view(-1, n)`, with as many rows as there are."""
    first = call.args[0] if call.args else None
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
