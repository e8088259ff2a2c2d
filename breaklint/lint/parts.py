"""The parts of a file, and their digests: a result is stale only if a part that it depends on changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from importlib.util import source_hash
from typing import Final, NamedTuple

from breaklint.errors import SourceError
from breaklint.project.outline import QUOTES, Piece, cut_module
from breaklint.source.decoding import read_source

REST: Final = ""  # the part outside of definitions
# Words that are searched in the text of a file as a whole.
_WORDS: Final = ("yield", ".setter", ".deleter", "global ", "nonlocal ", ":=")
_IMPORT: Final = "import "
_DIRECTIVES: Final = ("breaklint", "noqa")  # in comments that silence findings
_WHOLE_FILE: Final = "file-ignore"  # in those that silence the findings of their file


class Part(NamedTuple):
    """The digest of a part, and its first and last row: 0 if it has several ranges of rows."""

    digest: str
    first: int = 0
    last: int = 0


class Cut(NamedTuple):
    """A text in parts: the lines outside of definitions, and by name the texts of definitions with their first rows.

    The lines include the names of all definitions with their decorators, which may register them, the words of `_WORDS`
    that the text contains, and the comments that silence findings of the whole file.
    """

    rest: list[str]
    definitions: Mapping[str, list[tuple[str, int]]]


def cut_parts(text: str) -> Cut | None:
    """The parts of a text without blank lines and comments between them; None if it cannot be cut."""
    cut = cut_module(text)
    if cut is None:
        return None
    definitions: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for piece in cut[1]:
        definitions[piece.name].append(("\n".join(_without_comments(piece.text)).rstrip(), piece.row))
    rest = [line for line in _without_comments(cut[0]) if line.strip()]
    heads = [f"{piece.kind} {piece.name} {_decorators(piece)}" for piece in cut[1]]
    words = [word for word in _WORDS if word in text]
    lowered = text.lower()
    silenced = [line for line in lowered.split("\n") if _WHOLE_FILE in line] if _WHOLE_FILE in lowered else ()
    return Cut([*rest, *heads, *words, *silenced], definitions)


def parts_of(path: str) -> Mapping[str, Part]:
    """The rest of a file without its rows, and its definitions at the top level by name; only a rest without digest if
    the file cannot be read or cut."""
    try:
        cut = cut_parts(read_source(path).text)
    except (SourceError, OSError):
        cut = None
    if cut is None:
        return {REST: Part("")}
    parts = {REST: Part(_digest(cut.rest))}
    for name, pieces in cut.definitions.items():
        own, first = pieces[0]
        rows = (first, first + own.count("\n")) if len(pieces) == 1 else ()
        parts[name] = Part(_digest([text for text, _ in pieces]), *rows)
    return parts


def altered_names(old: str, new: str) -> Set[str] | None:
    """The top-level names whose definitions differ between two texts of a file, and those of new imports; None if
    anything else differs, or if the texts cannot be split at their definitions."""
    cut, new_cut = cut_parts(old), cut_parts(new)
    if cut is None or new_cut is None:
        return None
    imported = {line for line in new_cut.rest if line.startswith(_IMPORT)} - {*cut.rest}
    if [line for line in new_cut.rest if line not in imported] != cut.rest:
        return None
    texts, new_texts = (
        {name: [text for text, _ in pieces] for name, pieces in side.definitions.items()} for side in (cut, new_cut)
    )
    altered = {name for name, pieces in texts.items() if pieces != new_texts[name]}
    return altered | {line.removeprefix(_IMPORT).strip() for line in imported}


def _without_comments(text: str) -> Iterator[str]:
    """The lines of a text; comments that begin their lines are blank, except for those that silence findings."""
    inside = ""  # the quotes of the string that a line is in
    for line in text.split("\n"):
        if not inside and line.startswith("#") and not any(word in line.lower() for word in _DIRECTIVES):
            yield ""
            continue
        for quote in QUOTES.findall(line) if '"""' in line or "'''" in line else ():
            inside = "" if inside == quote else inside or quote
        yield line


def _decorators(piece: Piece) -> str:
    """The text of a definition before its `def` or `class`, if it has decorators."""
    text = piece.text.lstrip()
    return text[: text.find(f"{piece.kind} {piece.name}")] if text.startswith("@") else ""


def _digest(texts: list[str]) -> str:
    return source_hash("\0".join(texts).encode("utf-8", "surrogateescape")).hex()
