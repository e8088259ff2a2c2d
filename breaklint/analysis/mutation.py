"""Whether a value is the same where it is used as where it is defined: nothing in between changes it or its name.

A change may come through an alias, a view, a function that the value is passed to, a function inside this one, or the
turn of a loop before. So only places that cannot change it are let pass: those that compute from it.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.purity import only_read
from breaklint.project.walking import walk

SEEING = frozenset({"locals", "vars", "dir", "eval", "exec"})
# What shows the names of a function to others: its frame.
FRAMES = ("_getframe", "f_locals", "currentframe", "tb_frame", "settrace", "setprofile", "inspect.stack")


def is_unchanged(model: FunctionModel, name: str, at: ast.AST) -> bool:
    """Whether a local name still holds at a node what its last definition before gave it, unchanged."""
    if model.scope.shares(name) or sees_names(model):
        return False
    inside = set(walk(at))
    loads = (load for load in model.scope.loads(name) if load not in inside and model.flow.may_precede(load, at))
    return all(only_read(model, load) for load in loads)


def keeps_dtype(model: FunctionModel, name: str, at: ast.AST) -> bool:
    """Whether a local tensor, whose elements may change, is the same tensor of the same dtype and shape at a node."""
    if model.scope.shares(name) or sees_names(model):
        return False
    loads = (load for load in model.scope.loads(name) if model.flow.may_precede(load, at))
    return all(only_read(model, load) or _is_indexed(model, load) for load in loads)


def _is_indexed(model: FunctionModel, load: ast.Name) -> bool:
    """Whether a place stores into a tensor by an index."""
    around = model.scope.parent(load)
    return isinstance(around, ast.Subscript) and around.value is load and not isinstance(around.ctx, ast.Load)


def sees_names(model: FunctionModel) -> bool:
    """Whether the function asks for its local names, runs text that may use them, or the file looks into frames."""
    return any(model.scope.loads(name) for name in SEEING) or _looks_into_frames(model.module.text)


@lru_cache(maxsize=4)
def _looks_into_frames(text: str) -> bool:
    return any(word in text for word in FRAMES)
