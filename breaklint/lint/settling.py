"""The end of a run: the questions that its files have left open are answered by what all of them are like."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.lint.open_questions import OpenQuestion, answer_questions, integrity_of, settle_fixes
from breaklint.lint.workers import Outcome
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_source

if TYPE_CHECKING:
    from breaklint.lint.cached_questions import IndexCache

FEW = 16  # new indexes, for which the kept ones are not written again


def settle(outcomes: Sequence[Outcome], given: Sequence[str], folder: Path | None) -> list[Outcome]:
    """The outcomes with all questions answered; `folder` is where the indexes of the `given` files are kept."""
    fresh = {os.path.abspath(each.result.filename): each.index for each in outcomes if each.index is not None}
    is_open = any(question.doubt is None for each in outcomes for question in each.open_questions)
    kept: IndexCache | None = None
    if folder is not None and (is_open or len(fresh) > FEW):
        from breaklint.lint.cache import code_key
        from breaklint.lint.cached_questions import IndexCache

        kept = IndexCache(folder, code_key())
        kept.load()
    if is_open:
        known = {**fresh, **_kept(kept, {*map(os.path.abspath, given)} - fresh.keys())}
        integrity = integrity_of(given, lambda path: read_source(path).text, Folders(), known)
        found = {id(each): answer_questions(each.open_questions, integrity, each.followed) for each in outcomes}
        fresh = integrity.files.encoded()
    else:
        found = {}
    if kept is not None:
        kept.save(fresh)
    return [_settled(each, found.get(id(each), each.open_questions)) for each in outcomes]


def _kept(kept: IndexCache | None, paths: set[str]) -> dict[str, str]:
    if kept is None:
        return {}
    return {path: index for path in paths if (index := kept.get(path)) is not None}


def _settled(outcome: Outcome, questions: Sequence[OpenQuestion]) -> Outcome:
    if not questions:
        return replace(outcome, index=None)
    findings = settle_fixes(outcome.result.findings, questions)
    result = outcome.result._replace(findings=findings)
    return replace(outcome, result=result, index=None, open_questions=questions)
