"""The first sentence of a text, and the first of several reasons: the short form for readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"")
_END = re.compile(r"\.(?=\s|$)|:(?=\s*\n)")
_BRACKETS = {"(": 1, ")": -1, "[": 1, "]": -1}


def first_sentence(text: str, more: str) -> str:
    """The first sentence of `text` on one line; a sentence before code ends in `more`, a hint to the code."""
    hidden = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    end = next((at.start() for at in _END.finditer(hidden)), len(text))
    sentence = " ".join(text[:end].split())
    return f"{sentence}: {more}" if text[end : end + 1] == ":" else f"{sentence}."


@lru_cache(maxsize=1024)  # many findings say the same
def first_reason(why: str) -> tuple[str, int]:
    """The first of the reasons that semicolons separate, and how many follow it."""
    first, *others = reasons(why)
    return first, len(others)


def reasons(why: str) -> Iterator[str]:
    """The reasons that semicolons separate; those within brackets or backticks separate nothing."""
    depth = begin = 0
    for at, char in enumerate(_QUOTED.sub(lambda quoted: "_" * len(quoted[0]), why)):
        depth += _BRACKETS.get(char, 0)
        if char == ";" and not depth:
            yield why[begin:at].strip()
            begin = at + 1
    yield why[begin:].strip()
