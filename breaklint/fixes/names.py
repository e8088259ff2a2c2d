"""Whether the names that a finding rests on mean what the interpreter took them for."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from breaklint.analysis.file_scope import functions_around
from breaklint.fixes.base import FixRequest
from breaklint.interp.events import Call
from breaklint.project.project import BUILTINS
from breaklint.project.walking import dotted_name, walk
from breaklint.torchops.names import module_methods

TYPES = frozenset("bool complex float int object str".split())  # old names of NumPy, which files bring back
METHODS = ("torch.Tensor.", "torch.nn.Module.")
OF_SOURCE = frozenset({"numba", "taichi", "triton", "warp"})  # libraries whose decorators compile what they decorate


def unsure_name(request: FixRequest) -> str:
    """A name that the finding rests on and that may mean something else there, "" where there is none."""
    bindings, row = request.bindings, getattr(request.scope.root, "lineno", 0)
    unsure = {
        name for name in bindings.unsure_imports if bindings.is_ambiguous(name, row) and request.scope.loads(name)
    }
    unsure |= {name for name in request.scope.read_names if bindings.may_change(name, row)}
    found = min(unsure, default="") or _enclosing(request) or _replaced(request)
    node = request.node
    if not found and isinstance(request.event, Call) and request.event.target and not request.event.method:
        head = (dotted_name(node.func if isinstance(node, ast.Call) else node) or "").partition(".")[0]
        found = head if request.bindings.is_unsure(head, node, request.whole) else ""
    return found


def compiled_by(request: FixRequest) -> str:
    """The decorator that compiles the source around a finding, for which torch is no module; "" where there is none."""
    for around in request.whole.parents(request.node):
        for each in getattr(around, "decorator_list", ()):
            name = request.qualified(each.func if isinstance(each, ast.Call) else each)
            if name.partition(".")[0] in OF_SOURCE:
                return name
    return ""


def replaced_methods(request: FixRequest, written: Iterable[str]) -> set[str]:
    """Methods of tensors among names that a fix writes, which the file stores in what may be a tensor."""
    stored = {name.rpartition(".")[2] for name in request.bindings.replaced_elsewhere}
    return {name for name in stored.intersection(written) if request.facts.method(name) is not None}


def _enclosing(request: FixRequest) -> str:
    """A name of the file that a function around this one gives another value."""
    body = getattr(request.scope.root, "body", None)
    around = functions_around(body[0] if isinstance(body, list) else request.node, request.whole)
    for function, _ in around:
        for name in request.bindings.own(function) if function is not request.scope.root else ():
            if request.scope.loads(name) and (name in request.module.names or name in BUILTINS):
                return name
    return ""


def _replaced(request: FixRequest) -> str:
    """A function of torch, NumPy, `math` or the builtins, or a method of tensors, that the file replaces."""
    target = request.event.target if isinstance(request.event, Call) else ""
    for name in request.bindings.replaced_elsewhere:
        library, _, last = name.rpartition(".")
        if name.startswith(METHODS) and _is_added(request, name):
            continue
        known = name.startswith(METHODS) or request.facts.function(name) is not None or name == target
        plain = library == "numpy" and last not in TYPES
        if known or plain or library in ("builtins", "math", "copy"):
            return name
    return ""


def _is_added(request: FixRequest, name: str) -> bool:
    """Whether a method of all modules is one that torch does not give them, and the function does not name it."""
    library, _, method = name.rpartition(".")
    if library != "torch.nn.Module" or method in module_methods() or method.startswith("_"):
        return False
    return not any(isinstance(part, ast.Attribute) and part.attr == method for part in walk(request.scope.root))
