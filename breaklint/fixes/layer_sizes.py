"""Attributes that are sizes of layers: integers that are not negative, since the layer could not be made otherwise."""

from __future__ import annotations

import ast

from breaklint.analysis.module import ClassInfo
from breaklint.fixes.base import FixRequest

LAYERS = frozenset(f"torch.nn.{name}" for name in "Linear LSTM GRU RNN LSTMCell GRUCell RNNCell".split())


def is_layer_size(request: FixRequest, node: ast.expr) -> bool:
    """Whether `self.size` is the argument of a constructor that makes a layer of it, and never anything else."""
    function = request.event.frame.function
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    if not own or not isinstance(node, ast.Attribute) or function is None or function.cls is None:
        return False
    classes = [cls for cls in request.event.frame.machine.project.mro(function.cls) if isinstance(cls, ClassInfo)]
    stores = [(cls, part) for cls in classes for part in ast.walk(cls.node) if _stores(part, node.attr)]
    if len(stores) != 1 or stores[0][0].module is not request.module:
        return False
    constructor = stores[0][0].methods.get("__init__")
    body = constructor.node.body if constructor is not None and isinstance(constructor.node, ast.FunctionDef) else []
    given = next((each.value for each in body if isinstance(each, ast.Assign) and stores[0][1] in each.targets), None)
    return isinstance(given, ast.Name) and _is_kept(body, given.id) and _makes_layer(request, body, given.id)


def _stores(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Attribute) and part.attr == name and not isinstance(part.ctx, ast.Load)


def _is_kept(body: list[ast.stmt], name: str) -> bool:
    """Whether a parameter keeps the value that it was given."""
    parts = (part for statement in body for part in ast.walk(statement))
    return not any(isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store) for part in parts)


def _makes_layer(request: FixRequest, body: list[ast.stmt], name: str) -> bool:
    """Whether a layer with that size is made whatever happens."""
    made = [each.value for each in body if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call)]
    return any(
        request.qualified(call.func) in LAYERS
        and any(isinstance(argument, ast.Name) and argument.id == name for argument in call.args[:2])
        for call in made
        if isinstance(call, ast.Call)
    )
