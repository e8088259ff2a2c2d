"""Python runs this at the start of every process that `breaklint capture` starts: wait for torch, then listen to it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec

HERE = os.path.dirname(os.path.abspath(__file__))
VERIFY = os.path.dirname(os.path.dirname(HERE))


class WaitForTorch(MetaPathFinder):
    """Lets torch be imported as usual, and starts recording once it has been."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """The usual spec of torch, with a loader that does one thing more."""
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_listen(module: types.ModuleType) -> None:
                execute(module)
                listen()

            spec.loader.exec_module = execute_and_listen  # type: ignore[method-assign]
        return spec


def listen() -> None:
    """Import the recorder, also where breaklint is not installed."""
    if importlib.util.find_spec("breaklint") is None:
        for name, folder in (("breaklint", os.path.dirname(VERIFY)), ("breaklint.verify", VERIFY)):
            package = types.ModuleType(name)
            package.__path__ = [folder]
            sys.modules[name] = package
    importlib.import_module("breaklint.verify.capture.recorder").install()


def run_the_next_one() -> None:
    """The sitecustomize that this one hides."""
    sys.path[:] = [folder for folder in sys.path if folder != HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


if "BREAKLINT_CAPTURE" in os.environ:
    sys.meta_path.insert(0, WaitForTorch())
run_the_next_one()
