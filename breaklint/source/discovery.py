"""Paths in, Python files and notebooks out."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from breaklint.source.ignoring import Ignores, IgnoreTree
from breaklint.source.shown_paths import absolutes

SUFFIXES = (".py", ".ipynb")
_FOLDER, _FILE = "folder", "file"


class Discovered(NamedTuple):
    """The files to look at, sorted, spelled as the user spelled their folders.

    `errors` are lines for the user: paths that cannot be read.
    """

    files: tuple[str, ...]
    errors: tuple[str, ...] = ()


def discover(
    paths: Sequence[str],
    exclude: tuple[str, ...] = (),
    root: str = "",
    force_exclude: bool = False,
    most: int | None = None,
) -> Discovered:
    """The Python files and notebooks of `paths`: folders are walked, files are taken as they are.

    `exclude` are .gitignore patterns relative to `root`. Files that .gitignore files, `exclude` or the built-in list
    match are skipped in folders, and with `force_exclude` also if they are named explicitly. At most `most` files are
    returned for each path.
    """
    tree, absolute = IgnoreTree(exclude, root), absolutes()
    files: dict[str, str] = {}
    errors: list[str] = []
    for path in paths:
        if not path:
            errors.append("'': no such file or folder")
            continue
        for file in islice(_files(os.path.normpath(path), tree, force_exclude, errors), most):
            files.setdefault(absolute(file), file)
    return Discovered(tuple(sorted(files.values())), tuple(errors))


def _files(path: str, tree: IgnoreTree, force_exclude: bool, errors: list[str]) -> Iterator[str]:
    absolute = os.path.abspath(path)  # keeps links, unlike Path.resolve()
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        errors.append(f"{path}: {_reason(error)}")
        return
    if stat.S_ISDIR(mode):
        if not (force_exclude and tree.hides(absolute, is_folder=True)):
            yield from _walk(path, absolute, tree.of_named(absolute), errors)
    elif not stat.S_ISREG(mode):
        errors.append(f"{path}: is not a regular file or folder")
    elif not (force_exclude and tree.hides(absolute)):
        yield path


def _walk(path: str, absolute: str, ignores: Ignores, errors: list[str]) -> Iterator[str]:
    """Folders that are links are not entered, so that a loop of links ends."""
    pending = [(path, absolute, ignores)]  # no recursion: folders lie deeper than Python calls
    while pending:
        path, absolute, ignores = pending.pop()
        try:
            with os.scandir(path) as entries:
                result = [(entry.name, kind) for entry in entries if (kind := _kind(entry))]
        except OSError as error:
            errors.append(f"{path}: {_reason(error)}")
            continue
        for name, kind in result:
            below = f"{absolute.rstrip(os.sep)}{os.sep}{name}"
            if ignores.hide(below, name, kind == _FOLDER):
                continue
            display_path = name if path == os.curdir else f"{path.rstrip(os.sep)}{os.sep}{name}"
            if kind == _FOLDER:
                pending.append((display_path, below, ignores.enter(below)))
            else:
                yield display_path


def _kind(entry: os.DirEntry[str]) -> str:
    """Whether an entry is a folder or a Python file; "" when it is neither."""
    if entry.is_dir(follow_symlinks=False):
        return _FOLDER
    try:
        return _FILE if entry.name.endswith(SUFFIXES) and entry.is_file() else ""
    except OSError:  # a loop of links
        return ""


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return f"cannot be read: {error.strerror or error}"
