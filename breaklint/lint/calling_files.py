"""The files of a project that are checked in addition to given ones, because they call them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from breaklint.lint.merging import FOLLOWED
from breaklint.lint.plan import Plan
from breaklint.lint.workers import LOOK, Mode, Outcome, Worker
from breaklint.model import Settings
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_bytes
from breaklint.source.discovery import discover
from breaklint.source.shown_paths import absolutes

if TYPE_CHECKING:
    from breaklint.project.callers import Callers, Read

MARKS = (".git", "breaklint.toml", "pyproject.toml", "setup.py", "setup.cfg")  # of the folder of a project
MOST_FILES = 20_000  # that are searched for callers
_SOURCES = ("", "src")  # the folders of a project from which absolute imports are resolved
_SOME = "only the nearest {} callers of the given files were checked; pass their folder to check all"
_NONE = "the search for callers reached its limits, and none was checked; pass the folder of the project"


class Calling(NamedTuple):
    """Callers of files of one project, and the folders in which their absolute imports begin."""

    roots: tuple[str, ...]
    callers: Callers


class Work(NamedTuple):
    """Files and their callers; `quiet` if they are checked only because of others."""

    worker: Worker
    files: Sequence[str]
    quiet: bool = False


def calling_work(planned: Plan, paths: Iterable[str], mode: Mode) -> tuple[list[Work], list[str]]:
    """The files to check because they call those that `paths` name one by one, and lines for the user."""
    arguments = {os.path.normpath(path) for path in paths}
    plan_files = {*map(absolutes(), planned.files())}
    looking = LOOK._replace(edits=mode.edits or mode.fix)
    work, notices = [], []
    for settings, files in planned.groups:
        targets = [file for file in files if file in arguments and file.endswith(".py")]
        for roots, nearest in calling_files(targets, settings) if settings.follow_callers else ():
            callers = [_display_path(file) for file in nearest.files if file not in plan_files]
            work.append(Work(Worker(settings, roots, looking), callers, quiet=True))
            if not nearest.complete:
                notices.append(_SOME.format(len(nearest.files)) if nearest.files else _NONE)
    return work, notices


def errors_as_notices(outcome: Outcome) -> Outcome:
    """The outcome of a file that was checked because it calls others, with its errors as notices."""
    result = outcome.result
    notices = tuple(f"{error}{FOLLOWED}" for error in result.errors)
    return replace(outcome, result=result._replace(errors=(), notices=notices))


def _display_path(path: str) -> str:
    """A path as findings name it: below the current folder from there."""
    below = os.path.relpath(path)
    return path if below.startswith(os.pardir) else below


def calling_files(paths: Iterable[str], settings: Settings, read: Read = read_bytes) -> list[Calling]:
    """The files that call those at `paths`, by project; the returned paths are absolute."""
    projects: dict[str, list[str]] = defaultdict(list)
    for path in map(os.path.abspath, paths):
        projects[_project(path)].append(path)
    return [_calling(folder, targets, settings, read) for folder, targets in projects.items()]


def _calling(folder: str, targets: Sequence[str], settings: Settings, read: Read) -> Calling:
    from breaklint.project.callers import callers  # a check of folders does without

    if folder:
        roots = tuple(root for name in _SOURCES if os.path.isdir(root := os.path.join(folder, name).rstrip(os.sep)))
        candidates = discover([folder], settings.exclude, settings.root, most=MOST_FILES).files
        files = [os.path.abspath(file) for file in candidates if file.endswith(".py")]
        calling = callers(targets, files, roots, read)
        return Calling(roots, calling._replace(complete=calling.complete and len(candidates) < MOST_FILES))
    return Calling((), callers(targets, sorted(_near(targets)), (), read))


def _project(path: str) -> str:
    """The folder of the project of a file, or "" without a marker file."""
    folder = os.path.dirname(path)
    while not any(os.path.exists(os.path.join(folder, mark)) for mark in MARKS):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def _near(paths: Iterable[str]) -> set[str]:
    """The files of the packages that files are in, and those beside the packages; each package is searched once."""
    roots, packages, folders = set[str](), set[str](), Folders()
    for path in paths:
        root, dotted, is_package = folders.dotted(path)
        package, inner, _ = dotted.partition(".")
        roots.add(root)
        if inner or is_package:
            packages.add(os.path.join(root, package))
    beside = {os.path.join(root, name) for root in roots for name in os.listdir(root) if name.endswith(".py")}
    inside = (file for package in packages for file in discover([package], most=MOST_FILES).files)
    return beside | {file for file in inside if file.endswith(".py")}
