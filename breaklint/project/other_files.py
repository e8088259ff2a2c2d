"""The files that are checked together: which of them may change what one of them defines."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from breaklint.errors import SourceError
from breaklint.project.binding import build
from breaklint.project.folders import Folders
from breaklint.project.module import Module
from breaklint.project.store_screen import ImportScreen, StoreScreen, imports_of, screened
from breaklint.source.syntax import parse


class OtherFiles:
    """The given files of a run, by absolute path; each is read when a proof first asks for the others."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], str], folders: Folders) -> None:
        self._given = list(dict.fromkeys(map(os.path.abspath, paths)))
        self._read, self._folders = read, folders
        self._imports: dict[str, ImportScreen] = {}
        self._screens: dict[str, StoreScreen] = {}
        self._parsed: dict[str, Module | None] = {}
        self._importers: dict[str, list[str]] | None = None  # the given files, by the words of their imports

    def connected(self, module: Module, followed: Iterable[str]) -> list[str]:
        """The files, of those given and those followed, that imports connect with a module, but itself: those that
        lead to it, and those that these import."""
        own = os.path.abspath(module.path)
        beside = dict.fromkeys(path for path in map(os.path.abspath, followed) if path != own)
        if self._importers is None:
            self._importers = defaultdict(list)
            for path in self._given:
                for word in self._words(path):
                    self._importers[word].append(path)
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._given:
            by_name[self._name(path)].append(path)
        reaching = _closure([own], lambda path: self._importers.get(self._name(path), ()))  # type: ignore[union-attr]
        found = _closure(reaching, lambda path: (each for word in self._words(path) for each in by_name.get(word, ())))
        return [path for path in dict.fromkeys([*found, *beside]) if path != own]

    def imports(self, path: str) -> ImportScreen:
        """What a file may import, by its text."""
        if path not in self._imports:
            self._imports[path] = imports_of(self._text(path))
        return self._imports[path]

    def screen(self, path: str) -> StoreScreen:
        """What a file may store, by its text."""
        if path not in self._screens:
            self._screens[path] = screened(self._text(path))
        return self._screens[path]

    def module(self, path: str) -> Module | None:
        """A file as a module that its project does not know, so that no import finds it; None when it is no Python."""
        if path not in self._parsed:
            self._parsed[path] = self._parse(path)
        return self._parsed[path]

    def make_room(self, most: int) -> None:
        """Drop the trees, where they are of more than so many characters."""
        if sum(module.parsed for module in self._parsed.values() if module is not None) > most:
            self._parsed.clear()

    def _parse(self, path: str) -> Module | None:
        text = self._text(path)
        _, name, is_package = self._folders.dotted(path)
        try:
            return build(Module(path, name, parse(path, text), [text], is_package, {}, len(text)))
        except SourceError:
            return None

    def _text(self, path: str) -> str:
        try:
            return self._read(path)
        except (SourceError, OSError):
            return ""

    def _words(self, path: str) -> Iterator[str]:
        imports = self.imports(path)
        yield from imports.imported
        if imports.inside:  # `from . import *`
            yield os.path.basename(os.path.dirname(path))

    @staticmethod
    def _name(path: str) -> str:
        """What imports call a file: the last part of its dotted name."""
        folder, base = os.path.split(path)
        return os.path.basename(folder) if base == "__init__.py" else base.partition(".")[0]


def _closure(first: Iterable[str], step: Callable[[str], Iterable[str]]) -> list[str]:
    """What steps lead to from the first ones, with these."""
    found = list(dict.fromkeys(first))
    seen = set(found)
    for path in found:
        for each in step(path):
            if each not in seen:
                seen.add(each)
                found.append(each)
    return found
