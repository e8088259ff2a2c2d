"""Fixes that rest on what other files do: they are as safe as the indexes of all files of the run say, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from breaklint.analysis.questions import Question, Read, doubtful
from breaklint.model import Applicability, Finding

if TYPE_CHECKING:
    from breaklint.analysis.integrity import Integrity

# A finding with a fix, what the fix is in doubt, and on what it rests.
Rests = tuple[Finding, Applicability, Question]


class OpenQuestion(NamedTuple):
    """The findings of a function with fixes, what these are where there is a doubt, and what has to be known.

    `doubt` is the answer: a name that may be something else, "" for none; None where it is not known yet. `question` is
    None where the answer is of an earlier run.
    """

    findings: tuple[tuple[Finding, Applicability], ...]
    question: Question | None
    doubt: str | None = None


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
        if each.doubt is not None or each.question is None
        else each._replace(doubt=integrity.doubt(each.question, followed))
        for each in questions
    ]


def settle_fixes(findings: Iterable[Finding], questions: Iterable[OpenQuestion]) -> tuple[Finding, ...]:
    """The findings, with fixes that name the doubt that their question was answered with, and are not safe then."""
    doubts: dict[Finding, Finding] = {}
    doubted = ((each, name) for findings, _, name in questions if name for each in findings)
    for (finding, applicability), name in doubted:
        if finding.fix is not None:
            why, doubt = finding.fix.why, doubtful(name)
            why = why if doubt in why else f"{why}; {doubt}"
            doubts[finding] = finding._replace(fix=finding.fix._replace(applicability=applicability, why=why))
    return tuple(dict.fromkeys(doubts.get(each, each) for each in findings))
