"""Digests of the parts of a file: a result is stale only if a part that it depends on changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from importlib.util import source_hash
from typing import Final

from breaklint.errors import SourceError
from breaklint.project.outline import Piece, cut_module
from breaklint.source.decoding import read_source

REST: Final = ""  # the part outside of definitions
WHOLE: Final = "*"  # a file that is not cut at its definitions
# Words that are searched in the text of a file as a whole.
_WORDS: Final = ("yield", ".setter", ".deleter", "global ", "nonlocal ", ":=")


def parts_of(path: str) -> Mapping[str, str]:
    """By name the digests of the definitions at the top level of a file, and that of the rest without its rows.

    Empty if the file cannot be read or cut. The rest includes the names of all definitions with their decorators, which
    may register them, and the words of `_WORDS` that the file contains.
    """
    try:
        text = read_source(path).text
    except (SourceError, OSError):
        return {}
    cut = cut_module(text)
    if cut is None:
        return {}
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for piece in cut[1]:
        texts[piece.name].append(piece.text.strip())
    rest = [line for line in cut[0].split("\n") if line.strip()]
    heads = [f"{piece.kind} {piece.name} {_decorators(piece)}" for piece in cut[1]]
    words = [word for word in _WORDS if word in text]
    return {REST: _digest([*rest, *heads, *words]), **{name: _digest(found) for name, found in texts.items()}}


def _decorators(piece: Piece) -> str:
    """The text of a definition before its `def` or `class`, if it has decorators."""
    text = piece.text.lstrip()
    return text[: text.find(f"{piece.kind} {piece.name}")] if text.startswith("@") else ""


def _digest(texts: list[str]) -> str:
    return source_hash("\0".join(texts).encode("utf-8", "surrogateescape")).hex()
