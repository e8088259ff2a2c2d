"""The files of a run and their settings: the nearest configuration applies to each file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from breaklint.errors import UsageError
from breaklint.lint.config_files import config_in
from breaklint.lint.time_limit import VARIABLE, TimeLimitExceeded, seconds_per_file, time_limit
from breaklint.model import Settings
from breaklint.source.discovery import Discovered, discover
from breaklint.source.patterns import pattern_spec

Load = Callable[[Path], Settings]


class Plan(NamedTuple):
    """The files of a run, by settings; `errors` are lines about paths that cannot be read, `notices` others."""

    groups: tuple[tuple[Settings, tuple[str, ...]], ...]
    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def files(self) -> tuple[str, ...]:
        """All files, in order."""
        return tuple(sorted(file for _, files in self.groups for file in files))


def plan(paths: Sequence[str], settings: Settings, nested: Load | None = None, force_exclude: bool = False) -> Plan:
    """The files of `paths`; `settings` apply to files without a nearer configuration.

    `nested` reads such a configuration; None: `settings` apply to all. Files that `settings` or a configuration below
    exclude are left out, except for files named in `paths` (unless `force_exclude`). ConfigError if a configuration is
    wrong, UsageError if the search takes too long.
    """
    result = _discover(paths, settings, force_exclude)
    if nested is None:
        return Plan(((settings, result.files),), result.errors)
    arguments = () if force_exclude else tuple(map(os.path.normpath, paths))
    groups = tuple(
        (own, files if own is settings else _include(files, own, arguments))
        for own, files in _by_settings(result.files, settings, nested)
    )
    return Plan(groups, result.errors)


def _discover(paths: Sequence[str], settings: Settings, force_exclude: bool) -> Discovered:
    """Search for files within a time limit: an untrusted pattern may keep a regular expression busy without end."""
    seconds = seconds_per_file()
    try:
        with time_limit(seconds):
            return discover(paths, settings.exclude, settings.root, force_exclude)
    except TimeLimitExceeded:
        reason = f"the search for files took more than {seconds:g} s of processor time"
        raise UsageError(f"{reason}: fix the patterns of .gitignore, name fewer folders, or set {VARIABLE}") from None


def _by_settings(files: Sequence[str], base: Settings, nested: Load) -> list[tuple[Settings, tuple[str, ...]]]:
    settings: dict[str, Settings] = {base.root: base}
    groups: dict[str, list[str]] = {base.root: []}

    roots: dict[str, str] = {}  # by folder: the folder of the configuration nearest to it

    def root_of(folder: str) -> str:
        folders = []
        while folder not in roots:
            folders.append(folder)
            if config := config_in(folder):
                roots[folder] = root = str(config.resolve().parent)
                if root not in settings:
                    settings[root], groups[root] = nested(config), []
            elif (above := os.path.dirname(folder)) == folder:
                roots[folder] = base.root
            else:
                folder = above
        roots.update(dict.fromkeys(folders, roots[folder]))
        return roots[folder]

    folders = [*map(os.path.dirname, files)]
    nearest = {folder: root_of(os.path.abspath(folder)) for folder in dict.fromkeys(folders)}
    for file, folder in zip(files, folders, strict=True):
        groups[nearest[folder]].append(file)
    return [(settings[root], tuple(result)) for root, result in groups.items()]


def _include(files: tuple[str, ...], settings: Settings, arguments: Sequence[str]) -> tuple[str, ...]:
    if not settings.exclude:
        return files
    spec = pattern_spec(settings.exclude)
    below = {file: os.path.relpath(os.path.abspath(file), settings.root) for file in files}
    return tuple(file for file in files if file in arguments or not spec.match_file(below[file]))
