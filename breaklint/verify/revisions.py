"""The Python files of a git repository as they were at another revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

from breaklint.errors import TargetError


def texts_at(revision: str, path: Path) -> dict[str, str]:
    """Of the repository around `path`, the text at `revision` of every Python file that has changed since, by path.

    Files that are gone are among them; files that are new are not.

    Raises:
        TargetError: no such revision, `path` was not in it, no repository, or no git.
    """
    if _git(path.parent, revision, "cat-file", "-e", f"{revision}:./{path.name}") is None:
        raise _unknown(revision, path)
    top = Path(str(_git(path.parent, revision, "rev-parse", "--show-toplevel")).strip())
    changed = str(_git(top, revision, "diff", "-z", "--name-only", "--no-renames", revision, "--", "*.py"))
    shown = {name: _git(top, revision, "show", f"{revision}:{name}") for name in changed.split("\0") if name}
    return {str(top / name): text for name, text in shown.items() if text is not None}


def _git(folder: Path, revision: str, *arguments: str) -> str | None:
    """What git prints, or None when it fails."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        raise TargetError(f"--before {revision}: no such file, and git is not installed") from None
    return None if done.returncode else done.stdout


def _unknown(revision: str, path: Path) -> TargetError:
    return TargetError(f"--before {revision}: neither a file nor a revision that has {path.name}")
