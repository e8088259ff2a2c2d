"""What proofs take for granted of tensors and calls, unless the file itself shows otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from breaklint.analysis.file_index import file_index
from breaklint.analysis.model import FunctionModel
from breaklint.analysis.shown import (
    BACKWARD,
    CONJUGATE,
    FORWARD,
    HOOKED,
    NESTED,
    OTHERWISE,
    OWN_CLASS,
    REPARTED,
    SCRIPTED,
    TRACED,
    TRANSFORMED,
    WARNED,
)
from breaklint.interp.callables import Function, Method
from breaklint.interp.containers import Container
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.values import ExternalName, Shape, Tensor
from breaklint.project.walking import walk

# What matters to the safe fixes of some kinds: those that ask for no element of a tensor, or for sizes alone.
CONCERNS = {
    "drop-gradient": (OWN_CLASS, FORWARD, HOOKED, REPARTED, TRACED),
    "drop-variable": (OWN_CLASS, FORWARD, HOOKED, REPARTED, TRACED),
    "saved-tensors": (WARNED,),
    "math-function": (OWN_CLASS, NESTED, TRANSFORMED, TRACED, SCRIPTED),
}


DATA = Tensor | Container | Shape


def not_granted(model: FunctionModel, kind: str) -> list[str]:
    """What a file shows for which the proofs of a fix do not hold."""
    granted = concerns(model, kind)
    return [what for what in file_index(model.module).shown if what in granted]


def concerns(model: FunctionModel, kind: str) -> tuple[str, ...]:
    """What the proofs of a fix of some kind take for granted that no file shows."""
    calls, hooked = _calls_modules(model), getattr(model.scope.root, "name", "") in ("forward", "__call__")
    left_out = {*(() if calls or hooked else (HOOKED,)), *(() if calls else (REPARTED,))}
    left_out |= set() if kind == "new-empty" else {CONJUGATE}
    asked = tuple(what for what in CONCERNS.get(kind, (*OTHERWISE, REPARTED)) if what not in left_out)
    if kind == "saved-tensors" and model.cls is not None:
        asked += (BACKWARD.format(model.cls.name.rpartition(".")[2]),)
    return (*asked, SCRIPTED) if _is_scripted(model) else asked


def _is_scripted(model: FunctionModel) -> bool:
    """Whether a decorator of torch.jit makes something else of the function of a finding."""
    decorators = getattr(model.scope.root, "decorator_list", [])
    names = (model.qualified(each.func if isinstance(each, ast.Call) else each) for each in decorators)
    return any(name.startswith("torch.jit.") for name in names)


def _calls_modules(model: FunctionModel) -> bool:
    """Whether the function of a finding, or the parts of it that matter, calls more than torch and builtins."""
    values, known = model.inference.values, model.module.derive(_OtherCallees, _OtherCallees)
    if model.parts is not None:
        called = [node.func for part in model.parts for node in walk(part) if isinstance(node, ast.Call)]
        around = ((part, model.scope.parent(part)) for part in model.parts)
        called += [part for part, call in around if isinstance(call, ast.Call) and call.func is part]
        others = _others(model, called)
    elif (root := model.scope.root) in known:
        others = known[root]
    else:
        others = known[root] = _others(model, [node.func for node in walk(root) if isinstance(node, ast.Call)])
    return not all(_is_of_torch(values, values.get(each, UNKNOWN), set()) for each in others)


def _others(model: FunctionModel, called: Iterable[ast.expr]) -> list[ast.expr]:
    return [each for each in called if not model.qualified(each).startswith(("builtins.", "torch."))]


class _OtherCallees(dict[ast.AST, list[ast.expr]]):
    """What the functions of a file call that no name says to be a builtin or torch's."""


def _is_of_torch(values: Mapping[ast.AST, Value], callee: Value, seen: set[ast.AST]) -> bool:
    """Whether a call runs no module: of torch, of a tensor or row, or of a function that makes such calls alone."""
    for each in options(callee):
        if isinstance(each, Function):
            node = each.info.node
            called = [] if node in seen else [part.func for part in walk(node) if isinstance(part, ast.Call)]
            seen.add(node)
            if each.info.decorators or not all(_is_of_torch(values, values.get(one, UNKNOWN), seen) for one in called):
                return False
        elif not isinstance(each, ExternalName) and not (isinstance(each, Method) and isinstance(each.owner, DATA)):
            return False
    return True
