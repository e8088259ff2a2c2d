"""Asking git about a repository, without running what the repository may name."""

from __future__ import annotations

import subprocess
from pathlib import Path

# A repository's configuration may name programs for git to run; none of them is needed here.
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")


def git(folder: str | Path, *arguments: str) -> bytes | None:
    """What git prints in a folder, None when it fails. FileNotFoundError when git is not installed."""
    done = subprocess.run(["git", *_SAFE, "-C", str(folder), *arguments], capture_output=True, check=False)
    return None if done.returncode else done.stdout
