"""Python runs this at the start of every process of a command that is listened to: wait for torch, then listen."""

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
PACKAGE = os.path.dirname(os.path.dirname(HERE))
LISTENERS = {"BREAKLINT_CAPTURE": "breaklint.calls.saving", "BREAKLINT_OBSERVE": "breaklint.calls.in_place"}
"""By environment variable: the module whose `install` is called after the import of torch."""


class WaitFor(MetaPathFinder):
    """Lets torch be imported as usual, and installs the listener of a variable after that."""

    def __init__(self, variable: str) -> None:
        self._variable = variable

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """The usual spec of torch, with a loader that does one thing more."""
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_listen(module: types.ModuleType) -> None:
                execute(module)
                if self._variable not in os.environ:
                    return
                try:
                    listen(self._variable)
                except Exception as error:  # noqa: BLE001 - the import goes on: the process belongs to the user
                    sys.stderr.write(f"breaklint does not listen to this process: {type(error).__name__}: {error}\n")

            spec.loader.exec_module = execute_and_listen  # type: ignore[method-assign]
        return spec


def listen(variable: str) -> None:
    """Install the listener, even if breaklint is not installed there."""
    if importlib.util.find_spec("breaklint") is None:
        package = sys.modules["breaklint"] = types.ModuleType("breaklint")
        package.__path__ = [PACKAGE]
    importlib.import_module(LISTENERS[variable]).install()


def wait() -> None:
    """Wait for torch if the environment names a listener; if torch is imported, listen at once."""
    for variable in LISTENERS:
        if variable in os.environ and "torch" in sys.modules:
            listen(variable)
        elif variable in os.environ:
            sys.meta_path.insert(0, WaitFor(variable))


def run_the_next_one() -> None:
    """The sitecustomize that this one hides."""
    sys.path[:] = [folder for folder in sys.path if folder != HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        importlib.import_module("sitecustomize")
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


if __name__ == "sitecustomize":
    wait()
    run_the_next_one()
