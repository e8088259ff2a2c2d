"""What a model keeps from one call to the next, besides its parameters.

Runs inside an arm's process.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

import torch

from breaklint.verify.arm.accuracy import is_unread
from breaklint.verify.arm.parts import PLAIN, parts

_MODULES_OWN = {name for name in vars(torch.nn.Module()) if name.startswith("_")}
MOST_PARTS = 10_000
"""An attribute of more parts than these is no state of a model."""
SMALL = 65536
"""Elements up to which a tensor that lies at the top level of a module is recorded."""


def kept(model: Any) -> dict[str, Any]:
    """What a module remembers from one call to the next: its buffers, and attributes of data.

    An object that many modules have, such as a configuration, is there once.
    """
    if not isinstance(model, torch.nn.Module):
        return {}
    held: dict[str, Any] = dict(model.named_buffers())
    seen = set[int]()
    for prefix, module in model.named_modules():
        for key, value in vars(module).items():
            if key not in _MODULES_OWN and id(value) not in seen and _is_data(value):
                held[f"{prefix}.{key}".lstrip(".")] = value
                seen |= set() if isinstance(value, (*PLAIN, torch.Tensor, tuple, list, dict)) else {id(value)}
    return held


def shared_data(model: Any) -> dict[str, Any]:
    """Data at the top level of the module that defines the model, and in its class: what calls leave there stays."""
    kind = type(model)
    module = sys.modules.get(kind.__module__ if isinstance(model, torch.nn.Module) else "")
    if module is None or module.__name__.startswith("torch."):
        return {}
    shared = {**vars(module), **{f"{kind.__name__}.{name}": value for name, value in vars(kind).items()}}
    return {name: value for name, value in shared.items() if "__" not in name and _is_data(value, SMALL)}


def _is_data(value: Any, largest: float = math.inf) -> bool:
    """Is all of it plain values, tensors of at most so many elements, and containers and objects of these?"""
    try:
        for number, (_, part) in enumerate(parts(value, "")):  # looked at before what it holds
            if number >= MOST_PARTS or not _is_recorded(part, largest):
                return False
    except Exception:  # noqa: BLE001 - a class of the target may raise anything when it is looked at
        return False
    return True


def _is_recorded(part: Any, largest: float) -> bool:
    if isinstance(part, torch.Tensor):
        return part.numel() <= largest
    if isinstance(part, Mapping):  # objects as keys would be told apart by where they lie
        return all(isinstance(key, (*PLAIN, tuple)) for key in part)
    return isinstance(part, type) or not is_unread(part)
