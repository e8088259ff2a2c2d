"""The words of a text, each once: looking for one among them takes a tenth of the time that the whole text takes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_APART: Final = bytes(code if code >= 128 or chr(code).isalnum() or code == ord("_") else 32 for code in range(256))
_PARTS: Final = re.compile(r"\w+")


class Words:
    """All words of a text."""

    __slots__ = ("_joined",)

    def __init__(self, text: str) -> None:
        self._joined = b"\n".join({*_encoded(text).translate(_APART).split()})

    def may_hold(self, word: str) -> bool:
        """Whether the text may hold a word, or anything that has words in it, also within longer words."""
        return all(part in self._joined for part in _parts(word))


@lru_cache(maxsize=4096)
def _parts(word: str) -> list[bytes]:
    return [*map(_encoded, _PARTS.findall(word))]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
