"""Results of torch in concrete runs (in_turn.py): tensors with sizes, layers with settings.

Dynamo compares the sizes of parameters and buffers, and the settings of layers, by their values.
"""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp import in_turn
from breaklint.interp.arguments import Arguments
from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.frame import Frame
from breaklint.interp.iteration import items_of
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, ExternalInstance, Tensor, constant_kind
from breaklint.torchops.names import is_setting

FACTORIES: Final = frozenset(f"torch.{name}" for name in "ones zeros rand randn empty full randint arange".split())
_JOINING: Final = frozenset(("torch.cat", "torch.concat", "torch.concatenate"))
_FIXED: Final = frozenset("p eps momentum delta label_smoothing".split())  # floats that are specialized
_SAME: Final = frozenset("clone detach contiguous cpu cuda to float half double bfloat16 requires_grad_".split())


def by_torch(name: str, arguments: Arguments, value: Value) -> Value:
    """The result of a function or class of torch, with its sizes or settings if they are known."""
    if isinstance(value, ExternalInstance):
        is_layer = value.cls.startswith("torch.nn.")
        return _with_settings(value, _settings(value.cls, arguments)) if is_layer else value
    if not isinstance(value, Tensor) or value.sizes is not None:
        return value
    sizes = _joined_sizes(arguments) if name in _JOINING else _likes(arguments) if name.endswith("_like") else None
    return _with_sizes(value, sizes_of(arguments) if name in FACTORIES else sizes)


def by_method(owner: Tensor, name: str, value: Value) -> Value:
    """The result of a method of a tensor, with the tensor's sizes if the method keeps them."""
    return _with_sizes(value, owner.sizes) if isinstance(value, Tensor) and name in _SAME else value


def sizes_of(arguments: Arguments) -> tuple[int, ...] | None:
    """The sizes that are passed to a tensor factory, None if not all are known."""
    keyword = arguments.kwargs.get("size")
    rows = [value for value in ([keyword] if keyword else arguments.args) if isinstance(value, (Tuple, Sequence))]
    values = items_of(rows[0]) if rows else arguments.args
    plain = [value.value for value in values or () if isinstance(value, Const)]
    sizes = tuple(size for size in plain if type(size) is int)
    return sizes if values and len(sizes) == len(values) and not arguments.starred else None


def store_setting(frame: Frame, target: ast.Attribute, layer: ExternalInstance, value: Value) -> None:
    """Store an attribute of a layer, `net.drop.p = 0.1`: the layer with the new setting replaces the old one."""
    if not isinstance(target.value, ast.Attribute) or not is_setting(layer.cls, target.attr):
        return
    owner, key = frame.eval(target.value.value), in_turn.key(value)
    if (
        isinstance(owner, Instance)
        and key is not None
        and not frame.uncertain
        and _counts(layer.cls, target.attr, value)
    ):
        rest = (item for item in layer.settings if item[0] != target.attr)
        changed = _with_settings(layer, frozenset((*rest, (target.attr, key))))
        frame.change(owner, target.value.attr, changed, strong=True)


def _with_sizes(value: Tensor, sizes: tuple[int, ...] | None) -> Tensor:
    return value if sizes is None else Tensor(value.dtype, len(sizes), value.assumed, value.role, sizes)


def _with_settings(layer: ExternalInstance, settings: frozenset[tuple[str, object]]) -> ExternalInstance:
    return ExternalInstance(layer.cls, layer.hooked, settings)


def _counts(layer: str, name: str, value: Value) -> bool:
    """Whether Dynamo compares a setting by its value: most floats become dynamic."""
    return constant_kind(value) != "float" or name in _FIXED or "Dropout" in layer


def _settings(layer: str, arguments: Arguments) -> frozenset[tuple[str, object]]:
    """The guarded arguments of a layer, by position or name; none if one of them is unknown."""
    items = [*((str(place), value) for place, value in enumerate(arguments.args)), *arguments.kwargs.items()]
    settings = [(name, in_turn.key(value)) for name, value in items if _counts(layer, name, value)]
    is_known = not arguments.starred and all(key is not None for _, key in settings)
    return frozenset(settings) if is_known else frozenset()


def _likes(arguments: Arguments) -> tuple[int, ...] | None:
    first = arguments.get(0, "input")
    return first.sizes if isinstance(first, Tensor) else None


def _joined_sizes(arguments: Arguments) -> tuple[int, ...] | None:
    """The sizes of a concatenation along a dimension, None if unknown."""
    row, dim = arguments.get(0, "tensors"), arguments.get(1, "dim") or Const(0)
    items = None if row is None else items_of(row)
    sizes = [list(item.sizes) for item in items or () if isinstance(item, Tensor) and item.sizes is not None]
    place = dim.value if isinstance(dim, Const) else None
    if not items or len(sizes) < len(items) or type(place) is not int:
        return None
    if any(len(each) != len(sizes[0]) or not -len(each) <= place < len(each) for each in sizes):
        return None
    result = sizes[0]
    result[place] = sum(each[place] for each in sizes)
    return tuple(result)
