"""Where in the user's own code something was raised."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

_NOT_THE_USERS = (str(Path(__file__).resolve().parent.parent), os.path.dirname(os.__file__), "<")


def user_line(error: BaseException) -> str:
    """File and row of the innermost line that belongs to no library, "" when there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "site-packages" not in f.filename and not f.filename.startswith(_NOT_THE_USERS)]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else ""


def is_users(filename: str) -> bool:
    """Does this file belong to no library?"""
    return "site-packages" not in filename and not filename.startswith(_NOT_THE_USERS)
