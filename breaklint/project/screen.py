"""Which files have to be traced: a cheap test on their text. Others are only parsed, for syntax errors."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

# They begin with a line feed, for which Python searches three times as fast as for `^`.
_DERIVED: Final = re.compile(r"\n[ \t]*class[ \t]+\w+[ \t]*[(\[]")
_PUBLIC: Final = re.compile(r"\n[ \t]*(?:async )?def (?!_)\w+\(")
_CALLING: Final = re.compile(r"\n(?:if __name__\b|for |with |[\w.]+\()")


def may_matter(text: str, entry_points: Collection[str] = ()) -> bool:
    """Whether a region can begin in a file: it has a class that derives from another, or mentions torch.compile, or is
    a script, or it has functions, which patterns of entry points may name, or public ones that may take tensors."""
    text = f"\n{text}"
    if ("torch" in text and ("compile" in text or is_script(text))) or _DERIVED.search(text) is not None:
        return True
    if entry_points:
        return "def " in text
    names = ("torch.", "Tensor")  # the functions of torch, and annotations
    return any(name in text for name in names) and _PUBLIC.search(text) is not None


def is_script(text: str) -> bool:
    """Whether the top level of a file may call functions: a cheap test."""
    return _CALLING.search(f"\n{text}") is not None
