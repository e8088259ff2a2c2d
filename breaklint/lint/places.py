"""Names for the places of findings."""

from __future__ import annotations

from breaklint.model import Finding


def place(finding: Finding) -> str:
    """The file of a finding, with the cell in a notebook: `nb.ipynb:cell 3`."""
    return cell_name(finding.filename, finding.cell) if finding.cell else finding.filename


def cell_name(filename: str, number: int) -> str:
    """The name of a cell."""
    return f"{filename}:cell {number}"
