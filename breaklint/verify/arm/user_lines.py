"""Where in the user's own code something was raised."""

from __future__ import annotations

import traceback
from pathlib import Path

from breaklint.verify.arm.installed import is_installed

_NOT_THE_USERS = (str(Path(__file__).resolve().parent.parent), "<")


def user_line(error: BaseException) -> str:
    """File and row of the innermost line that belongs to no library, "" when there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_users(frame.filename)]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def is_users(filename: str) -> bool:
    """Does this file belong to no library?"""
    return not (is_installed(filename) or filename.startswith(_NOT_THE_USERS))
