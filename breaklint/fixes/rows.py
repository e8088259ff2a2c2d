"""Loops over the rows of a tensor whose body acts on every element alike: written for all rows at once."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from breaklint.analysis.places import span_of, text_at
from breaklint.fixes.base import DISPLAY, UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.likeness import operation
from breaklint.fixes.purity import is_pure
from breaklint.model import Span

ELEMENTWISE = frozenset("relu sigmoid tanh exp log sin cos abs neg sqrt square gelu silu erf".split())
REDUCED = {"sum": "sum", "mean": "mean", "amax": "amax", "amin": "amin", "max": "amax", "min": "amin"}
WHY = (
    "an empty batch gives an empty result where stack raises, the result lies in memory as the tensor does, and after "
    "a change of it in place backward may raise"
)
WHY_REDUCED = "; a reduction rounds in another order"
WHY_FLAT = " and raises for a tensor of one dimension"
MESSAGE = "Compute all rows at once"


MAPPED = "torch.vmap does not take every function"


class NotPointwise(NotFixable):
    """The body may be more than an operation on each element."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What a loop runs over: the tensor, and the name of its row or of the place of the row."""

    tensor: ast.expr
    name: str
    by_index: bool


def vectorise_rows(request: FixRequest) -> Outcome:
    """`torch.stack([f(row) for row in x])` -> `f(x)`, and the same with a list that a loop appends to."""
    around = request.scope.parent(request.node)
    if isinstance(around, ast.comprehension):
        return _comprehension(request, around)
    if isinstance(around, ast.For) and around.iter is request.node:
        return _loop(request, around)
    raise NotFixable("it is no `for` loop or comprehension")


def _comprehension(request: FixRequest, loop: ast.comprehension) -> Outcome:
    row = request.scope.parent(loop)
    if not isinstance(row, (ast.ListComp, ast.GeneratorExp)) or len(row.generators) != 1 or loop.ifs or loop.is_async:
        raise NotFixable("the comprehension does more than compute something for every row")
    stack = request.scope.parent(row)
    if not isinstance(stack, ast.Call) or not _stacks(request, stack, row):
        raise NotFixable("its results are not stacked again")
    rows = _rows(request, loop.target, loop.iter)
    try:
        return request.replace(stack, *_all_at_once(request, row.elt, rows))
    except NotPointwise as reason:
        if rows.by_index or not is_pure(request, row.elt):
            raise
        torch, _ = request.name_of("torch")
        content = f"{torch}.vmap(lambda {rows.name}: {request.text(row.elt)})({request.text(rows.tensor)})"
        return request.replace(
            stack, content, Verdict(DISPLAY, f"{reason}; {MAPPED}", f"Map over the rows: `{content}`")
        )


def _loop(request: FixRequest, loop: ast.For) -> Outcome:
    """`rows = []`, a loop that only appends, and a stack of `rows` right behind it."""
    place = request.scope.block(loop)
    if place is None or place[1] == 0 or place[1] + 1 >= len(place[0]) or loop.orelse:
        raise NotFixable("it does not fill a list that is stacked right behind it")
    before, after = place[0][place[1] - 1], place[0][place[1] + 1]
    name, appended = _appended(loop)
    end = loop.end_lineno or loop.lineno
    if isinstance(loop.target, ast.Name) and any(read.lineno > end for read in request.scope.loads(loop.target.id)):
        raise NotFixable(f"`{loop.target.id}` is used behind the loop")
    if not _starts_empty(before, name):
        raise NotFixable(f"`{name}` is not made empty right before the loop")
    end = after.end_lineno or after.lineno
    early = [read for read in request.scope.loads(name) if read.lineno <= end]
    renewed = isinstance(after, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in after.targets
    )
    late = len(request.scope.loads(name)) > len(early) and not renewed
    stacks = [
        call
        for call in ast.walk(after)
        if isinstance(call, ast.Call) and call.args and _stacks(request, call, call.args[0])
    ]
    stacks = [call for call in stacks if isinstance(call.args[0], ast.Name) and call.args[0].id == name]
    if len(stacks) != 1 or len(early) != 2 or late or not isinstance(after, (ast.Assign, ast.Return)):
        raise NotFixable("its results are not just stacked right behind it")
    content, verdict = _all_at_once(request, appended, _rows(request, loop.target, loop.iter))
    outer, inner = span_of(request.module, after), span_of(request.module, stacks[0])
    head, tail = (text_at(request.module, Span(*ends)) for ends in ((outer.start, inner.start), (inner.end, outer.end)))
    fitting = content if after.value is stacks[0] else f"({content})"
    return request.rewrite(before, after, f"{head}{fitting}{tail}", verdict)


def _appended(loop: ast.For) -> tuple[str, ast.expr]:
    statement = loop.body[0]
    if len(loop.body) == 1 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
            and len(call.args) == 1
        ):
            return call.func.value.id, call.args[0]
    raise NotFixable(
        "its body does more than append to a list: state that one turn hands to the next cannot be computed at once"
    )


def _starts_empty(statement: ast.stmt, name: str) -> bool:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target, value = statement.targets[0], statement.value
    return isinstance(target, ast.Name) and target.id == name and isinstance(value, ast.List) and not value.elts


def _stacks(request: FixRequest, call: ast.Call, rows: ast.AST) -> bool:
    """Whether a call is `torch.stack(rows)` along the first dimension."""
    if request.qualified(call.func) != "torch.stack" or not call.args or call.args[0] is not rows:
        return False
    dims = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    return all(isinstance(dim, ast.Constant) and dim.value == 0 for dim in dims)


def _rows(request: FixRequest, target: ast.expr, iterated: ast.expr) -> Rows:
    if not isinstance(target, ast.Name):
        raise NotFixable("it runs over more than one tensor")
    if request.tensor(iterated) is not None:
        if not is_pure(request, iterated):
            raise NotFixable("what it runs over may do more than give a value")
        return Rows(iterated, target.id, False)
    tensor = _counted(request, iterated)
    if tensor is None:
        raise NotFixable("it does not run over all rows of one tensor")
    return Rows(tensor, target.id, True)


def _counted(request: FixRequest, iterated: ast.expr) -> ast.expr | None:
    """The tensor `x` of `range(len(x))`, `range(x.shape[0])` or `range(x.size(0))`."""
    if (
        not isinstance(iterated, ast.Call)
        or request.qualified(iterated.func) != "builtins.range"
        or len(iterated.args) != 1
    ):
        return None
    count = iterated.args[0]
    found: ast.expr | None = None
    if isinstance(count, ast.Name):
        count = request.scope.definition(count.id, iterated).value or count
    where = count
    if isinstance(count, ast.Subscript) and isinstance(count.value, ast.Attribute) and count.value.attr == "shape":
        found = count.value.value if _is_zero(count.slice) else None
    elif isinstance(count, ast.Call) and isinstance(count.func, ast.Attribute) and count.func.attr == "size":
        found = count.func.value if len(count.args) == 1 and _is_zero(count.args[0]) else None
    elif isinstance(count, ast.Call) and request.qualified(count.func) == "builtins.len" and len(count.args) == 1:
        found = count.args[0]
    if not isinstance(found, ast.Name) or request.tensor(found) is None:
        return None
    # The size may have been taken of what the name stood for earlier.
    same = request.scope.definition(found.id, where).statement is request.scope.definition(found.id, iterated).statement
    return found if same else None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and not isinstance(node.value, bool)


def _all_at_once(request: FixRequest, body: ast.expr, rows: Rows) -> tuple[str, Verdict]:
    part = _body(request, body, rows)
    if part.of == "":
        raise NotFixable("its body does not use the row")
    why = WHY
    if part.of == "number":
        why += WHY_REDUCED + ("" if _is_matrix(request, rows) else WHY_FLAT)
    return f"{part.text}.clone()" if _is_row(body, rows) else part.text, Verdict(UNSAFE, why, MESSAGE)


def _is_matrix(request: FixRequest, rows: Rows) -> bool:
    tensor = request.tensor(rows.tensor)
    return tensor is not None and tensor.ndim == 2


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the body written for all rows. `of`: what of a row it is: its elements, one number, "" for neither."""

    text: str
    of: str = ""


def _body(request: FixRequest, node: ast.expr, rows: Rows) -> Part:
    """The body for all rows; raises NotFixable when it does not treat every row, and every element of it, alike."""
    if _is_row(node, rows):
        return Part(request.operand(rows.tensor), "elements")
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return Part(request.text(node))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
        return _between(request, node, rows)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _body(request, node.operand, rows)
        return Part(f"-({inner.text})" if isinstance(node.operand, ast.BinOp) else f"-{inner.text}", inner.of)
    split = operation(request, node) if isinstance(node, ast.Call) and not node.keywords else None
    if isinstance(node, ast.Call) and split is not None and len(split[1]) == 1:
        return _applied(request, node, split[0], split[1][0], rows)
    raise NotPointwise("its body is not known to act on every element alike")


def _applied(request: FixRequest, node: ast.Call, name: str, argument: ast.expr, rows: Rows) -> Part:
    inner = _body(request, argument, rows)
    plain = isinstance(argument, (ast.Call, ast.Name, ast.Subscript))
    receiver = inner.text if plain else f"({inner.text})"
    if name in REDUCED and inner.of == "elements":
        flat = "" if _is_matrix(request, rows) else ".flatten(1)"
        return Part(f"{receiver}{flat}.{REDUCED[name]}(dim=1)", "number")
    if name not in ELEMENTWISE:
        raise NotPointwise("its body is not known to act on every element alike")
    return Part(f"{request.text(node.func)}({inner.text})" if node.args else f"{receiver}.{name}()", inner.of)


def _between(request: FixRequest, node: ast.BinOp, rows: Rows) -> Part:
    """A binary operation: the source between the operands is kept as it is, parentheses included."""
    left, right = (_body(request, side, rows) for side in (node.left, node.right))
    if left.of and right.of and left.of != right.of:
        raise NotFixable("its body combines a row with a number of that row, which broadcast differently for all rows")
    whole, inner = span_of(request.module, node), [span_of(request.module, side) for side in (node.left, node.right)]
    head, middle, tail = (
        text_at(request.module, Span(start, end))
        for start, end in ((whole.start, inner[0].start), (inner[0].end, inner[1].start), (inner[1].end, whole.end))
    )
    return Part(f"{head}{left.text}{middle}{right.text}{tail}", left.of or right.of)


def _is_row(node: ast.expr, rows: Rows) -> bool:
    if not rows.by_index:
        return isinstance(node, ast.Name) and node.id == rows.name
    same = isinstance(node, ast.Subscript) and ast.dump(node.value) == ast.dump(rows.tensor)
    return same and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id == rows.name
