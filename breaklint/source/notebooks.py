"""Notebooks as one Python module: the cells one after the other, each under a comment with its number.

Magic lines stand in it as Python (magics.py). The comments let every row be named as a row of its cell, and let a
changed module be taken apart into cells again.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from breaklint.errors import SourceError
from breaklint.model import Finding, Position, Span
from breaklint.source.magics import is_python, mask_magics, restore_magics
from breaklint.source.notebook_json import Cell, code_cells, with_source
from breaklint.source.source_text import SourceText, refuse_too_long
from breaklint.source.syntax import parse

_MARK = re.compile(r"^# breaklint cell (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rows:
    """The lines of a joined text by cell."""

    marks: tuple[int, ...]
    numbers: tuple[int, ...]

    def cell(self, row: int) -> tuple[int, int]:
        """The number of the cell of a line, and the line above its first line."""
        index = max(bisect_right(self.marks, row) - 1, 0)
        return self.numbers[index], self.marks[index]

    def mark(self, number: int) -> int:
        """The line above the first line of a cell."""
        return self.marks[self.numbers.index(number)]


def rows(text: str) -> Rows:
    """The cells and lines of a joined text."""
    result = list(_MARK.finditer(text))
    marks = tuple(text.count("\n", 0, match.start()) + 1 for match in result)
    return Rows(marks or (0,), tuple(int(match[1]) for match in result) or (1,))


@dataclass(frozen=True, slots=True)
class Joined:
    """Cells as one text; `magics` has, by stripped line of the text, the lines of the cells that only IPython takes."""

    text: str
    magics: Mapping[str, str]

    def shown(self, path: str, text: str) -> str:
        """The new version of the joined text, with the original magic lines.

        Raises SourceError if cells or magic lines are missing.
        """
        lines = text.split("\n")
        if self.magics.keys() - {line.strip() for line in lines} or rows(text).numbers != rows(self.text).numbers:
            raise SourceError(path, "cells or magic lines of the notebook would be lost; it is left as it is")
        return "\n".join(restore_magics(line, self.magics) for line in lines)


def join_cells(path: str, number: int, source: str) -> Joined:
    """One cell of the notebook at `path`, under the comment with its number. Raises SourceError if it is not Python."""
    text, magics = mask_magics(source, number)
    parse(f"{path}:cell {number}", text)
    return Joined(f"# breaklint cell {number}\n{text}", magics)


def together(cells: Sequence[Joined]) -> Joined:
    """Cells one after the other."""
    magics = {line: magic for cell in cells for line, magic in cell.magics.items()}
    return Joined("\n".join(cell.text for cell in cells), magics)


def decode_notebook(path: str, data: bytes) -> SourceText:
    """The cells of a notebook as one text; raises SourceError if it is not a notebook, or a cell is not Python."""
    cells = _cells(path, data)
    refuse_too_long(path, sum(len(cell.source) for cell in cells))
    return SourceText(path, _joined(path, cells).text, "utf-8", "\n", data.startswith(BOM_UTF8), data)


def _joined(path: str, cells: Iterable[Cell]) -> Joined:
    return together([join_cells(path, cell.number, cell.source) for cell in cells])


def encode_notebook(source: SourceText, text: str) -> bytes:
    """The notebook with the sources of the cells that `text` changes; all else stays as it is, byte for byte."""
    raw = source.data.decode("utf-8-sig")
    new = dict(by_cell(shown(source, text)))
    for cell in reversed(_cells(source.path, source.data)):
        if new[cell.number] != cell.source:
            raw = raw[: cell.start] + with_source(raw, cell, new[cell.number]) + raw[cell.end :]
    return (BOM_UTF8 if source.bom else b"") + raw.encode("utf-8")


def shown(source: SourceText, text: str | None = None) -> str:
    """The joined text, or its new version, as `Joined.shown`."""
    return _joined(source.path, _cells(source.path, source.data)).shown(
        source.path, source.text if text is None else text
    )


def by_cell(text: str) -> list[tuple[int, str]]:
    """The number and the source of every cell of a joined text."""
    above, *pieces = _MARK.split(text)
    sources = [source.removeprefix("\n").removesuffix("\n") for source in pieces[1:-1:2]]
    sources += [source.removeprefix("\n") for source in pieces[-1:]]
    pairs = list(zip(map(int, pieces[::2]), sources, strict=True))
    return [(pairs[0][0], above + pairs[0][1]), *pairs[1:]] if pairs else []


def in_cells(finding: Finding, where: Rows) -> Finding:
    """A finding of a joined text with its cell, and places that count from there."""
    number, _ = where.cell(finding.span.start.row)
    fix = finding.fix
    if fix is not None:
        edits = (edit._replace(span=_in_cell(edit.span, where), cell=_number(edit.span, where)) for edit in fix.edits)
        fix = fix._replace(edits=tuple(edits))
    return finding._replace(span=_in_cell(finding.span, where), cell=number, fix=fix, line="")


def joined_span(finding: Finding, where: Rows) -> Span:
    """The place of a finding of a cell in the joined text."""
    return _shift(finding.span, where.mark(finding.cell))


def _number(span: Span, where: Rows) -> int:
    return where.cell(span.start.row)[0]


def _in_cell(span: Span, where: Rows) -> Span:
    return _shift(span, -where.cell(span.start.row)[1])


def _shift(span: Span, by: int) -> Span:
    (row, column), (end_row, end_column) = span
    return Span(Position(row + by, column), Position(end_row + by, end_column))


def _cells(path: str, data: bytes) -> list[Cell]:
    try:
        result = code_cells(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceError(path, "is not UTF-8, as notebooks are") from error
    except json.JSONDecodeError as error:
        raise SourceError(path, f"is not a notebook: {error.msg}", error.lineno, error.colno) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(path, f"is not a notebook: {error}") from error
    return [cell for cell in result if is_python(cell.source)]
