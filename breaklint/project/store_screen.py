"""What a file may store in other files' modules, classes and objects, by its text alone: a cheap test before it is
parsed.

The names are more than those that it stores, and never less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = re.compile(r"\.\s*(\w+)")
_WORD = re.compile(r"\w+")
# `a.name =`, `a.name += 1`, `a.name: int = 3`
_STORE = re.compile(
    r"(?<!\bself)\.\s*(\w+)[ \t\\]*(?:(?:[-+%@&|^]|//?|\*\*?|<<|>>)?=(?!=)|:[^\n=]*[\w\]\"')][ \t]*=(?!=))"
)
_OF_SELF = re.compile(r"\bself\.(\w+)[ \t]*(?:[-+*/%@&|^:=]|<<|>>)")
_ROW = re.compile(r"^[ \t]*[^\s#=][^\n=]*,[^\n=]*=(?!=)", re.MULTILINE)  # may be `a.b, c.d = …`
_ROW_END = re.compile(r"^[ \t]*[)\]][ \t]*=(?!=)", re.MULTILINE)  # of targets in several rows
_BOUND = re.compile(r"\bfor\b([^\n]*?)\bin\b|\bas[ \t]+([(\[\w][^\n:]*)|\bdel\b([^\n]*)")
_INDIRECT = re.compile(r"(?:set|del)attr|\bpatch\W|__dict__|\bvars\(|__(?:set|del)attr__|sys\.modules|globals\(")
_QUOTED = re.compile(r"[\"'](?:\w+\.)*(\w+)[\"']")
_KEYWORD = re.compile(r"(\w+)\s*=(?!=)")
_OWNER = re.compile(r"(?:setattr|delattr|vars|object)\(\s*(\w+)")
_OWNER_OF_DICT = re.compile(r"\b(\w+)(?:\.\w+)*\.__dict__")  # begins anywhere: only for texts that have the last word
_IMPORT = re.compile(
    r"[ \t]*(?:>>> )?(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\\]|\\\n)*)|import[ \t]+([^\n]*))"
)  # at the beginning of a row
_IMPORT_CALL = re.compile(r"(?:import_module|__import__)\(\s*[\"']([\w.]+)")
_HEADER = re.compile(r"^[ \t]*class[ \t]+\w+[ \t]*\(([^)]*)\)", re.MULTILINE)
_LOOSE_SELF = re.compile(r"^(?:async )?def \w+\([^)]*\bself\b", re.MULTILINE)


class ImportScreen(NamedTuple):
    """The words of the imports of a text."""

    imported: frozenset[str]
    inside: bool  # whether it imports from its own package as a whole


class StoreScreen(NamedTuple):
    """The words of the bases of a text's classes, and the names that it may store somewhere.

    `opened`: names of which it may store attributes that are computed.
    """

    bases: frozenset[str]
    stored: frozenset[str]
    opened: frozenset[str]


def imports_of(text: str) -> ImportScreen:
    """What a text imports."""
    found = list(_imports(text))
    words = (word for each in found for group in each.groups() if group for word in _WORD.findall(group))
    whole = (each[1].strip(".") == "" for each in found if each.re is _IMPORT and each[1])
    return ImportScreen(frozenset(words), any(whole))


def _imports(text: str) -> Iterator[re.Match[str]]:
    """The imports of a text. Only rows with the word are looked at, in a tenth of the time of a search for patterns."""
    at, end = text.find("import"), 0
    while at >= 0:
        start = text.rfind("\n", max(end - 1, 0), at) + 1
        found = _IMPORT.match(text, start) if start >= end else None
        found = found or _IMPORT_CALL.match(text, at)
        if found is None and text.startswith("__", max(at - 2, end)):
            found = _IMPORT_CALL.match(text, at - 2)
        if found is not None:
            end = found.end()
            yield found
        at = text.find("import", max(at + 1, end))


def screened(text: str) -> StoreScreen:
    """What a text may store."""
    bases = (word for header in _HEADER.findall(text) for word in _WORD.findall(header))
    owners = {*_OWNER.findall(text), *(_OWNER_OF_DICT.findall(text) if "__dict__" in text else ())}
    return StoreScreen(frozenset(bases), frozenset(_stored(text)), frozenset(owners - {"self"}))


def _stored(text: str) -> Iterator[str]:
    yield from _STORE.findall(text)
    if _LOOSE_SELF.search(text):  # a function that a class may get as its method
        yield from _OF_SELF.findall(text)
    if _ROW_END.search(text):
        yield from _NAME.findall(text)
    for row in _ROW.finditer(text):
        if _is_row_of_targets(row[0]):
            yield from _NAME.findall(row[0])
    for bound in _BOUND.finditer(text):
        yield from _NAME.findall(bound[1] or bound[2] or bound[3] or "")
    if _INDIRECT.search(text):
        yield from _QUOTED.findall(text)
        if "multiple(" in text:
            yield from _KEYWORD.findall(text)


def _is_row_of_targets(row: str) -> bool:
    """Whether the first `=` of a line stands in no parentheses."""
    return row.count("(") <= row.count(")") and row.count("[") <= row.count("]")
