"""Places in a triangle of ones, which depend on its sizes alone: from a function whose shape is known."""

from __future__ import annotations

import ast
from typing import NamedTuple

from breaklint.analysis.mutation import is_stable
from breaklint.analysis.purity import is_pure
from breaklint.analysis.queries import Proof, known
from breaklint.analysis.shapes import operation
from breaklint.analysis.sizes import is_count
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.values import Const
from breaklint.project.scope import single_target
from breaklint.project.walking import walk

FINDING = ("nonzero", "argwhere")
# No schema says that a function gives the elements in their order.
FLAT = frozenset({"flatten", "view", "reshape"})
LARGEST = 2**62  # of a diagonal: beyond 64 bits the two raise or wrap around differently
NEAR = 2**31  # of a diagonal; the sizes are below that as well
FAR = "of a diagonal of nearly 64 bits the two give other places, or raise"
WHY_TRIANGLE = "which elements of a triangle of ones are not zero depends on its sizes alone"


class Triangle(NamedTuple):
    """What makes a triangle of ones: `triu` or `tril`, its sizes, which diagonal, and where."""

    name: str
    rows: ast.expr
    columns: ast.expr
    diagonal: ast.expr | None
    device: ast.expr | None


@fix("triangle-indices")
def triangle_indices(m: Match) -> Steps:
    """`torch.ones(n, m).triu().nonzero()` -> `torch.triu_indices(n, m).t()`, flattened or not."""
    request, call = m.request, m.request.node
    listed = operation(request, call) if isinstance(call, ast.Call) and not call.keywords else None
    if not isinstance(call, ast.Call) or listed is None or listed[0] not in FINDING or len(listed[1]) != 1:
        raise NotFixable
    made = _behind(request, listed[1][0])
    flat = operation(request, made) if isinstance(made, ast.Call) and not made.keywords else None
    whole = made
    if flat is not None and flat[0] in FLAT:
        whole = _behind(request, flat[1][0])
        if not _is_flat(request, flat[0], flat[1][1:], whole):
            raise NotFixable
    found = _triangle(request, whole)
    if found is None:
        raise NotFixable
    parts = (found.rows, found.columns, found.diagonal, found.device)
    moved = [part for part in parts if part is not None and part not in set(walk(call))]
    if not all(is_stable(request, part, call) for part in moved):
        raise NotFixable
    rows, columns, diagonal, device = (request.text(part) if part is not None else "" for part in parts)
    name, sizes = found.name, [rows, columns]
    torch, imports = request.name_of("torch")
    arguments = ", ".join([*sizes, *([diagonal] if diagonal else []), *([f"device={device}"] if device else [])])
    indexes = f"{torch}.{name}_indices({arguments})"
    message = f"Use `torch.{name}_indices`"
    yield Proof(WHY_TRIANGLE)
    yield known(found.diagonal is None or _is_near(request, found.diagonal), FAR)
    if whole is made:
        return m.exchanged(call, f"{indexes}.t()", message, *imports)
    statement = request.statement()
    target = single_target(statement)
    if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign) or statement.value is not call:
        raise NotFixable
    own = target.id
    if any(isinstance(part, ast.Name) and part.id == own for part in walk(found.columns)):
        raise NotFixable  # the second line would read it from the indexes
    place = f"({own}[0] * {sizes[-1]} + {own}[1]).unsqueeze(0).t()"
    return m.put(statement, f"{own} = {indexes}\n{own} = {place}", message, *imports)


def _behind(request: FixRequest, node: ast.expr) -> ast.expr:
    """The expression that a name stands for, when it is read here alone, under the same default device."""
    if not isinstance(node, ast.Name):
        return node
    made = request.definition(node.id, node)
    later = [load for load in request.scope.loads(node.id) if load is not node]
    if made.value is None or later or len(request.scope.stores(node.id)) != 1:
        return node
    place = request.scope.block(request.statement())
    together = place is not None and made.statement in place[0]
    return made.value if together and "set_default_device" not in request.module.text else node


def _triangle(request: FixRequest, node: ast.expr) -> Triangle | None:
    """The sizes, diagonal and device of a triangle of ones."""
    split = operation(request, node) if isinstance(node, ast.Call) else None
    if split is None or split[0] not in ("triu", "tril") or len(split[1]) > 2 or not isinstance(node, ast.Call):
        return None
    ones = split[1][0]
    if not isinstance(ones, ast.Call) or request.qualified(ones.func) != "torch.ones":
        return None
    options = {keyword.arg: keyword.value for keyword in ones.keywords}
    if len(ones.args) != 2 or options.keys() - {"device"} or not all(_is_size(request, size) for size in ones.args):
        return None
    told = {keyword.arg: keyword.value for keyword in node.keywords}
    moved = split[1][1] if len(split[1]) == 2 else told.get("diagonal")
    if told.keys() - {"diagonal"} or (moved is not None and not _is_offset(request, moved)):
        return None
    return Triangle(split[0], ones.args[0], ones.args[1], moved, options.get("device"))


def _is_offset(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is an integer so small that no operation with a size leaves 64 bits."""
    value = request.value(node)
    if isinstance(value, Const):
        return type(value.value) is int and abs(value.value) < LARGEST
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _is_offset(request, node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _is_offset(request, node.left) and _is_offset(request, node.right)
    return _is_size(request, node)


def _is_size(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is a number that is not negative: a size as a tensor has it, under a name that stays."""
    if isinstance(node, ast.Name) and not isinstance(request.value(node), Const):
        made = request.definition(node.id, node).value
        return len(request.scope.stores(node.id)) == 1 and made is not None and _is_size(request, made)
    return is_count(request, node) and is_pure(request, node)


def _is_near(request: FixRequest, node: ast.expr) -> bool:
    """Whether a diagonal is surely no number of nearly 64 bits: a constant, or what tensors count."""
    value = request.value(node)
    if isinstance(value, Const):
        return isinstance(value.value, int) and abs(value.value) <= NEAR
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_near(request, node.operand)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Sub)) and all(
            _is_near(request, each) for each in (node.left, node.right)
        )
    return is_count(request, node)


def _is_flat(request: FixRequest, name: str, sizes: list[ast.expr], whole: ast.expr) -> bool:
    """Whether `flatten()`, `view(-1)` or `reshape(n * m)` makes one dimension of a triangle."""
    found = _triangle(request, whole)
    if found is None or (name == "flatten") != (not sizes) or len(sizes) > 1:
        return False
    if not sizes:
        return True
    rows, columns = request.text(found.rows), request.text(found.columns)
    product = [f"{rows} * {columns}", f"{columns} * {rows}", "-1"]
    return request.text(sizes[0]) in product
