"""What code does outside of its process: files that it reads and writes, programs that it starts."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

_TORCH = os.path.dirname(torch.__file__) + os.sep
_NOT_THE_MODELS = (_TORCH, sysconfig.get_paths()["stdlib"] + os.sep, "/proc/", "/sys/", "/dev/")
_SITE = ("site-packages", "dist-packages")
_WRITING = os.O_WRONLY | os.O_RDWR
_EVENTS = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.system", "subprocess.Popen", "socket.connect")


class Outside:
    """Counts such events while `noted` is open, by what Python's audit hooks tell of them."""

    def __init__(self) -> None:
        self._seen: Counter[str] | None = None
        self._hooked = False

    @contextmanager
    def noted(self) -> Iterator[Counter[str]]:
        """Those that happen inside."""
        if not self._hooked:
            sys.addaudithook(self._note)
            self._hooked = True
        seen = self._seen = Counter()
        try:
            yield seen
        finally:
            self._seen = None

    def _note(self, event: str, args: tuple[Any, ...]) -> None:
        if self._seen is None:
            return
        if event == "open" and opens_for_writing(args):
            self._seen[f"writes {args[0]}"] += 1
        elif event in _EVENTS:
            self._seen[f"{event} {args[0]}"] += 1


def opens_for_writing(args: tuple[Any, ...]) -> bool:
    """Of the arguments of an audit event `open`: may the file be written?"""
    _, mode, flags = args
    return bool(isinstance(mode, str) and set(mode) & set("wax+")) or bool(isinstance(flags, int) and flags & _WRITING)


OUTSIDE = Outside()


class FilesRead:
    """Notes every file that is opened for reading from now on, also those that are not there."""

    def __init__(self) -> None:
        self._opened: set[str] = set()
        sys.addaudithook(self._note)

    def paths(self) -> list[str]:
        """These, and the files of all modules that are loaded; of torch and Python, what tells their version."""
        modules = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        found = {path for path in self._opened | modules if isinstance(path, str)}
        own = {path for path in found if not path.endswith(".pyc") and not self._is_foreign(path)}
        return sorted({*own, os.path.join(_TORCH, "version.py"), os.path.realpath(sys.executable)})

    def _note(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], str) and not opens_for_writing(args):
            self._opened.add(os.path.abspath(args[0]))

    @staticmethod
    def _is_foreign(path: str) -> bool:
        return path.startswith(_NOT_THE_MODELS) and not (
            path.startswith(_NOT_THE_MODELS[1]) and any(site in path for site in _SITE)
        )
