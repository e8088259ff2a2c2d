"""Patterns of entry points without a match, and suggestions for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from breaklint.interp.entries import matches
from breaklint.interp.ways_to_compiler import functions
from breaklint.project.module import Module
from breaklint.source.did_you_mean import did_you_mean


def unmatched_in(module: Module, patterns: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The patterns that name no function of a file, each with the name there that is closest to it, if one is."""
    infos = functions(module)
    names = dict.fromkeys(name for info in infos for name in (info.name, info.name.rpartition(".")[2]))
    missing = (pattern for pattern in patterns if not any(matches(info, pattern) for info in infos))
    return tuple((pattern, next(iter(get_close_matches(pattern, names, 1)), "")) for pattern in missing)


def unmatched_patterns(misses: Sequence[Mapping[str, str]]) -> list[str]:
    """A line for each pattern that names nothing in any of some files."""
    missing = [pattern for pattern in (misses[0] if misses else ()) if all(pattern in item for item in misses)]
    return [
        f"entry-points: the given files do not define {pattern}"
        f"{did_you_mean(pattern, filter(None, (item[pattern] for item in misses)))}"
        for pattern in missing
    ]
