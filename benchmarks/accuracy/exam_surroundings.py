"""The environment of the cases: the start of imports, and replacements for packages that are not installed."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import os
import sys
from pathlib import Path
from unittest.mock import MagicMock

import torch

with contextlib.suppress(RuntimeError):  # a wheel of torchvision for CUDA: its Python needs the operators' names
    torch.library.define("torchvision::nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    torch.library.define("torchvision::qnms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

torch.Tensor.cuda = lambda self, *_, **__: self  # type: ignore[method-assign]  # papers' code calls it on any machine


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Replaces packages that only data sets, drawing and training loops need."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, fullname, path=None, target=None):
        """A spec, if the module is one of those that are not there."""
        here = any(f"{fullname}.".startswith(f"{name}.") for name in self.names)
        return importlib.util.spec_from_loader(fullname, self) if here else None

    def create_module(self, spec):
        """A mock that supports any use."""
        return MagicMock(__path__=[], __spec__=spec, __file__=None)

    def exec_module(self, module):
        """Nothing is to be run."""


def absent(*names: str) -> None:
    """Let imports of modules succeed that are not installed."""
    sys.meta_path.insert(0, Absent(names))


def inside(*parts: str) -> None:
    """Put a folder of a repository first on the import path, and forget modules imported from others."""
    root = Path(sys.argv[2])
    here = str(root.joinpath(*parts))
    places = {name: place_of(module, f"{root}{os.sep}") for name, module in sys.modules.items()}
    for name, place in places.items():
        if place.startswith(f"{root}{os.sep}") and not place.startswith(here + os.sep):
            del sys.modules[name]
    sys.path[:] = [here, *(entry for entry in sys.path if not entry.startswith(f"{root}{os.sep}"))]


def place_of(module, root: str) -> str:
    """The file of a module, or the folder of a package without one."""
    try:
        place = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", [])), "")
    except KeyError:  # the rest of a package whose import failed
        return root
    return place if isinstance(place, str) else ""
