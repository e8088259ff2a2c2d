"""The end of a run: the questions that its files have left open are answered by what all of them are like."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from importlib.util import source_hash
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.lint.workers import Outcome
from breaklint.project.folders import Folders
from breaklint.source.decoding import read_source

if TYPE_CHECKING:
    from breaklint.analysis.integrity import Integrity
    from breaklint.lint.cache import Cache
    from breaklint.lint.cached_questions import IndexCache
    from breaklint.lint.open_questions import OpenQuestion

FEW = 16  # new indexes, for which the kept ones are not written again


def settle(
    outcomes: Sequence[Outcome], given: Sequence[str], folder: Path | None, caches: Sequence[Cache]
) -> list[Outcome]:
    """The outcomes with all questions answered.

    Answers that are kept in `caches` hold while the given files are in the state in which they were given; `folder` is
    where the files' indexes are kept.
    """
    files = _FilesOfRun(outcomes, given, folder if caches else None)
    state = next((state for cache in caches if (state := cache.state())), "")
    if not state and any(cache.has_answers() for cache in caches):
        state = files.state()
    settled = list(outcomes)
    for cache in caches:
        settled = [cache.reopened(each, state) for each in settled]
    is_open = any(question.doubts is None for each in settled for question in each.open_questions)
    if is_open:
        from breaklint.lint.open_questions import answer_questions

        answers = (answer_questions(each.open_questions, files.integrity, each.followed) for each in settled)
        settled = [replace(each, open_questions=found) for each, found in zip(settled, answers, strict=True)]
    if caches and any(each.open_questions for each in settled):
        state = files.state() if is_open or not state else state
        for cache in caches:
            cache.answer(settled, state)
    if is_open or len(files.fresh) > FEW:
        files.save()
    return [_settled(each, each.open_questions) for each in settled]


class _FilesOfRun:
    """The given files, as far as questions ask about them: their indexes."""

    def __init__(self, outcomes: Sequence[Outcome], given: Sequence[str], folder: Path | None) -> None:
        self.fresh = {os.path.abspath(each.result.filename): each.index for each in outcomes if each.index is not None}
        self._given, self._folder = given, folder

    @cached_property
    def _kept(self) -> IndexCache | None:
        if self._folder is None:
            return None
        from breaklint.lint.cache import code_key
        from breaklint.lint.cached_questions import IndexCache

        kept = IndexCache(self._folder, code_key())
        kept.load()
        return kept

    @cached_property
    def integrity(self) -> Integrity:
        """What the files do to one another."""
        from breaklint.lint.file_indexes import integrity_of  # a run in which nothing has changed needs none

        paths = [] if self._kept is None else [*map(os.path.abspath, self._given)]
        kept = {path: index for path in paths if self._kept is not None and (index := self._kept.get(path))}
        return integrity_of(self._given, lambda path: read_source(path).text, Folders(), kept | self.fresh)

    def state(self) -> str:
        """All that questions may ask about the files, as a short text."""
        told = (f"{path}\t{index}" for path, index in sorted(self._told().items()))
        return source_hash("\n".join(told).encode(errors="surrogatepass")).hex()

    def save(self) -> None:
        """Keep the indexes for the next run."""
        if self._kept is not None:
            self._kept.save({path: index for path, index in self._told().items() if index})

    def _told(self) -> dict[str, str]:
        """Of every file the index as text, "" for what is no Python."""
        files = self.integrity.files
        return {path: files.text(path) for path in files.given}


def _settled(outcome: Outcome, questions: Sequence[OpenQuestion]) -> Outcome:
    if not questions:
        return replace(outcome, index=None)
    from breaklint.lint.open_questions import settle_fixes

    findings = settle_fixes(outcome.result.findings, questions)
    result = outcome.result._replace(findings=findings)
    return replace(outcome, result=result, index=None)
