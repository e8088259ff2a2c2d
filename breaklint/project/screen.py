"""Which files have to be traced: a cheap test on their text. Others are only parsed, for syntax errors."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_DERIVED: Final = re.compile(r"^[ \t]*class[ \t]+\w+[ \t]*[(\[]", re.MULTILINE)
_PUBLIC: Final = re.compile(r"^(?:async )?def (?!_)\w+\(", re.MULTILINE)
_CALLING: Final = re.compile(r"^(?:if __name__\b|for |with |[\w.]+\()", re.MULTILINE)


def may_matter(text: str, entry_points: Collection[str] = ()) -> bool:
    """Whether a region can begin in a file: it has a class that derives from another, or mentions torch.compile, or is
    a script, or it has functions, which patterns of entry points may name, or public ones that may take tensors."""
    if ("torch" in text and ("compile" in text or is_script(text))) or _DERIVED.search(text) is not None:
        return True
    if entry_points:
        return "def " in text
    names = ("torch.", "Tensor")  # the functions of torch, and annotations
    return any(name in text for name in names) and _PUBLIC.search(text) is not None


def is_script(text: str) -> bool:
    """Whether the top level of a file may call functions: a cheap test."""
    return _CALLING.search(text) is not None
