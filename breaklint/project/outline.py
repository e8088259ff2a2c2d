"""A source text cut at its definitions, so that only the requested definitions of imported files are parsed.

A definition is cut out by its lines, and so is a long table that is assigned to a name; `pass` replaces it, so that the
rest keeps its rows. Only lines are read: if this could mislead (a definition inside a string), the text is not
cut.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

_BEGINS: Final = re.compile(r"\n(?=[^\s#)\]}])")
_NESTED: Final = re.compile(r"\n([ \t]+)(?:def|async|@)")
_DEFINES: Final = re.compile(r"(async[ \t]+def|def|class)[ \t]+(\w+)")
_TABLE: Final = re.compile(r"(\w+)(?:[ \t]*:[ \t]*[\w.\[\], ]+)?[ \t]*=[ \t]*[\w.]*[(\[{]")
_CLOSED: Final = re.compile(r"\n[)\]}]+[ \t]*(?:#.*)?$", re.MULTILINE)  # no other statement follows in the line
_DOUBLE: Final = re.compile('"""')
QUOTES: Final = re.compile("\"\"\"|'''")
LONG: Final = 1_000  # characters of a table that is cut out
_LOOKS: Final = ("def ", "class ", "@", "async ")
_SETTER: Final = re.compile(r"@[ \t]*[\w.]+\.(?:setter|deleter)\b")


class Piece(NamedTuple):
    """One definition: its kind (`class`, `def`, `table`), name, range in `source` with decorators, and first row."""

    kind: str
    name: str
    source: str
    start: int
    end: int
    row: int

    @property
    def text(self) -> str:
        """The definition as it is written."""
        return self.source[self.start : self.end]

    def holds(self, word: str) -> bool:
        """Whether the definition contains a word; it is not copied for this."""
        return self.source.find(word, self.start, self.end) >= 0

    @property
    def sets(self) -> bool:
        """Whether it is the setter or deleter of a property."""
        return _SETTER.match(self.text.lstrip()) is not None

    @property
    def is_decorated(self) -> bool:
        """Whether it has decorators."""
        return self.text.lstrip().startswith("@")


def cut_module(text: str) -> tuple[str, list[Piece], list[str]] | None:
    """The text with `pass` for its definitions and long tables, these, and all its parts; None when it cannot be cut
    safely.

    Every part is a text of its own, so that one wide character makes that part take more memory and not the whole.
    """
    cut = _cut(Piece("module", "", text, 0, len(text), 1), "", ("class", "def", "table"))
    if cut is None:
        return None
    pieces: list[Piece] = []
    parts: list[str] = []
    end = 0
    for piece in cut[1]:
        own = piece.text
        parts += (text[end : piece.start], own)
        pieces.append(Piece(piece.kind, piece.name, own, 0, len(own), piece.row))
        end = piece.end
    return cut[0], pieces, [*parts, text[end:]]


def cut_class(piece: Piece) -> tuple[str, list[Piece]] | None:
    """The text of a class with `pass` for its methods, and the methods; None if it cannot be cut safely."""
    indents = _NESTED.findall(piece.text)
    return _cut(piece, min(indents, key=len), ("def",)) if indents else None


def _cut(whole: Piece, indent: str, kinds: tuple[str, ...]) -> tuple[str, list[Piece]] | None:
    chunks = _chunks(whole.text, indent)
    if chunks is None:
        return None
    rest: list[str] = []
    pieces: list[Piece] = []
    row, end = whole.row, whole.start
    above = ""  # decorators
    for chunk in chunks:
        code = chunk[len(indent) :]
        end += len(chunk)
        if code.startswith("@"):
            above += chunk
            continue
        kind, name = _defined(code)
        chunk, above = above + chunk, ""
        rows = chunk.count("\n")
        if kind in kinds:
            pieces.append(Piece(kind, name, whole.source, end - len(chunk), end, row))
            rest.append(f"{indent}pass" + "\n" * rows)
        else:
            rest.append(chunk)
        row += rows
    return "".join([*rest, above]), pieces


def _defined(code: str) -> tuple[str, str]:
    """The kind and the name of the definition that a statement is; "" for any other statement."""
    result = _DEFINES.match(code)
    if result is not None:
        return result[1].split()[-1], result[2]
    table = _TABLE.match(code) if len(code) > LONG and ":=" not in code and _CLOSED.search(code) else None
    return ("", "") if table is None else ("table", table[1])


def _chunks(text: str, indent: str) -> list[str] | None:
    """The text cut before every line with this indentation; None if such a line may be in a string."""
    if "\r" in text or "\f" in text:
        return None
    quotes = QUOTES if "'''" in text else _DOUBLE
    pattern = re.compile(rf"\n(?={indent}[^\s#)\]}}])") if indent else _BEGINS
    starts = [0, *(match.end() for match in pattern.finditer(text)), len(text)]
    chunks: list[str] = []
    begin, inside = 0, ""  # the quotes of the string that a line is in
    for start, end in pairwise(starts):
        if inside and text.startswith(_LOOKS, start + len(indent)):
            return None
        for quote in quotes.findall(text, start, end):
            inside = "" if inside == quote else inside or quote
        if not inside:
            chunks.append(text[begin:end])
            begin = end
    return None if inside else chunks
