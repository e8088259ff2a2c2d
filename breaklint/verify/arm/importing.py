"""Import a target's modules again, some from other texts than their files."""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from breaklint.verify.arm.branches import Rows, instrument
from breaklint.verify.arm.process import is_installed

_ELSEWHERE: dict[str, dict[str, ModuleType]] = {}  # the modules whose files lie elsewhere than below a folder
NAME = "breaklint_target"
"""The import name of a file outside packages, the same in all arms, so that they can read each other's pickles."""


class TextLoader(SourceFileLoader):
    """Runs a text as if it were the file's; tracebacks and `inspect.getsource` show it."""

    def __init__(self, name: str, path: str, text: str, watch: Sequence[Rows] = ()) -> None:
        super().__init__(name, path)
        self._text, self._watch = text, watch

    def get_code(self, fullname: str) -> CodeType:
        """Compile the text, past every cache."""
        linecache.cache[self.path] = (len(self._text), None, self._text.splitlines(keepends=True), self.path)
        source = instrument(self._text, self.path, self._watch) if self._watch else self._text
        code: CodeType = compile(source, self.path, "exec", dont_inherit=True)
        return code


class Overrides(MetaPathFinder):
    """Finds modules that have another text, also if their file is gone."""

    texts: dict[str, str]
    watch: Sequence[Rows]

    @classmethod
    def install(cls, texts: dict[str, str], watch: Sequence[Rows] = ()) -> None:
        """Replace the texts by path, and the rows whose branches report their outcome."""
        finder = next((finder for finder in sys.meta_path if isinstance(finder, cls)), None)
        if finder is None:
            finder = cls()
            sys.meta_path.insert(0, finder)
        finder.texts, finder.watch = texts, watch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module that has another text."""
        if not self.texts:
            return None
        last = fullname.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            package, module = Path(folder, last, "__init__.py").resolve(), Path(folder, f"{last}.py").resolve()
            for file, places in ((package, [str(package.parent)]), (module, None)):
                if str(file) in self.texts:
                    loader = TextLoader(fullname, str(file), self.texts[str(file)], self.watch)
                    return importlib.util.spec_from_file_location(
                        fullname, str(file), loader=loader, submodule_search_locations=places
                    )
                if file.is_file():
                    return None
        return None


@dataclass(frozen=True)
class Location:
    """The place of an arm's model.

    `attribute` is a class or a factory ("" is the file's model class), `overrides` are the texts to run instead of
    files. `recipe` has `init`, `inputs` and `sizes` of the configuration, or the folder `captured`. Branches on the
    rows to `watch` report their outcome.
    """

    path: str
    module: str
    root: str
    attribute: str
    factory: bool
    overrides: dict[str, str] = field(default_factory=dict)
    recipe: dict[str, Any] = field(default_factory=dict)
    watch: tuple[Rows, ...] = ()


def execute(location: Location) -> ModuleType:
    """Import the target's module with new code objects, because Dynamo marks those that it skips."""
    Overrides.install(location.overrides, location.watch)
    if location.root not in sys.path:
        sys.path.insert(0, location.root)
    _forget_own_modules(location)
    importlib.invalidate_caches()
    if location.module:
        return importlib.import_module(location.module)
    text, loader = location.overrides.get(location.path), SourceFileLoader(NAME, location.path)
    if text is not None:
        loader = TextLoader(NAME, location.path, text, location.watch)
    spec = importlib.util.spec_from_file_location(NAME, location.path, loader=loader)
    assert spec is not None
    module = sys.modules[NAME] = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _forget_own_modules(location: Location) -> None:
    if is_library(location):  # re-importing one would cost more than it proves
        sys.modules.pop(location.module, None)
        return
    for module in _own_modules(location.root):
        if module != "__main__" and not module.startswith("breaklint."):
            del sys.modules[module]


def _own_modules(root: str) -> dict[str, ModuleType]:
    """The loaded modules whose files lie below the folder, by name.

    Every call of a model needs them, and thousands are loaded: modules found elsewhere are not examined again.
    """
    below = root.rstrip(os.sep) + os.sep
    elsewhere = _ELSEWHERE.setdefault(below, {})
    own: dict[str, ModuleType] = {}
    for name, module in list(sys.modules.items()):
        if elsewhere.get(name) is module:
            continue
        file = getattr(module, "__file__", None) or ""
        if file.startswith(below) and not is_installed(file):
            own[name] = module
        else:
            elsewhere[name] = module
    return own


def is_library(location: Location) -> bool:
    """Whether the target belongs to an installed library."""
    return is_installed(location.root)


def region_modules(location: Location) -> dict[str, ModuleType]:
    """The modules, by name, that are loaded again with the target's, and those of files that have another text."""
    own = {} if is_library(location) else _own_modules(location.root)
    if not location.overrides.keys() <= {module.__file__ for module in own.values()}:
        files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
        own |= {name: sys.modules[name] for name, file in files.items() if file in location.overrides}
    return own
