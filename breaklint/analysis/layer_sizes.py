"""Attributes that are sizes of layers: integers that are not negative, since the layer could not be made otherwise."""

from __future__ import annotations

import ast

from breaklint.analysis import attributes
from breaklint.analysis.model import FunctionModel
from breaklint.project.module import ClassInfo
from breaklint.project.syntax import own_attribute
from breaklint.project.walking import walk

# Whose first arguments are sizes of features; schemas say nothing of modules.
LAYERS = frozenset(f"torch.nn.{name}" for name in "Linear LSTM GRU RNN LSTMCell GRUCell RNNCell".split())


def is_layer_size(model: FunctionModel, node: ast.expr) -> bool:
    """Whether `self.size` is the argument of a constructor that makes a layer of it, and never anything else."""
    name = own_attribute(node)
    classes = [cls for cls in model.project.mro(model.cls) if isinstance(cls, ClassInfo)] if model.cls and name else []
    stored = [(cls, part) for cls in classes for part in walk(cls.node) if attributes.stores(part, name)]
    if len(stored) != 1 or stored[0][0].module is not model.module:
        return False
    made = attributes.constructor(stored[0][0])
    body = made.body if made is not None else []
    given = next((each.value for each in body if isinstance(each, ast.Assign) and stored[0][1] in each.targets), None)
    return isinstance(given, ast.Name) and _is_kept(body, given.id) and _makes_layer(model, body, given.id)


def _is_kept(body: list[ast.stmt], name: str) -> bool:
    """Whether a parameter keeps the value that it was given."""
    parts = (part for statement in body for part in walk(statement))
    return not any(isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store) for part in parts)


def _makes_layer(model: FunctionModel, body: list[ast.stmt], name: str) -> bool:
    """Whether a layer with that size is made whatever happens."""
    made = [each.value for each in body if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call)]
    return any(
        model.qualified(call.func) in LAYERS
        and any(isinstance(argument, ast.Name) and argument.id == name for argument in call.args[:2])
        for call in made
        if isinstance(call, ast.Call)
    )
