"""Places that NumPy chooses at random, to index tensors: chosen by torch, which is traced."""

from __future__ import annotations

import ast
from itertools import islice

from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Draft, Match, Steps, fix
from breaklint.fixes.rewrite import Put, Replaced
from breaklint.interp.values import Tensor, constant_kind
from breaklint.project.scope import single_name

WHY = (
    "the places come from another generator, which `np.random.seed` does not set, and of more places than there are it "
    "gives all instead of raising"
)
OTHER = (
    "neither Python nor torch draws such numbers in a form that is traced; torch.randperm and torch.multinomial choose "
    "among the items of a tensor"
)


@fix("permutations")
def permutations(m: Match) -> Steps:
    """`np.random.choice(n, k, replace=False)`, `np.random.permutation(n)` -> `torch.randperm(n)[:k]`."""
    request, call = m.request, m.request.call
    name = single_name(request.scope.parent(call))
    yield required(name is not None or _is_index(request, call), OTHER)
    edits: list[Replaced | Put] = _named(request, name) if name is not None else [_edit(request, call)]
    yield Doubt(WHY)
    return Draft("Choose with `torch.randperm`", (*request.name_of("torch")[1], *edits))


def _named(request: FixRequest, name: str) -> list[Replaced | Put]:
    """The edits of all draws that a name gets, where it is only sorted and used as an index."""
    stores = [request.scope.parent(store) for store in request.scope.stores(name)]
    drawn = [store.value if isinstance(store, ast.Assign) else None for store in stores]
    edits: list[Replaced | Put] = [_edit(request, each) for each in drawn]
    for load in request.scope.loads(name):
        sorting = _sorted(request, load)
        if sorting is not None:
            edits.append(Put(sorting, sorting, f"{name} = {name}.sort().values"))
        elif not _is_index(request, load):
            raise NotFixable(OTHER)
    return edits


def _sorted(request: FixRequest, load: ast.Name) -> ast.Expr | None:
    """The statement `places.sort()` around a name."""
    call = next(islice(request.scope.parents(load), 1, None), None)
    found = request.matched(call, "{places}.sort()")
    statement = request.scope.parent(call) if call is not None and found == {"places": load} else None
    return statement if isinstance(statement, ast.Expr) else None


def _is_index(request: FixRequest, node: ast.expr) -> bool:
    """Whether places are read from a tensor: `x[places]`, `x[:, places]`."""
    around = request.scope.parent(node)
    around = request.scope.parent(around) if isinstance(around, ast.Tuple) else around
    read = isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Load) and around.value is not node
    return read and isinstance(around, ast.Subscript) and isinstance(request.value(around.value), Tensor)


def _edit(request: FixRequest, call: ast.expr | None) -> Replaced:
    name = request.qualified(call.func) if isinstance(call, ast.Call) else ""
    if not isinstance(call, ast.Call) or name not in ("numpy.random.choice", "numpy.random.permutation"):
        raise NotFixable(OTHER)
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    size = call.args[1] if len(call.args) == 2 else given.pop("size", None)
    replace = given.pop("replace", None)
    again = not isinstance(replace, ast.Constant) or replace.value is not False
    if given or not call.args or len(call.args) > 2 or (name == "numpy.random.choice" and (size is None or again)):
        raise NotFixable(OTHER)
    if not all(_is_whole(request, part) for part in (call.args[0], size) if part is not None):
        raise NotFixable("how many places there are is not known to be an integer")
    torch, _ = request.name_of("torch")
    content = f"{torch}.randperm({request.code(call.args[0])})"
    return Replaced(call, content if size is None else f"{content}[:{request.code(size)}]")


def _is_whole(request: FixRequest, node: ast.expr) -> bool:
    return constant_kind(request.value(node)) == "int"
