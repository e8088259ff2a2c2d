"""The files of the modules that were looked for, in the previous run and now."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Set
from functools import cached_property

from breaklint.lint.cache_files import Rows, digest_of
from breaklint.lint.workers import Worker
from breaklint.project.environment import Environment
from breaklint.project.folders import Folders


class CachedModules:
    """Modules by number; each is a folder from which imports are resolved, a dotted name, and a path or None.

    `listed` are the digests of the folders in which the previous run looked for modules; None if there is none.
    """

    def __init__(self, worker: Worker, listed: dict[str, str] | None) -> None:
        self._listed = listed
        self.rows = Rows([])
        self._roots = [os.path.abspath(root) for root in worker.roots]
        self._folders = Folders()
        self._environment = Environment(worker.settings.environment, self._folders)
        self._above: dict[str, list[str]] = {}  # the folders in which modules are looked for, by root

    @cached_property
    def are_same(self) -> bool:
        """Whether all modules are in the same files as in the previous run, because their folders list the same
        names."""
        return self._listed is not None and all(
            digest_of(self._folders.names(folder)) == digest for folder, digest in self._listed.items()
        )

    @cached_property
    def moved(self) -> Set[int]:
        """The numbers of the modules of the previous run that are in other files."""
        return set() if self.are_same else set(filter(self._is_moved, range(self.rows.read)))

    def has_root(self, path: str, root: str) -> bool:
        """Whether imports of a checked file are resolved from the same folder as in the previous run."""
        return not root or self.are_same or self._folders.root_of(path) == root

    def _is_moved(self, number: int) -> bool:
        root, name, path = json.loads(self.rows.texts[number])
        return bool(self._file_of(root, name) != path)

    def _file_of(self, root: str, name: str) -> str | None:
        """The path of a module by name for files below `root`."""
        if root not in self._above:
            paths = (os.path.join(folder, "__init__.py") for folder in (*self._roots, root))
            self._above[root] = [*dict.fromkeys(map(self._folders.root_of, paths))]
        return self._folders.file_of(self._above[root], name) or self._environment.file_of(name)

    def current(self, roots: Iterable[tuple[str, str]]) -> dict[str, str] | None:
        """The digests of the folders for the next run, without those that their parent folder does not have; None if
        a folder has changed during this one.

        `roots` are the paths of the files that were checked, and the folders from which their imports are resolved.
        """
        new = range(self.rows.read, len(self.rows.texts))
        if any(root and self._folders.root_of(path) != root for path, root in roots) or any(map(self._is_moved, new)):
            return None
        listed = self._folders.listed
        places = ((folder, *os.path.split(folder)) for folder in listed)
        return {path: digest_of(listed[path]) for path, above, name in places if name in listed.get(above, {name})}
