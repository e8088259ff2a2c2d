"""The effect of a changed file on the findings of other files that reach it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set

from breaklint.lint.workers import Outcome
from breaklint.project.outline import cut_module

_IMPORT = "import "
# The parts of a file's text that fixes read at any place.
_WORDS = ("yield", ".setter", "global ", "nonlocal ")


def altered_names(old: str, new: str) -> Set[str] | None:
    """The top-level names whose definitions differ between two texts of a file, and those of new imports; None if
    anything else differs, or if the texts cannot be split at their definitions."""
    cut, new_cut = cut_module(old), cut_module(new)
    if cut is None or new_cut is None or any((word in old) != (word in new) for word in _WORDS):
        return None
    pieces, new_pieces = cut[1], new_cut[1]
    if [(piece.kind, piece.name) for piece in pieces] != [(piece.kind, piece.name) for piece in new_pieces]:
        return None
    lines, new_lines = ([line for line in text.split("\n") if line.strip()] for text in (cut[0], new_cut[0]))
    imported = {line for line in new_lines if line.startswith(_IMPORT)} - {*lines}
    if [line for line in new_lines if line not in imported] != lines:
        return None
    both = zip(pieces, new_pieces, strict=True)
    defined = {piece.name for piece, other in both if piece.text.strip() != other.text.strip()}
    return defined | {line.removeprefix(_IMPORT).strip() for line in imported}


def may_concern(moved: Mapping[str, Set[str] | None], outcome: Outcome) -> bool:
    """Whether the findings of a file may differ after changes of files: `moved` has the changed names by path."""
    places = moved.keys() & {path for path in outcome.imported.values() if path is not None}
    return any(_reaches(outcome, place, moved[place]) for place in places)


def _reaches(outcome: Outcome, place: str, names: Set[str] | None) -> bool:
    """Whether the findings of a file depend on names of another file, or are in it."""
    if names is None or outcome.reached is None or not names.isdisjoint(outcome.reached.get(place, ())):
        return True
    result = outcome.result
    filenames = {finding.filename for finding in result.findings} | {name for name, _ in result.silenced}
    texts = [*result.notices, *(text for item in result.findings for text in (item.message, item.when, item.no_fix))]
    return place in map(os.path.abspath, filenames) or any(os.path.basename(place) in text for text in texts)
