"""The parts of a file, and their digests: a result is stale only if a part that it depends on changes."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from importlib.util import source_hash
from typing import Final, TypeVar

from breaklint.errors import SourceError
from breaklint.lint.plain_data import to_json
from breaklint.model import FileResult
from breaklint.project.outline import QUOTES, Piece, cut_module
from breaklint.source.decoding import read_source

Name = TypeVar("Name", str, int)
REST: Final = ""  # the part outside of definitions
# Words that are searched in the text of a file as a whole.
_WORDS: Final = ("yield", ".setter", ".deleter", "global ", "nonlocal ", ":=")
_DIRECTIVES: Final = ("breaklint", "noqa")  # in comments that silence findings
_WHOLE_FILE: Final = "file-ignore"  # in those that silence the findings of their file


Parts = Mapping[str, str]
"""The digests of the parts of a file by name: of the lines outside of definitions, and of definitions at the top level.

These lines include the names of all definitions with their decorators, which may register them, the words of `_WORDS`
that the text contains, and the comments that silence findings of the whole file. Without any digest the file cannot be
read or cut.
"""


def parts_of(path: str) -> Parts:
    """The parts of a file."""
    try:
        return cut_parts(read_source(path).text)
    except (SourceError, OSError):
        return {}


def cut_parts(text: str) -> Parts:
    """The parts of a text without blank lines and comments between them."""
    cut = cut_module(text)
    if cut is None:
        return {}
    definitions: defaultdict[str, list[str]] = defaultdict(list)
    for piece in cut[1]:
        definitions[piece.name].append("\n".join(_without_comments(piece.text)).rstrip())
    rest = [line for line in _without_comments(cut[0]) if line.strip()]
    heads = [f"{piece.kind} {piece.name} {_decorators(piece)}" for piece in cut[1]]
    words = [word for word in _WORDS if word in text]
    lowered = text.lower()
    silenced = [line for line in lowered.split("\n") if _WHOLE_FILE in line] if _WHOLE_FILE in lowered else ()
    parts = {REST: [*rest, *heads, *words, *silenced], **definitions}
    return {name: _digest(texts) for name, texts in parts.items()}


def differing(old: Parts, new: Parts) -> Set[str]:
    """The names of the parts that differ between two texts of a file; `REST` among them if one cannot be cut, or if
    their definitions have other names."""
    names = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    return names if old and new else names | {REST}


def concerns(path: str, differing: Set[Name], needed: Set[Name] | None, result: FileResult) -> bool:
    """Whether a change of a file concerns a result: it differs in a part that the result needs (None: any), or the
    result names the file, and may contain rows of it."""
    if needed is None or not differing.isdisjoint(needed):
        return True
    return os.path.basename(path) in to_json(result._replace(reached=(), unreported=()))


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
