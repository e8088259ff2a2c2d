"""Names for the places of findings."""

from __future__ import annotations

from breaklint.model import Cause, Finding


def place(at: Finding | Cause) -> str:
    """The file of a finding or cause, with the cell in a notebook: `nb.ipynb:cell 3`."""
    return cell_name(at.filename, at.cell) if at.cell else at.filename


def cell_name(filename: str, number: int) -> str:
    """The name of a cell."""
    return f"{filename}:cell {number}"
