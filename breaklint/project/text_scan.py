"""The imports and top-level bindings of a file, by its text without parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from\b[ \t]*([.\w]+)[ \t]*import\b[ \t]*(\((?:[^)#]|#[^\n]*)*\)|[^\n#;]*)|import\b([^\n#;]*))",
    re.MULTILINE,
)
_TOP: Final = re.compile(r"\n(?=[^\s#)\]}])")
_BOUND: Final = re.compile(r"^(?:(?:async[ \t]+def|def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=)", re.MULTILINE)
_BELOW: Final = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+def|def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=)", re.MULTILINE
)
_DEFINES: Final = re.compile(r"@|class\b|def\b|async\b")
_BLOCKS: Final = ("if", "else", "elif", "try", "except", "finally", "with")
_WORD: Final = re.compile(r"\w+")


class Import(NamedTuple):
    """A name that an import binds; `module` is dotted, with `level` dots before it, `name` "" for `import module`."""

    module: str
    level: int
    name: str
    bound: str


def imports(text: str) -> Iterator[Import]:
    """The imports of a text, including those in functions and strings."""
    if "\\\n" in text:
        text = text.replace("\\\n", " ")
    end = 0
    while (at := text.find("import", end)) >= 0:
        match = _IMPORT.match(text, text.rfind("\n", 0, at) + 1)  # much faster than a search at each line
        end = at + len("import")
        if match is None or match.end() < end:
            continue
        end = match.end()
        source, names, modules = match.groups()
        if source is not None:
            module = source.lstrip(".")
            for name, bound in _aliases(names.strip("()")):
                yield Import(module, len(source) - len(module), name, bound)
        else:
            for name, bound in _aliases(modules):
                yield Import(name, 0, "", bound.rpartition(".")[2])


def _aliases(names: str) -> Iterator[tuple[str, str]]:
    for line in names.split("\n"):
        for item in line.partition("#")[0].split(","):
            words = item.split()
            if words and (len(words) == 1 or words[1:2] == ["as"]):
                yield words[0], words[-1]


def absolute(item: Import, package: Sequence[str]) -> str | None:
    """The dotted name of the imported module, None if it is above the outermost package."""
    if not item.level:
        return item.module
    if item.level - 1 > len(package):
        return None
    above = package[: len(package) - item.level + 1]
    return ".".join([*above, item.module] if item.module else above)


def spread(text: str, local: set[str]) -> tuple[set[str], bool]:
    """`local` with the names of a file whose definitions use one of them, and whether any statement does."""
    names, uses_any = set(local), False
    pieces = [(set(_bound(piece)), set(_WORD.findall(piece))) for piece in _pieces(text)]
    growing = True
    while growing:
        growing = False
        for bound, words in pieces:
            if not names.isdisjoint(words):
                uses_any = True
                growing |= not bound <= names
                names |= bound
    return names, uses_any


def _pieces(text: str) -> Iterator[str]:
    """The top-level statements of a file without its imports, decorators with their definitions."""
    start, above = 0, ""
    for end in [*(match.end() for match in _TOP.finditer(text)), len(text)]:
        piece, start = above + text[start:end], end
        above = piece if piece.startswith("@") and not _BOUND.search(piece) else ""
        if not above and not piece.startswith(("import ", "from ")):
            yield piece


def _bound(piece: str) -> Iterator[str]:
    """The names that a statement binds at the top of its file."""
    block = _WORD.match(piece)
    for match in (_BELOW if block and block[0] in _BLOCKS else _BOUND).finditer(piece):
        name: str = match[1] or match[2]
        if not name.startswith("__"):  # `__all__`
            yield name


def defined(text: str) -> set[str]:
    """The top-level functions and classes of a file, and the names computed from them."""
    names = {name for piece in _pieces(text) if _DEFINES.match(piece) for name in _bound(piece)}
    return spread(text, names)[0]
