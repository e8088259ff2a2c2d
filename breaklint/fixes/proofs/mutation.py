"""Whether a value is the same where it is used as where it is defined: nothing in between changes it or its name.

A change may come through an alias, a view, a function that the value is passed to, a function inside this one, or the
turn of a loop before. So only places that cannot change it are let pass: those that compute from it.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.purity import only_read
from breaklint.interp.values import constant_kind
from breaklint.project.walking import walk

SEEING = frozenset({"locals", "vars", "dir", "eval", "exec"})
# What shows the names of a function to others: its frame.
FRAMES = ("_getframe", "f_locals", "currentframe", "tb_frame", "settrace", "setprofile", "inspect.stack")
# Builtins that read an iterator to its end.
EXHAUSTING = frozenset(f"builtins.{name}" for name in "all any dict list max min set sorted sum tuple".split())
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_unchanged(request: FixRequest, name: str, at: ast.AST) -> bool:
    """Whether a local name still holds at a node what its last definition before gave it, unchanged."""
    if request.scope.shares(name) or sees_names(request):
        return False
    inside = set(walk(at))
    loads = (load for load in request.scope.loads(name) if load not in inside and _may_run_before(request, load, at))
    return all(only_read(request, load) for load in loads)


def keeps_dtype(request: FixRequest, name: str, at: ast.AST) -> bool:
    """Whether a local tensor, whose elements may change, is the same tensor of the same dtype and shape at a node."""
    if request.scope.shares(name) or sees_names(request):
        return False
    loads = (load for load in request.scope.loads(name) if _may_run_before(request, load, at))
    return all(only_read(request, load) or _is_indexed(request, load) for load in loads)


def _is_indexed(request: FixRequest, load: ast.Name) -> bool:
    """Whether a place stores into a tensor by an index."""
    around = request.scope.parent(load)
    return isinstance(around, ast.Subscript) and around.value is load and not isinstance(around.ctx, ast.Load)


def is_stable(request: FixRequest, node: ast.expr, later: ast.AST) -> bool:
    """Whether an expression of names has the same value at a later node as where it stands."""
    for part in walk(node):
        if isinstance(part, ast.Name):
            here, there = (request.scope.definition(part.id, at).statement for at in (part, later))
            same = here is there and not request.scope.shares(part.id) and not sees_names(request)
            plain = constant_kind(request.value(part)) in ("int", "float", "bool", "str")
            if not same or not (plain or is_unchanged(request, part.id, later)):
                return False
        elif isinstance(part, ast.Attribute) and part.attr not in ("shape", "size", "dim", "device"):
            return False
    return True


def sees_names(request: FixRequest) -> bool:
    """Whether the function asks for its local names, runs text that may use them, or the file looks into frames."""
    return any(request.scope.loads(name) for name in SEEING) or _looks_into_frames(request.module.text)


@lru_cache(maxsize=4)
def _looks_into_frames(text: str) -> bool:
    return any(word in text for word in FRAMES)


def _may_run_before(request: FixRequest, load: ast.AST, at: ast.AST) -> bool:
    """Whether a place may be reached before a node: it stands before it, in a loop with it, or one of the two runs when
    somebody calls it."""
    place, other = ((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)) for node in (load, at))
    if place < other or _runs_later(request, load) or _runs_later(request, at):
        return True
    loops = {around for around in request.scope.parents(at) if isinstance(around, LOOPS)}
    return any(around in loops for around in request.scope.parents(load))


def _runs_later(request: FixRequest, node: ast.AST) -> bool:
    """Whether a node stands in a function inside this one, or in a generator that nothing exhausts on the spot."""
    lazy = (around for around in request.scope.parents(node) if isinstance(around, ast.GeneratorExp))
    return request.scope.is_inner(node) or any(not _is_exhausted(request, each) for each in lazy)


def _is_exhausted(request: FixRequest, generator: ast.GeneratorExp) -> bool:
    call = request.scope.parent(generator)
    return isinstance(call, ast.Call) and generator in call.args and request.qualified(call.func) in EXHAUSTING
