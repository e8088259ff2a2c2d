"""The observed states of the findings in an open text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from breaklint.lint.results import RunResult
from breaklint.model import Finding, Settings
from breaklint.observe.join import join_profile
from breaklint.observe.place import find_profile, root_of
from breaklint.observe.profile import Profile, ProfileError, read


def observed(findings: tuple[Finding, ...], path: str, text: str, settings: Settings) -> tuple[Finding, ...]:
    """The findings joined with the profile of `breaklint observe`, if there is a valid one."""
    place = find_profile(Path(path).parent, settings.root)
    if place is None or path.endswith(".ipynb"):
        return findings
    try:
        profile = _read(place, place.stat().st_mtime_ns)
    except (OSError, ProfileError):
        return findings
    result = RunResult(findings=findings, texts=((path, text),), checked=(path,))
    return join_profile(result, profile, root_of(place, settings.root), settings).findings


@lru_cache(maxsize=2)
def _read(place: Path, _changed: int) -> Profile:
    return read(place)
