"""Git queries about a repository, without running programs that the repository names."""

from __future__ import annotations

import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path

# A repository's configuration may name programs for git to run; none of them is needed here.
_SAFE = {
    "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "core.quotePath": "false",
    "diff.autoRefreshIndex": "false",  # would write the index
}  # fmt: skip
# Objects that a partial clone lacks are not fetched: that runs what its configuration names.
_QUIET = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
# A submodule has a configuration of its own, with filters that git would run to see whether it changed.
NAMES_OF_CHANGED = ("diff", "-z", "--name-only", "--no-renames", "--ignore-submodules")
_FILTER = re.compile(r"filter\.(.*)\.(?:clean|smudge|process|required)", re.DOTALL)


def git(folder: str | Path, *arguments: str) -> bytes | None:
    """The output of git in a folder, None if it fails. Raises FileNotFoundError if git is not installed."""
    return _git(folder, {**_SAFE, **_no_filters(str(folder))}, arguments)


def _git(folder: str | Path, settings: dict[str, str], arguments: tuple[str, ...]) -> bytes | None:
    command = ["git", "-C", str(folder), *arguments]
    environment = {**os.environ, **_QUIET, **_as_environment(settings)}
    result = subprocess.run(command, capture_output=True, check=False, env=environment)
    return None if result.returncode else result.stdout


def _as_environment(settings: dict[str, str]) -> dict[str, str]:
    """Settings that go over every configuration; unlike with `-c`, a key may hold any character."""
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    pairs = {
        f"GIT_CONFIG_{what}_{number}": text
        for number, setting in enumerate(settings.items(), first)
        for what, text in zip(("KEY", "VALUE"), setting, strict=True)
    }
    return {"GIT_CONFIG_COUNT": str(first + len(settings)), **pairs}


@lru_cache(maxsize=16)
def _no_filters(folder: str) -> dict[str, str]:
    """The options that disable filters of a repository's configuration: git runs them on compared files."""
    output = _git(folder, _SAFE, ("config", "-z", "--name-only", "--get-regexp", r"^filter\."))
    names = {match[1] for key in os.fsdecode(output or b"").split("\0") if (match := _FILTER.fullmatch(key))}
    programs = {f"filter.{name}.{program}": "" for name in names for program in ("clean", "smudge", "process")}
    return {**programs, **{f"filter.{name}.required": "false" for name in names}}
