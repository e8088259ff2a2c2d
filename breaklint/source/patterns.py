"""Patterns of .gitignore files and settings. An invalid line of a .gitignore is ignored, as git does."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@lru_cache(maxsize=4096)
def pattern_spec(lines: tuple[str, ...]) -> GitIgnoreSpec:
    """The match of the patterns among `lines`; if several match a path the last one decides."""
    from pathspec import GitIgnoreSpec  # slow to import, and needed by few runs

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if is_pattern(line)])


def is_pattern(line: str) -> bool:
    r"""Whether a line is a valid pattern; `build\` is not."""
    from pathspec import GitIgnoreSpec  # slow to import, and needed by few runs

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
