"""Names of selected elements, and masks with later uses."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import is_pure, only_read
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.values import Tensor
from breaklint.project.walking import walk

MORE = "the selected elements are used for more than a sum or mean"


def held_name(request: FixRequest, statement: ast.Assign) -> str:
    """The name of selected elements, if all its later uses read these and no other value."""
    target = statement.targets[0]
    if len(statement.targets) != 1 or not isinstance(target, ast.Name):
        raise NotFixable(MORE)
    # The last stores first: one of them decides, and there may be thousands.
    others = (store for store in reversed(request.scope.stores(target.id)) if store is not target)
    later = any(request.values.may_precede(target, store) for store in others)
    place = request.scope.block(statement)
    if later or place is None or place[0] is not getattr(request.scope.root, "body", None):
        raise NotFixable(f"`{target.id}` has other values as well, so that some uses do not see the selected elements")
    request.own_loads(target.id)
    return target.id


def stays_the_same(request: FixRequest, mask: ast.expr, statement: ast.Assign) -> None:
    """Raise NotFixable unless a mask has one value at all its uses after a statement."""
    if not is_pure(request, mask) or not all(_is_kept(request, part, statement) for part in walk(mask)):
        raise NotFixable("breaklint cannot infer that the mask does not change before its next use")


def _is_kept(request: FixRequest, part: ast.AST, statement: ast.stmt) -> bool:
    """Whether a part of an expression is neither a tensor nor a name that changes after a statement."""
    if isinstance(part, (ast.Attribute, ast.Subscript)):
        return not isinstance(request.value(part), Tensor)
    if not isinstance(part, ast.Name):
        return True
    if any(request.values.may_precede(statement, store) for store in reversed(request.scope.stores(part.id))):
        return False
    own = set(walk(statement))
    late = [
        load for load in request.scope.loads(part.id) if load not in own and request.values.may_precede(statement, load)
    ]
    plain = not isinstance(request.value(part), Tensor)
    return plain or all(only_read(request, load) or _selects(request, load) for load in late)


def _selects(request: FixRequest, load: ast.Name) -> bool:
    """Whether a name is the mask of `x[mask]`."""
    enclosing = request.scope.parent(load)
    return isinstance(enclosing, ast.Subscript) and enclosing.slice is load and isinstance(enclosing.ctx, ast.Load)
