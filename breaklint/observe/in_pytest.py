"""`pytest --breaklint-observe`: the same as `breaklint observe -- pytest`, from within pytest."""

from __future__ import annotations

import importlib.util
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from breaklint.calls.lines import VARIABLE
from breaklint.calls.running import INJECT, listening
from breaklint.lint.config import load_settings
from breaklint.observe.collect import collect, summary
from breaklint.observe.place import PLACE
from breaklint.observe.run import recording, write


class Session:
    """A run of pytest that is observed, with all processes that it starts."""

    def __init__(self) -> None:
        self._root = Path(load_settings(Path.cwd()).root or Path.cwd())
        self._stack = ExitStack()
        self._plan = self._stack.enter_context(recording(self._root))
        self._before = {name: os.environ.get(name) for name in (VARIABLE, "PYTHONPATH")}
        os.environ.update(listening(self._plan.environment()))
        _injector().wait()

    def finish(self) -> list[str]:
        """Write the profile, and return lines about it."""
        for name, value in self._before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        with self._stack:
            observed = collect(self._plan)
        if not observed.profile.functions:
            return [*observed.notes, "nothing was observed: no call of a module or of compiled code"]
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
