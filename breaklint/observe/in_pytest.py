"""`pytest --breaklint-observe`: the same as `breaklint observe -- pytest`, from within pytest."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from breaklint.calls.running import INJECT
from breaklint.lint.config import load_settings
from breaklint.observe.collect import collect, summary, wait
from breaklint.observe.place import PLACE
from breaklint.observe.raw import VARIABLE
from breaklint.observe.run import announce, recording, write


class Session:
    """A run of pytest that is observed, with all processes that it starts."""

    def __init__(self, budget: float) -> None:
        self._root = Path(load_settings(Path.cwd()).root or Path.cwd())
        self._stack = ExitStack()
        self._plan = self._stack.enter_context(recording(self._root, budget))
        self._before = {name: os.environ.get(name) for name in (VARIABLE, "PYTHONPATH")}
        announce(self._plan, os.environ)
        _injector().wait()

    def finish(self, progress: Callable[[str], None]) -> list[str]:
        """Wait for the replays, write the profile, and say in lines what was observed."""
        for name, value in self._before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        with self._stack:
            wait(self._plan, progress)
            observed = collect(self._plan)
        if not observed.profile.functions:
            return [*observed.notes, "nothing was observed: no call of a module, nor of what is compiled"]
        place = self._root / PLACE
        write(observed.profile, place)
        return [*observed.notes, f"{summary(observed)}; see {place}"]


def _injector() -> Any:
    spec = importlib.util.spec_from_file_location("breaklint_inject", INJECT / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
