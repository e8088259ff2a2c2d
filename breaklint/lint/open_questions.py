"""Safe fixes that rest on what other files do: they are as safe as the indexes of all files of the run say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from breaklint.analysis.encoding import encoded
from breaklint.analysis.file_index import FileIndex, file_index
from breaklint.analysis.given_files import GivenFiles
from breaklint.analysis.integrity import Integrity, Question, Read, doubtful
from breaklint.errors import SourceError
from breaklint.model import Applicability, Finding
from breaklint.project.binding import build
from breaklint.project.folders import Folders
from breaklint.project.module import Module
from breaklint.source.syntax import parse

ReadText = Callable[[str], str]


Rests = tuple[
    Finding, Applicability, Question
]  # a finding with a safe fix, what the fix is in doubt, and on what it rests


class OpenQuestion(NamedTuple):
    """The findings of a function with safe fixes, what these are where there is a doubt, and what has to be known.

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
    """The findings, with fixes that are safe where the answer to their question is no doubt."""
    doubts: dict[Finding, Finding] = {}
    doubted = ((each, name) for findings, _, name in questions if name for each in findings)
    for (finding, applicability), name in doubted:
        if finding.fix is not None:
            why = f"{finding.fix.why}; {doubtful(name)}"
            doubts[finding] = finding._replace(fix=finding.fix._replace(applicability=applicability, why=why))
    return tuple(dict.fromkeys(doubts.get(each, each) for each in findings))


def integrity_of(
    given: Iterable[str],
    read: ReadText,
    folders: Folders,
    known: Mapping[str, str] | None = None,
    changes: Mapping[str, frozenset[str]] | None = None,
) -> Integrity:
    """The integrity of a run; an index that is not `known`, as text, is made of the file when it is needed, and so are
    the names of which it `changes` lists and dicts."""

    def load(path: str) -> FileIndex | None:
        module = parse_alone(path, read, folders)
        if module is None:
            return None
        index = file_index(module)
        module.forget()  # its parts hold each other
        return index

    def changed(path: str) -> frozenset[str]:
        from breaklint.analysis.container_uses import changed_names  # with the interpreter

        module = parse_alone(path, read, folders)
        if module is None:
            return frozenset()
        names = changed_names(module.tree)
        module.forget()
        return names

    return Integrity(GivenFiles(given, load, changed, folders, known, changes))


def parse_alone(path: str, read: ReadText, folders: Folders) -> Module | None:
    """A file as a module that no project knows; None when it is no Python."""
    try:
        return module_of(path, text := read(path), parse(path, text), folders)
    except (SourceError, OSError):
        return None


def index_of(path: str, text: str, tree: object, folders: Folders) -> str:
    """What a file that no project knows may do to others, as text."""
    module = module_of(path, text, tree, folders)
    index = encoded(file_index(module))
    module.forget()  # its parts hold each other
    return index


def module_of(path: str, text: str, tree: object, folders: Folders) -> Module:
    """A tree as a module that no project knows."""
    _, name, is_package = folders.dotted(os.path.abspath(path))
    return build(Module(path, name, tree, [text], is_package, {}, len(text)))  # type: ignore[arg-type]
