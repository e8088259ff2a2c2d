"""Which files a target's code depends on. Runs inside an arm's process."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Any

import torch

from breaklint.verify.arm.outside import opens_for_writing

_TORCH = os.path.dirname(torch.__file__) + os.sep
_NOT_THE_MODELS = (_TORCH, sysconfig.get_paths()["stdlib"] + os.sep, "/proc/", "/sys/", "/dev/")
_SITE = ("site-packages", "dist-packages")


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
