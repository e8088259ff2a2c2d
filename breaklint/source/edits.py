"""Edits into text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from os.path import commonprefix

from breaklint.model import Edit, Position


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with non-overlapping edits made; raises ValueError when they overlap."""
    starts = line_starts(text)
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        begin, end = offset(starts, edit.span.start), offset(starts, edit.span.end)
        if begin < position:
            raise ValueError("edits overlap")
        pieces += [text[position:begin], edit.content]
        position = end
    return "".join([*pieces, text[position:]])


@lru_cache(maxsize=16)
def line_starts(text: str) -> tuple[int, ...]:
    """The offset of the first character of every line, as Python counts lines."""
    starts, position = [0], 0
    for line in text.split("\n")[:-1]:
        position += len(line) + 1
        starts.append(position)
    return tuple(starts)


def alike(one: str, other: str) -> int:
    """The number of characters with which both texts begin."""
    return len(commonprefix([one, other]))  # noqa: RUF071 - of characters, and not of folders


def offset(starts: tuple[int, ...], position: Position) -> int:
    """The offset of a position in the text."""
    return starts[position.row - 1] + position.column - 1
