"""An assert in the form that Dynamo keeps in the graph."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.conditions import as_tensor
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.rewrite import Change, quoted
from breaklint.project.syntax import leaves, negated, text_of

UNSAFE = "If the assertion fails, the compiled model raises RuntimeError with a shorter message."
TRUE = "a non-empty tuple is always true; delete its parentheses to assert the first item"
KEPT = "this form stays in the graph, except in a loop before torch 2.13"


def _is_asked_in_python(test: ast.expr) -> bool:
    """Whether the form of a condition makes Python ask for the truth of what is inside it."""
    return [*leaves(test)] != [test] or (isinstance(test, ast.Compare) and len(test.ops) > 1)


@fix("tensor-assert", unsafe=UNSAFE)
def tensor_assert(m: Match) -> Draft:
    """`assert not x.any(), f"{x}"` → `assert ~x.any(), "…"`."""
    request, statement = m.request, m.request.statement()
    if not isinstance(statement, ast.Assert):
        raise NotFixable("it is not the condition of an assert")
    test, message = statement.test, statement.msg
    changes: list[Change] = [request.exchange(test, _asserted(request, test))] if _is_asked_in_python(test) else []
    if message is not None and text_of(message) is None:
        changes.append(request.exchange(message, _literal(message)))
    m.require(bool(changes) or not isinstance(test, ast.Tuple), TRUE)
    m.require(bool(changes) or request.tensor(test) is not None, "the asserted value is not a tensor")
    m.require(bool(changes), KEPT)
    return Draft("Assert a tensor, with a literal message", (*changes,))


def _asserted(request: FixRequest, test: ast.expr) -> str:
    inner = negated(test)
    tensor = request.tensor(inner) if inner is not None else None
    if inner is not None and tensor is not None and tensor.dtype == "bool" and tensor.ndim == 0:
        return f"~{request.operand(inner)}"
    return as_tensor(request, test)


def _literal(message: ast.expr) -> str:
    """The text of an f-string before its first value, as the source of a string; raises NotFixable if it does not end
    there ("the size has to be equal to")."""
    if not isinstance(message, ast.JoinedStr):
        raise NotFixable("its message is computed")
    text = " ".join((text_of(message.values[0]) or "").split())
    sentences, stop, _ = text.rpartition(". ")
    whole = f"{sentences}." if stop else text.rstrip(" :,;=(-")
    if not whole or whole == text:
        raise NotFixable("its message needs a value")
    return quoted(whole)
