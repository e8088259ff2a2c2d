"""The text of a source file, and how much of it may be parsed."""

from __future__ import annotations

from typing import NamedTuple

from breaklint.errors import SourceError

NOTEBOOK = ".ipynb"
MAX_CODE = 10_000_000  # bytes; a syntax tree takes up to three hundred times as much memory


class SourceText(NamedTuple):
    """The text of a file with every newline as `\n`, and the data to write it back.

    `newline` is the most frequent newline of the file, `data` the bytes the text was read from.
    """

    path: str
    text: str
    encoding: str
    newline: str
    bom: bool
    data: bytes


def refuse_too_long(path: str, length: int) -> None:
    """SourceError when a file holds more code than may be parsed."""
    if length > MAX_CODE:
        raise SourceError(path, f"holds more than {MAX_CODE // 1_000_000} MB of code: exclude it")
