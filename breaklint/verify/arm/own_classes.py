"""Values of a target's own classes, of which each load of its files makes others."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Collection
from functools import reduce
from typing import Any

import torch
from torch.utils._pytree import tree_leaves


class Pickler(pickle.Pickler):
    """Writes a class as its name, though its module may have been loaded again since."""

    def reducer_override(self, obj: Any) -> Any:
        """A class that is not what its module holds now."""
        if isinstance(obj, type) and (module := sys.modules.get(obj.__module__)) is not None:
            names = obj.__qualname__.split(".")
            if "<locals>" not in names and reduce(_part, names, module) is not obj:
                return _class, (obj.__module__, obj.__qualname__)
        return NotImplemented


dump, dumps, load, loads, Unpickler = pickle.dump, pickle.dumps, pickle.load, pickle.loads, pickle.Unpickler
"""What `torch.save` asks of a module that pickles."""


class _Writer(Pickler):
    def __init__(self, file: io.BytesIO, tensors: list[torch.Tensor]) -> None:
        super().__init__(file)
        self._tensors = tensors

    def persistent_id(self, obj: Any) -> int | None:
        if not isinstance(obj, torch.Tensor):
            return None
        self._tensors.append(obj)
        return len(self._tensors) - 1


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, tensors: list[torch.Tensor]) -> None:
        super().__init__(file)
        self._tensors = tensors

    def persistent_load(self, pid: int) -> torch.Tensor:
        return self._tensors[pid]


def holds_own(tree: Any, modules: Collection[str]) -> bool:
    """Is a part of it an object of a class from these modules?"""
    kinds = {type(leaf) for leaf in tree_leaves(tree)}
    return any(kind.__module__ in modules for kind in kinds)


def renewed(tree: Any) -> Any:
    """The same values, of the classes as they were loaded last; themselves where they cannot be pickled."""
    file, tensors = io.BytesIO(), list[torch.Tensor]()
    try:
        _Writer(file, tensors).dump(tree)
        file.seek(0)
        return _Reader(file, tensors).load()
    except Exception:  # noqa: BLE001 - a class of the target may raise anything
        return tree


def _part(holder: Any, name: str) -> Any:
    return getattr(holder, name, None)


def _class(module: str, name: str) -> Any:
    return reduce(_part, name.split("."), sys.modules[module])
