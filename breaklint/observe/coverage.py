"""The coverage of the observed inputs as a table: functions, traced lines and breaks of each file."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from breaklint.model import Entry
from breaklint.observe.join import Join
from breaklint.observe.profile import Profile, Seen


class Share(NamedTuple):
    """The entries that were observed, and those that were not; their files are named as in the profile."""

    reached: tuple[Entry, ...]
    missed: tuple[Entry, ...]


def reached(profile: Profile, root: Path, entries: Iterable[Entry]) -> Share:
    """Which of some entries the inputs reach, `root` being the folder that the profile's paths are in."""
    join = Join(profile, root, {})
    result: dict[bool, list[Entry]] = {True: [], False: []}
    for entry in entries:
        file = join.file(entry.filename)
        function = file.functions.at(entry.row) if file is not None else None
        name = os.path.relpath(entry.filename, root).replace(os.sep, "/")
        result[file is not None and function in file.known].append(entry._replace(filename=name))
    return Share(tuple(result[True]), tuple(result[False]))


def text_of_coverage(profile: Profile, share: Share) -> str:
    """One row per file, the entry points that were not reached, then the module classes with their input signatures,
    and calls that were not compiled."""
    total = len(share.reached) + len(share.missed)
    missed = [f"  {item.filename}:{item.row}: {item.kind} {item.name}" for item in share.missed]
    entries = [f"{len(share.reached)} of {total} entries reached{'; not:' if missed else ''}", *missed]
    return "".join(f"{line}\n" for line in (*_files(profile), "", *entries, "", *_entries(profile)))


def _files(profile: Profile) -> Iterator[str]:
    files: dict[str, dict[tuple[str, str], list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for key, seen in profile.functions.items():
        files[key.path][key.function, key.digest].append(seen)
    torches = sorted({key.torch for key in profile.functions})
    width = max([4, *map(len, files)])
    yield f"traced by torch {', '.join(torches)}" if torches else "nothing was observed"
    yield f"{'file':{width}}  functions  lines  broken  given up  compiled again"
    for path, functions in sorted(files.items()):
        every = functions.values()
        lines = sum(len(frozenset[int]().union(*(item.traced for item in some))) for some in every)
        broken = sum(len({one.row for item in some for one in item.breaks}) for some in every)
        given_up = sum(any(item.given_up for item in some) for some in every)
        again = sum(any(item.recompiles for item in some) for some in every)
        yield f"{path:{width}}  {len(functions):9}  {lines:5}  {broken:6}  {given_up:8}  {again:14}"


def _entries(profile: Profile) -> Iterator[str]:
    for (path, name), entry in sorted(profile.entries.items()):
        yield f"{path}: {name}"
        yield from (f"  {form}" for form in entry.forms)
        yield from (f"  not compiled: {why}" for why in entry.lost)
