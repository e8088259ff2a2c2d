"""The places of modules: dotted names as files, and files as dotted names. Every folder is listed once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

_RUNS = re.compile(r"""^if __name__ == ["']__main__["']""", re.MULTILINE)
_NONE = {"__pycache__"}
COMPILED = (".pyx", ".so", ".pyd")  # Cython, and shared libraries of Linux, macOS and Windows
_MODULES = (".py", *COMPILED)
_OF_A_PACKAGE = re.compile(r"^[ \t]*from[ \t]*\.", re.MULTILINE)  # a relative import fails in a script


class Folders:
    """The listed folders."""

    def __init__(self) -> None:
        self._listings: dict[str, frozenset[str]] = {}
        self._compiled: dict[str, frozenset[str]] = {}
        self._packages: dict[str, tuple[str, str]] = {}  # the folder above the outermost package, and the dotted name

    def file_of(self, roots: Iterable[str], name: str) -> str | None:
        """The file of a dotted module name below one of the roots, or None."""
        head, _, _ = name.partition(".")
        above, _, last = name.replace(".", os.sep).rpartition(os.sep)
        for root in roots:
            if not self._has(root, head):
                continue
            folder = os.path.join(root, above) if above else root
            if self._has(folder, f"{last}.py"):
                return os.path.join(folder, f"{last}.py")
            if self._has(folder, last) and self._has(package := os.path.join(folder, last), "__init__.py"):
                return os.path.join(package, "__init__.py")
        return None

    def is_compiled(self, roots: Iterable[str], name: str) -> bool:
        """Whether a dotted module name below one of the roots is a file of Cython, or a shared library."""
        above, _, last = name.replace(".", os.sep).rpartition(os.sep)
        return any(last in self._extensions(os.path.join(root, above)) for root in roots)

    def _extensions(self, folder: str) -> frozenset[str]:
        """The compiled modules in a folder."""
        content = self._compiled.get(folder)
        if content is None:
            files = (name for name in self.names(folder) if name.endswith(COMPILED))
            content = self._compiled[folder] = frozenset(name.partition(".")[0] for name in files)
        return content

    def root_of(self, path: str) -> str:
        """The folder above the outermost package that a file is in."""
        return self.dotted(path)[0]

    def import_roots(self, path: str, roots: Iterable[str]) -> list[str]:
        """The import roots of a file: the given ones that contain it, the nearest first; its own; the others."""
        holding = sorted((root for root in roots if path.startswith(os.path.join(root, ""))), key=len, reverse=True)
        folder = os.path.dirname(path)
        scripts = [] if self._has(folder, "__init__.py") else [folder]
        return list(dict.fromkeys([*holding, self.root_of(path), *scripts, *roots]))

    def script_root(self, path: str, text: str) -> list[str]:
        """The folder of a file that is run as a script, even in a package: Python then searches there first."""
        runs = "__main__" in text and _RUNS.search(text) and not _OF_A_PACKAGE.search(text)
        return [os.path.dirname(path)] if runs else []

    def dotted(self, path: str) -> tuple[str, str, bool]:
        """The folder above the outermost package, the dotted name, and whether the file is an `__init__.py`."""
        folder, base = os.path.split(path)
        if folder not in self._packages:
            self._packages[folder] = self._package(folder)
        root, package = self._packages[folder]
        is_package, name = base == "__init__.py", base.removesuffix(".py")
        return root, (package or name) if is_package else f"{package}.{name}" if package else name, is_package

    def _package(self, folder: str) -> tuple[str, str]:
        """The folder above the outermost package, and the dotted name of a folder: a package, or a folder in one."""
        parts: list[str] = []
        while self._is_in_package(folder) and os.path.dirname(folder) != folder:
            folder, name = os.path.split(folder)
            parts.append(name)
        return folder, ".".join(reversed(parts))

    def _is_in_package(self, folder: str) -> bool:
        """Whether a folder, or the one above, is a package: modules of a folder in a package import its other ones."""
        return self._has(folder, "__init__.py") or os.path.exists(os.path.join(os.path.dirname(folder), "__init__.py"))

    def _has(self, folder: str, name: str) -> bool:
        """Whether a folder contains `name` or `name.py`."""
        names = self.names(folder)
        return name in names or f"{name}.py" in names

    def names(self, folder: str) -> frozenset[str]:
        """The names in a folder that may be modules or packages; each folder is listed once."""
        content = self._listings.get(folder)
        if content is None:
            content = self._listings[folder] = list_modules(folder)
        return content

    @property
    def listed(self) -> Mapping[str, frozenset[str]]:
        """The folders that were listed, with the names in them."""
        return self._listings


def list_modules(folder: str) -> frozenset[str]:
    """The names in a folder that may be modules or packages; none if it does not exist."""
    try:
        return frozenset(name for name in os.listdir(folder) if name.endswith(_MODULES) or "." not in name) - _NONE
    except OSError:
        return frozenset()
