"""The indexes of files that no project knows, and the integrity of a run, which is made of the indexes of its files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from breaklint.analysis.encoding import encoded
from breaklint.analysis.file_index import FileIndex, file_index
from breaklint.analysis.given_files import GivenFiles
from breaklint.analysis.integrity import Integrity
from breaklint.errors import SourceError
from breaklint.project.binding import build
from breaklint.project.folders import Folders
from breaklint.project.module import Module
from breaklint.source.syntax import parse

ReadText = Callable[[str], str]


def integrity_of(
    given: Iterable[str],
    read: ReadText,
    folders: Folders,
    known: Mapping[str, str] | None = None,
) -> Integrity:
    """The integrity of a run; an index that is not `known`, as text, is made of the file when it is needed."""

    def load(path: str) -> FileIndex | None:
        module = parse_alone(path, read, folders)
        if module is None:
            return None
        index = file_index(module)
        module.forget()  # its parts hold each other
        return index

    return Integrity(GivenFiles(given, load, folders, known))


def parse_alone(path: str, read: ReadText, folders: Folders) -> Module | None:
    """A file as a module that no project knows; None when it is no Python."""
    try:
        return module_of(path, text := read(path), parse(path, text), folders)
    except (SourceError, OSError):
        return None


def index_of(path: str, text: str, tree: object, folders: Folders) -> str:
    """What a file that no project knows may do to others, as text."""
    module = module_of(path, text, tree, folders)
    index = encoded(file_index(module))
    module.forget()  # its parts hold each other
    return index


def module_of(path: str, text: str, tree: object, folders: Folders) -> Module:
    """A tree as a module that no project knows."""
    _, name, is_package = folders.dotted(os.path.abspath(path))
    return build(Module(path, name, tree, [text], is_package, {}, len(text)))  # type: ignore[arg-type]
