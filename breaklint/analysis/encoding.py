"""Indexes as text, a thirtieth of what they take as objects: a run holds those of all its files, and keeps them for the
next."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from typing import Any

from breaklint.analysis.class_index import ClassIndex
from breaklint.analysis.file_index import FileIndex
from breaklint.analysis.top_level import Binding, Certainty

_json = json.JSONEncoder(separators=(",", ":")).encode


def encoded(index: FileIndex) -> str:
    """An index as one line of ASCII."""
    return b64encode(zlib.compress(_json(index).encode())).decode()


def decoded(text: str) -> FileIndex:
    """The index that `encoded` was given."""
    found = FileIndex._make(_tuples(json.loads(zlib.decompress(b64decode(text)))))
    classes = (ClassIndex._make(_tuples(cls)) for cls in found.classes)
    rebound = ((name, tuple(Binding(q, Certainty(c), row) for q, c, row in bound)) for name, bound in found.rebound)
    imported = tuple((name, qualified) for name, qualified in found.imported)
    return found._replace(classes=tuple(classes), rebound=tuple(rebound), imported=imported)


def _tuples(data: Iterable[Any]) -> Iterator[Any]:
    return (tuple(each) if isinstance(each, list) else each for each in data)
