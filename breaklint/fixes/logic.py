"""Conditions as tensors: and, or, not and chained comparisons in operators that stay in the graph; asserts."""

from __future__ import annotations

import ast
from itertools import pairwise

from breaklint.fixes.base import UNSAFE, FixRequest, NotFixable, Outcome, Verdict
from breaklint.fixes.purity import is_pure
from breaklint.model import Applicability, Fix

SKIPPED = "every part of the condition is computed, and one that was skipped may raise or warn"


def whole_condition(request: FixRequest) -> ast.expr:
    """The outermost logical expression around the flagged operand."""
    node = request.node
    assert isinstance(node, ast.expr)
    around = request.scope.parent(node)
    while isinstance(around, ast.BoolOp) or (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)):
        node, around = around, request.scope.parent(around)
    return node


def as_tensor(request: FixRequest, node: ast.expr) -> str:
    """The source of a condition as a 0-dim bool tensor; raises NotFixable where it is not known to be one."""
    torch, _ = request.name_of("torch")
    if isinstance(node, ast.BoolOp):
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        if not all(is_pure(request, operand) for operand in node.values[1:]):
            raise NotFixable("an operand may do more than give a value, and all of them would be computed")
        text = as_tensor(request, node.values[0])
        for operand in node.values[1:]:
            text = f"{torch}.{name}({text}, {as_tensor(request, operand)})"
        return text
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"{torch}.logical_not({as_tensor(request, node.operand)})"
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return _chain(request, node, torch)
    return _single(request, node)


def _single(request: FixRequest, node: ast.expr) -> str:
    tensor = request.tensor(node)
    if tensor is None:
        raise NotFixable(f"the condition `{request.text(node)}` is not known to be a tensor")
    if tensor.ndim not in (0, None):
        raise NotFixable(f"the condition `{request.text(node)}` has dimensions, and may hold more than a single value")
    text = request.text(node) if tensor.ndim == 0 else f"{request.operand(node)}.reshape(())"
    if tensor.dtype == "bool":
        return text
    return f"{request.operand(node) if tensor.ndim == 0 else text} != 0"


def may_skip(test: ast.expr) -> bool:
    """Whether Python leaves parts of a condition out, depending on the others."""
    return any(isinstance(part, ast.BoolOp) for part in ast.walk(test))


def may_hold_more(request: FixRequest, node: ast.expr) -> bool:
    """Whether a part of a condition is a tensor that is not known to be a single value, and so is reshaped to one."""
    if isinstance(node, ast.BoolOp):
        return any(may_hold_more(request, operand) for operand in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return may_hold_more(request, node.operand)
    tensor = request.tensor(node)
    return tensor is not None and tensor.ndim is None


def _chain(request: FixRequest, node: ast.Compare, torch: str) -> str:
    """`a < b < c` as `torch.logical_and(a < b, b < c)`."""
    sides = [node.left, *node.comparators]
    if not all(is_pure(request, side) for side in sides):
        raise NotFixable("a side of the comparison may do more than give a value, and would be computed twice")
    if request.tensor(node) is None or not _each_pair(request, sides):
        raise NotFixable("not every pair of the chained comparison is known to hold a single-valued tensor")
    signs = [SIGNS[type(op)] for op in node.ops]
    pairs = [
        f"{_side(request, a)} {sign} {_side(request, b)}" for a, sign, b in zip(sides, signs, sides[1:], strict=False)
    ]
    text = pairs[0]
    for pair in pairs[1:]:
        text = f"{torch}.logical_and({text}, {pair})"
    return text


SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def _side(request: FixRequest, node: ast.expr) -> str:
    return request.text(node) if isinstance(node, (ast.Constant, ast.BinOp)) else request.operand(node)


def _each_pair(request: FixRequest, sides: list[ast.expr]) -> bool:
    tensors = [request.tensor(side) for side in sides]
    if any(tensor is not None and tensor.ndim != 0 for tensor in tensors):
        return False
    return all(a is not None or b is not None for a, b in pairwise(tensors))


def _is_asked_in_python(test: ast.expr) -> bool:
    """Whether the form of a condition makes Python ask for the truth of what is inside it."""
    return (
        isinstance(test, ast.BoolOp)
        or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))
        or (isinstance(test, ast.Compare) and len(test.ops) > 1)
    )


def tensor_assert(request: FixRequest) -> Outcome:
    """An assert in the form that Dynamo keeps in the graph: a tensor, and a literal message."""
    statement = request.statement()
    if not isinstance(statement, ast.Assert):
        raise NotFixable("it is not the condition of an assert")
    why = request.rule.fix_why + (f"; {SKIPPED}" if may_skip(statement.test) else "")
    verdict = Verdict(UNSAFE, why, "Assert a tensor, with a literal message")
    edits: tuple[Fix, ...] = ()
    if _is_asked_in_python(statement.test):
        edits += (request.replace(statement.test, _asserted(request, statement.test), verdict),)
    message = statement.msg
    if message is not None and not (isinstance(message, ast.Constant) and isinstance(message.value, str)):
        edits += (request.replace(message, literal(message), verdict),)
    if not edits and isinstance(statement.test, ast.Tuple):
        raise NotFixable("a tuple that holds something is always true: without its parentheses the first is asserted")
    if not edits and request.tensor(statement.test) is None:
        raise NotFixable("what it asserts is no tensor")
    if not edits:
        raise NotFixable("it has the form that stays in the graph, which it does not in a loop before torch 2.13")
    return Fix(Applicability.UNSAFE, verdict.message, verdict.why, tuple(edit for fix in edits for edit in fix.edits))


def _asserted(request: FixRequest, test: ast.expr) -> str:
    inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    tensor = request.tensor(inner) if inner is not None else None
    if inner is not None and tensor is not None and tensor.dtype == "bool" and tensor.ndim == 0:
        return f"~{request.operand(inner)}"
    return as_tensor(request, test)


def literal(message: ast.expr) -> str:
    """The fixed part of an f-string, as the source of a string; raises NotFixable where there is none."""
    if not isinstance(message, ast.JoinedStr):
        raise NotFixable("its message is computed")
    parts = [part.value for part in message.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    text = " ".join(" ".join(part.strip() for part in parts).split()).rstrip(" :,;=(-").replace(" )", ")")
    if not text:
        raise NotFixable("nothing of its message is a literal")
    quoted = repr(text)
    return quoted if '"' in text else f'"{quoted[1:-1]}"'.replace("\\'", "'")
