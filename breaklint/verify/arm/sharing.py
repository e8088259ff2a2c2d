"""Which results of a call share memory, so that changing one in place changes another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch.utils._pytree import tree_leaves


def shared_memory(outputs: Iterable[torch.Tensor], inputs: Any, state: Mapping[str, torch.Tensor]) -> dict[str, str]:
    """With what the outputs share their storage: an input, a tensor of the module, or an earlier output."""
    given = [(f"input {index}", leaf) for index, leaf in enumerate(tree_leaves(inputs))]
    owners: dict[int, str] = {}
    for name, tensor in [*given, *state.items()]:
        owners.setdefault(_address(tensor), name)
    shared = {}
    for index, tensor in enumerate(outputs):
        address, name = _address(tensor), f"output {index}"
        if address and owners.setdefault(address, name) != name:
            shared[name] = owners[address]
    return shared


def _address(value: Any) -> int:
    """Where a tensor's memory begins; 0 for what has none of its own."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return 0
    try:
        return value.untyped_storage().data_ptr()
    except RuntimeError:  # subclasses that wrap other tensors
        return 0
