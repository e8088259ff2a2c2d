"""Which files have to be traced: a cheap test on their text. Others are only parsed, for syntax errors."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_DERIVED: Final = re.compile(r"^[ \t]*class[ \t]+\w+[ \t]*[(\[]", re.MULTILINE)


def may_matter(text: str, entry_points: Collection[str] = ()) -> bool:
    """Whether a region can begin in a file: it has a class that derives from another, or mentions torch.compile, or it
    has functions, which patterns of entry points may name."""
    if ("compile" in text and "torch" in text) or _DERIVED.search(text) is not None:
        return True
    return bool(entry_points) and "def " in text
