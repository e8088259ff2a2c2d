"""The Python files of a project as they were at another revision of its git repository."""

from __future__ import annotations

from pathlib import Path

from breaklint.errors import TargetError
from breaklint.source.git import NAMES_OF_CHANGED, git


def texts_at(revision: str, path: Path) -> dict[str, str]:
    """The texts, at a revision, of all Python files of the repository around `path` that have changed since."""
    _check_revision(revision, path)
    top = Path(str(_git(path.parent, revision, "rev-parse", "--show-toplevel")).strip())
    names = _git(top, revision, *NAMES_OF_CHANGED, revision, "--", "*.py")
    if names is None:
        raise TargetError(f"--before {revision}: git cannot compare; in a partial clone, `git diff {revision}` first")
    texts = {name: _git(top, revision, "show", f"{revision}:{name}") for name in names.split("\0") if name}
    return {str(top / name): text for name, text in texts.items() if text is not None}


def _git(folder: Path, revision: str, *arguments: str) -> str | None:
    """The output of git, or None if it fails."""
    try:
        output = git(folder, *arguments)
    except FileNotFoundError:
        raise TargetError(f"--before {revision}: no such file, and git is not installed") from None
    if output is None:
        return None
    return output.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _check_revision(revision: str, path: Path) -> None:
    """Raise TargetError if the revision does not exist, or does not contain `path`."""
    if _git(path.parent, revision, "cat-file", "-e", f"{revision}:./{path.name}") is None:
        raise TargetError(f"--before {revision}: neither a file nor a revision that has {path.name}")
