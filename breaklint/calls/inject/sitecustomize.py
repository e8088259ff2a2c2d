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
OBSERVER = "breaklint.calls.in_place"
LISTENERS = {
    "BREAKLINT_CAPTURE": (("torch", "breaklint.calls.saving", "install"),),
    "BREAKLINT_OBSERVE": (("torch", OBSERVER, "install"), ("torch._dynamo", OBSERVER, "with_dynamo")),
}
"""By the variable that asks for it: after the import of which module, which function of which module is called."""


class WaitFor(MetaPathFinder):
    """Lets a module be imported as usual, and calls a function once it has been."""

    def __init__(self, variable: str, awaited: str, listener: str, function: str) -> None:
        self._variable, self._awaited, self._listener, self._function = variable, awaited, listener, function

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """The usual spec of the module, with a loader that does one thing more."""
        if fullname != self._awaited:
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
                    listen(self._listener, self._function)
                except Exception as error:  # noqa: BLE001 - the import goes on: the process belongs to the user
                    sys.stderr.write(f"breaklint does not listen to this process: {type(error).__name__}: {error}\n")

            spec.loader.exec_module = execute_and_listen  # type: ignore[method-assign]
        return spec


def listen(listener: str, function: str) -> None:
    """Import the listener and call its function, also where breaklint is not installed."""
    if importlib.util.find_spec("breaklint") is None:
        package = sys.modules["breaklint"] = types.ModuleType("breaklint")
        package.__path__ = [PACKAGE]
    getattr(importlib.import_module(listener), function)()


def wait() -> None:
    """Wait for the modules that the environment names; imported modules are handled at once."""
    for variable, listeners in LISTENERS.items():
        for listener in listeners if variable in os.environ else ():
            if listener[0] in sys.modules:
                listen(*listener[1:])
            else:
                sys.meta_path.insert(0, WaitFor(variable, *listener))


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
