"""Patterns of .gitignore files and settings. An invalid pattern is ignored, so that the others apply."""

from __future__ import annotations

from collections.abc import Iterable
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
        return GitIgnoreSpec.from_lines([line for line in lines if _is_pattern(line)])


def wrong_patterns(lines: Iterable[str], where: str) -> tuple[str, ...]:
    r"""A line for the user about each invalid pattern in `lines`, such as `build\`; `where` names their source."""
    return tuple(f"{where}: `{line}` is not a pattern, and is ignored" for line in lines if not _is_pattern(line))


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec  # slow to import, and needed by few runs

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
