"""The JSON of a notebook: its cells with their places in the text, so that an edit changes nothing else.

https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(parse_int=str)  # no integer is needed, and Python converts none of more than 4,300 digits


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of code. `number` counts all cells from 1; `start` and `end` are the place of its source in the JSON."""

    number: int
    source: str
    start: int
    end: int


def code_cells(raw: str) -> list[Cell]:
    """The cells of Python code of a notebook. Raises ValueError with the reason if it cannot be read."""
    data = json.loads(raw, parse_int=str)
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        if isinstance(data, dict) and "worksheets" in data:
            raise ValueError("its format is older than 4; `jupyter nbconvert --to notebook` updates it")
        raise ValueError("it has no cells")
    if _language(data.get("metadata")) != "python":
        return []
    whole = _SPACE.match(raw).end()  # type: ignore[union-attr]
    cells, _ = _last(raw, whole, "cells")
    result = (_cell(raw, number, value, start) for number, (value, start, _) in enumerate(_items(raw, cells), 1))
    return [cell for cell in result if cell is not None]


def with_source(raw: str, cell: Cell, source: str) -> str:
    """The JSON of a changed source, in the layout of the old one; lines that stay are spelled as they were."""
    old = raw[cell.start : cell.end]
    escape = raw.isascii() and "\\u" in raw
    if old.startswith('"'):
        return json.dumps(source, ensure_ascii=escape)
    items = list(_items(raw, cell.start))
    spellings = {line: raw[start:end] for line, start, end in items}
    opening, closing = raw[cell.start + 1 : items[0][1]], raw[items[-1][2] : cell.end - 1]
    between = raw[items[0][2] : items[1][1]] if len(items) > 1 else f",{opening or ' '}"
    lines = re.findall(r"[^\n]*\n|[^\n]+", source)
    strings = [spellings.get(line) or json.dumps(line, ensure_ascii=escape) for line in lines]
    return f"[{opening}{between.join(strings)}{closing}]" if strings else "[]"


def _language(metadata: object) -> str:
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        table = metadata.get(name) if isinstance(metadata, Mapping) else None
        if isinstance(table, Mapping) and isinstance(table.get(key), str):
            return str(table[key]).lower()
    return "python"


def _cell(raw: str, number: int, cell: Any, start: int) -> Cell | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code" or "source" not in cell:
        return None
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source) if _is_lines(source) else None
    if text is None:
        raise ValueError(f"cell {number}: its source is not text")
    begin, end = _last(raw, start, "source")
    return Cell(number, text.replace("\r\n", "\n").replace("\r", "\n"), begin, end)


def _is_lines(source: object) -> bool:
    return isinstance(source, list) and all(isinstance(line, str) for line in source)


def _last(raw: str, start: int, name: str) -> tuple[int, int]:
    """The place of a member's value. The last of several equal names counts, as in Python's json."""
    *_, place = ((begin, end) for key, _, begin, end in _members(raw, start) if key == name)
    return place


def _members(raw: str, start: int) -> Iterator[tuple[str, Any, int, int]]:
    """Key, value, and the place of the value, of an object that begins at `start`; the text is valid JSON."""
    at = _skip(raw, start + 1)
    while raw[at] != "}":
        key, at = _DECODER.raw_decode(raw, at)
        begin = _skip(raw, _skip(raw, at) + 1)
        value, at = _DECODER.raw_decode(raw, begin)
        yield key, value, begin, at
        at = _next(raw, at)


def _items(raw: str, start: int) -> Iterator[tuple[Any, int, int]]:
    """Value and place of the items of a list that begins at `start`."""
    at = _skip(raw, start + 1)
    while raw[at] != "]":
        value, end = _DECODER.raw_decode(raw, at)
        yield value, at, end
        at = _next(raw, end)


def _next(raw: str, at: int) -> int:
    at = _skip(raw, at)
    return _skip(raw, at + 1) if raw[at] == "," else at


def _skip(raw: str, at: int) -> int:
    return _SPACE.match(raw, at).end()  # type: ignore[union-attr]
