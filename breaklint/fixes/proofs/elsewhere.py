"""What the other files of a run, and those that a file leads to, store in it, in its classes and their objects, and in
libraries; and which of their classes derive from its own."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Set

from breaklint.fixes.proofs.namespaces import MAKING, Namespaces
from breaklint.fixes.proofs.stores import Stores
from breaklint.project.module import ClassInfo, FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name, walk

OLD_NAMES = frozenset("bool complex float int object str".split())  # of NumPy, which files bring back
ANY = "*"


class Elsewhere:
    """The files that imports connect with one file.

    `of_modules` are the names that they store in modules, classes and libraries, and `of_objects` in what may be an
    object: of the names that were asked for.
    """

    def __init__(self, project: Project, module: Module) -> None:
        self._project = project
        followed = [project.followed(path) for path in project.asked.values() if path is not None]
        self._paths = project.others.connected(module, [os.path.abspath(m.path) for m in followed if m is not None])
        self._seen: set[str] = set()
        self.of_modules: set[str] = set()
        self.of_objects: set[str] = set()

    def ask(self, names: Set[str]) -> None:
        """Look for what is stored under some names."""
        for path in self._paths:
            if path in self._seen:
                continue
            screen, imported = self._project.others.screen(path), self._project.others.imports(path).imported
            if not (names.isdisjoint(screen.stored) and screen.opened.isdisjoint(imported)):
                self._seen.add(path)
                if (module := self._project.others.module(path)) is not None:
                    self._note(module, imported)

    def stores(self, name: str, in_object: bool) -> bool:
        """Whether a name is stored: in a module, a class or a library, or `in_object`, in what may be an object."""
        return not self.of_modules.isdisjoint((name, ANY)) or (in_object and name in self.of_objects)

    def derived(self, cls: ClassInfo) -> list[ClassInfo]:
        """The classes of the other files that derive from a class."""
        found: list[ClassInfo] = []
        names = [cls.name]
        for name in names:
            for path in self._paths:
                bases = self._project.others.screen(path).bases
                if bases and (name in bases or name in self._project.others.imports(path).imported):
                    module = self._project.others.module(path)
                    derived = (each for each in (module.classes if module else ()) if self._derives(each, cls))
                    found += [each for each in derived if each not in found]
            names += [each.name for each in found if each.name not in names]
        return found

    def _derives(self, cls: ClassInfo, base: ClassInfo) -> bool:
        """Whether a class derives from another, or from what has its name in a module that is not found."""
        full = f"{base.module.name}.{base.name}"
        above = self._project.mro(cls)
        return base in above or any(
            isinstance(each, str) and f".{full}".endswith(f".{each}") and "." in each for each in above
        )

    def _note(self, module: Module, imported: Set[str]) -> None:
        """Note what a file stores."""
        names, stores = Namespaces(module), Stores(module)
        self.of_objects |= stores.names
        self.of_modules |= names.bound
        for dotted in names.replaced:
            owner, _, name = dotted.rpartition(".")
            if name in MAKING and self._may_be_ours(module, owner, imported):
                self.of_modules.add(ANY)
            elif self._is_module(module, owner, imported) and not (name in OLD_NAMES and self._is_numpy(module, owner)):
                self.of_modules.add(name or ANY)
        if any(self._is_own(module, owner, imported) for owner in _opened(module)):
            self.of_modules.add(ANY)

    def _is_module(self, module: Module, owner: str, imported: Set[str]) -> bool:
        """Whether a dotted name may be a module, a class or a library."""
        found = self._project.resolve(module, owner) if owner not in ("", "?") else None
        return isinstance(found, (Module, ClassInfo, str)) or (found is None and owner.partition(".")[0] in imported)

    def _is_own(self, module: Module, owner: str, imported: Set[str]) -> bool:
        """Whether a dotted name may be a module or class of the project."""
        found = self._project.resolve(module, owner)
        return isinstance(found, (Module, ClassInfo)) or (found is None and owner.partition(".")[0] in imported)

    def _may_be_ours(self, module: Module, owner: str, imported: Set[str]) -> bool:
        found = self._project.resolve(module, owner) if owner not in ("", "?") else None
        return isinstance(found, FunctionInfo) or self._is_own(module, owner, imported)

    def _is_numpy(self, module: Module, owner: str) -> bool:
        return self._project.resolve(module, owner) == "numpy"


def elsewhere(project: Project, module: Module) -> Elsewhere:
    """What other files do to a file, worked out once while it is looked at."""
    found = project.noted.get(module)
    if not isinstance(found, Elsewhere):
        found = project.noted[module] = Elsewhere(project, module)
    return found


def _opened(module: Module) -> Iterator[str]:
    """The dotted names of which a file takes the dictionary, or stores attributes under names that are computed."""
    for node in walk(module.tree):
        owner: ast.expr | None = None
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            owner = node.value
        elif isinstance(node, ast.Call) and dotted_name(node.func) == "vars" and node.args:
            owner = node.args[0]
        if (name := dotted_name(owner)) is not None:
            yield name
