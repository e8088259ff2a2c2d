"""Records the first calls of flagged modules while the user's own script runs. Lives in the script's process.

Whatever goes wrong here must not disturb the script: it is noted and reported at the end.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from breaklint.calls.files import CallNote, own_code, write_call, write_note, write_target
from breaklint.calls.freeze import Freezer, TooLarge
from breaklint.calls.layout import VARIABLE
from breaklint.calls.listening import Call, Listening, file_of
from breaklint.calls.portable import NotPortable


def install() -> None:
    """Listen to every call of a module from now on."""
    Listening(Recorder(**json.loads(os.environ[VARIABLE])).call)


class Recorder:
    """Decides which calls to keep.

    Args:
        out: the folder for targets.
        budget: bytes of tensors a target may take.
        calls: how many calls of a target to keep.
        flagged: file and qualified name of the classes that have findings.
        names: classes the user requested, by name, or by module and name.
        parents: also keep the outermost module that holds a flagged one.
    """

    def __init__(
        self, out: str, budget: int, calls: int, flagged: Sequence[Sequence[str]], names: Sequence[str], parents: bool
    ) -> None:
        self._out, self._budget, self._calls, self._parents = Path(out), budget, calls, parents
        self._flagged, self._names = {(file, name) for file, name in flagged}, set(names)
        self._files: dict[type, list[str]] = {}
        self._records: dict[type, tuple[torch.nn.Module, Path | None, int]] = {}
        self._local = threading.local()

    def call(self, call: Call, module: torch.nn.Module, args: Any, kwargs: Any, depth: int) -> Any:
        """Save the arguments if the call is wanted, then make it."""
        if not torch.compiler.is_compiling() and not getattr(self._local, "busy", False):
            self._local.busy = True
            try:
                self._consider(module, args, kwargs, outermost=depth == 0)
            except Exception as error:  # noqa: BLE001 - the script must go on, whatever its modules hold
                self._give_up(module, f"{type(error).__name__}: {error}")
            finally:
                self._local.busy = False
        return call(module, *args, **kwargs)

    def _consider(self, module: torch.nn.Module, args: Any, kwargs: Any, outermost: bool) -> None:
        kind = type(module)
        record = self._records.get(kind)
        if record is not None:
            first, folder, calls = record
            if first is module and folder is not None and calls < self._calls:
                self._keep_call(kind, folder, calls, args, kwargs)
                self._records[kind] = first, folder, calls + 1
            return
        files = self._files_of(kind)
        if not files and self._parents and outermost:
            files = sorted({file for inner in module.modules() for file in self._files_of(type(inner))})
        if files:
            self._records[kind] = module, self._keep(module, args, kwargs, files), 1

    def _files_of(self, kind: type) -> list[str]:
        """The files of the flagged classes that a class is or inherits from; its own if the user requested it."""
        if kind not in self._files:
            places = [(file_of(base), base.__qualname__) for base in kind.__mro__ if base is not torch.nn.Module]
            files = [file for file, name in places if (file, name) in self._flagged]
            if kind.__qualname__ in self._names or f"{kind.__module__}.{kind.__qualname__}" in self._names:
                files.append(places[0][0])
            self._files[kind] = files
        return self._files[kind]

    def _keep(self, module: torch.nn.Module, args: Any, kwargs: Any, files: list[str]) -> Path | None:
        kind = type(module)
        freezer = Freezer(self._budget, own_code(file_of(kind), kind.__module__))
        try:
            data = {"module": freezer.freeze(module, kind.__name__)}
            call = freezer.call(args, kwargs)
        except TooLarge:
            self._give_up(module, f"it takes more than {self._budget / 1e6:.0f} MB; raise --budget")
            return None
        except NotPortable as error:
            self._give_up(module, str(error))
            return None
        note = CallNote.of(module, file_of(kind), files, freezer.missing)
        return write_target(self._out, note, data, call)

    def _keep_call(self, kind: type, folder: Path, number: int, args: Any, kwargs: Any) -> None:
        freezer = Freezer(self._budget, own_code(file_of(kind), kind.__module__))
        try:
            write_call(folder, number, freezer.call(args, kwargs))
        except NotPortable as error:
            write_note(self._out, f"{folder.name}: call {number}: {error}")

    def _give_up(self, module: torch.nn.Module, why: str) -> None:
        self._records[type(module)] = module, None, 0
        write_note(self._out, f"{type(module).__qualname__}: not recorded: {why}")
