"""Which paths a walk passes by: built-in folders, the `exclude` setting and .gitignore files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from breaklint.errors import SourceError
from breaklint.source.decoding import read_bytes
from breaklint.source.patterns import pattern_spec

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

DEFAULT_EXCLUDES = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)


class Ignores(NamedTuple):
    """The ignore files of a folder, outermost first, and the exclusions: (its folder, patterns)."""

    layers: tuple[tuple[str, GitIgnoreSpec], ...] = ()
    excluded: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def enter(self, folder: str) -> Ignores:
        """The ignores that hold inside `folder` (absolute), with its own .gitignore."""
        lines = _lines(os.path.join(folder, ".gitignore"))
        return self._replace(layers=(*self.layers, (folder, pattern_spec(lines)))) if lines else self

    def hide(self, path: str, name: str, is_folder: bool) -> bool:
        """Whether the walk passes by `path` (absolute) called `name`."""
        if is_folder and name in DEFAULT_EXCLUDES:
            return True
        return self._decide(self.excluded, path, is_folder) or self._decide(self.layers, path, is_folder)

    def _decide(self, layers: tuple[tuple[str, GitIgnoreSpec], ...], path: str, is_folder: bool) -> bool:
        for folder, spec in reversed(layers):
            inside = path.startswith(folder + os.sep)
            relative = path[len(folder) + 1 :] if inside else os.path.relpath(path, folder)  # relpath is slow
            if is_folder:
                relative += "/"
            if (included := spec.check_file(relative).include) is not None:
                return included
        return False


@dataclass(eq=False, repr=False, slots=True)
class IgnoreTree:
    """The ignores of any folder, with each .gitignore read once. The `exclude` patterns are relative to `root`."""

    exclude: tuple[str, ...] = ()
    root: str = ""
    _by_folder: dict[str, Ignores] = field(default_factory=dict)

    def of(self, folder: str) -> Ignores:
        """The ignores for the content of `folder` (absolute), from the root of its git repository down."""
        if folder not in self._by_folder:
            is_root = not folder.strip(os.sep) or folder == str(Path(folder).parent)
            top = is_root or os.path.exists(os.path.join(folder, ".git"))
            outer = self._base() if top else self.of(str(Path(folder).parent))
            self._by_folder[folder] = outer.enter(folder)
        return self._by_folder[folder]

    def of_named(self, folder: str) -> Ignores:
        """As `of`, for a folder that the user named: if it is itself ignored, ignore files above it do not apply."""
        return self._base().enter(folder) if self.hides(folder, is_folder=True) else self.of(folder)

    def hides(self, path: str, is_folder: bool = False) -> bool:
        """Whether `path` (absolute), or a folder it lies in, is excluded or ignored."""
        parent = Path(path).parent
        if str(parent) == path:
            return False
        return self.of(str(parent)).hide(path, Path(path).name, is_folder) or self.hides(str(parent), is_folder=True)

    def _base(self) -> Ignores:
        root = self.root or str(Path.cwd())
        return Ignores(excluded=((root, pattern_spec(self.exclude)),)) if self.exclude else Ignores()


def _lines(path: str) -> tuple[str, ...]:
    try:
        return tuple(read_bytes(path).decode("utf-8", errors="replace").splitlines())
    except SourceError:
        return ()
