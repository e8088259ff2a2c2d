"""Fixes that rest on what other files do: they are as safe as the indexes of all files of the run say, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from breaklint.analysis.questions import Question, Read, reasons
from breaklint.model import Applicability, Finding

if TYPE_CHECKING:
    from breaklint.analysis.integrity import Integrity

# A finding with a fix, what the fix is in doubt, and on what it rests.
Rests = tuple[Finding, Applicability, Question]


class OpenQuestion(NamedTuple):
    """The findings of a function with fixes, what these are where there is a doubt, and what has to be known.

    `doubts` is the answer: names that may be something else, and what files show; None where it is not known yet.
    `question` is None where the answer is of an earlier run.
    """

    findings: tuple[tuple[Finding, Applicability], ...]
    question: Question | None
    doubts: tuple[str, ...] | None = None


def open_questions(rests: Iterable[Rests], shared: dict[Read, Read]) -> list[OpenQuestion]:
    """A question for all findings of a function in a row, which have it in common: both may be thousands.

    Equal reads of all questions are one object, kept in `shared`: a run holds the questions of all its files.
    """
    return [
        OpenQuestion(
            tuple((finding, doubted) for finding, doubted, _ in group),
            question._replace(reads=tuple(shared.setdefault(read, read) for read in question.reads)),
        )
        for question, group in groupby(rests, itemgetter(2))
    ]


def answer_questions(
    questions: Iterable[OpenQuestion], integrity: Integrity, followed: Sequence[str]
) -> list[OpenQuestion]:
    """The questions with their answers."""
    return [
        each
        if each.doubts is not None or each.question is None
        else each._replace(doubts=integrity.doubts(each.question, followed))
        for each in questions
    ]


def settle_fixes(findings: Iterable[Finding], questions: Iterable[OpenQuestion]) -> tuple[Finding, ...]:
    """The findings, with fixes that name the doubts that their questions were answered with, and are not safe then."""
    doubted: dict[Finding, tuple[Applicability, dict[str, None]]] = {}
    answered = ((each, doubts) for findings, _, doubts in questions if doubts for each in findings)
    for (finding, applicability), doubts in answered:  # equal findings of several traces have a question each
        doubted.setdefault(finding, (applicability, {}))[1].update(dict.fromkeys(doubts))
    return tuple(dict.fromkeys(_doubted(each, *doubted[each]) if each in doubted else each for each in findings))


def _doubted(finding: Finding, applicability: Applicability, doubts: Iterable[str]) -> Finding:
    if finding.fix is None:
        return finding
    why = "; ".join([finding.fix.why, *(each for each in reasons(doubts) if each not in finding.fix.why)])
    return finding._replace(fix=finding.fix._replace(applicability=applicability, why=why))
