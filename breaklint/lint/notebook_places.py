"""Places in notebooks: the cell, and the line in it."""

from __future__ import annotations

import re

from breaklint.errors import SourceError
from breaklint.lint.places import cell_name
from breaklint.lint.results import RunResult
from breaklint.model import EagerCall, Finding
from breaklint.source.decoding import read_source
from breaklint.source.notebooks import Rows, by_cell, in_cells, rows, shown
from breaklint.source.source_text import NOTEBOOK

_LINE = re.compile(r"(?P<path>.*\.ipynb):(?P<row>\d+)\b(?P<rest>.*)", re.DOTALL)


def by_cells(result: RunResult) -> RunResult:
    """The result with findings and lines by cell, and the text of each cell by its name in `texts`."""
    texts = _texts(result)
    where = {filename: rows(text) for filename, text in texts.items()}
    cells = ((cell_name(name, number), cell) for name, text in texts.items() for number, cell in by_cell(text))
    return result._replace(
        findings=tuple(_finding(finding, where) for finding in result.findings),
        eager_calls=tuple(_in_cell(call, where) for call in result.eager_calls),
        errors=tuple(_line(line, where) for line in result.errors),
        notices=tuple(_line(line, where) for line in result.notices),
        texts=(*result.texts, *cells),
    )


def _finding(finding: Finding, where: dict[str, Rows]) -> Finding:
    """A finding with its place and that of its cause named by cell."""
    cause = finding.cause
    if cause is not None and cause.filename in where:
        number, above = where[cause.filename].cell(cause.row)
        finding = finding._replace(cause=cause._replace(cell=number, row=cause.row - above))
    return in_cells(finding, where[finding.filename]) if finding.filename in where else finding


def _in_cell(call: EagerCall, where: dict[str, Rows]) -> EagerCall:
    """A line of a notebook as a line of its cell, whose name replaces the file."""
    if call.filename not in where:
        return call
    number, above = where[call.filename].cell(call.row)
    return call._replace(filename=cell_name(call.filename, number), row=call.row - above)


def _texts(result: RunResult) -> dict[str, str]:
    """The joined texts of the notebooks that something is reported about."""
    texts = {name: text for name, text in result.texts if name.endswith(NOTEBOOK)}
    names = {finding.filename for finding in result.findings if finding.filename.endswith(NOTEBOOK)}
    names |= {match["path"] for line in (*result.errors, *result.notices) if (match := _LINE.fullmatch(line))}
    for name in sorted(names - texts.keys()):
        try:
            texts[name] = shown(read_source(name))
        except SourceError:
            continue  # reported already, or gone since
    return texts


def _line(line: str, where: dict[str, Rows]) -> str:
    """`nb.ipynb:12: ...` as `nb.ipynb:cell 3:4: ...`."""
    result = _LINE.fullmatch(line)
    if result is None or result["path"] not in where:
        return line
    number, above = where[result["path"]].cell(int(result["row"]))
    return f"{cell_name(result['path'], number)}:{int(result['row']) - above}{result['rest']}"
