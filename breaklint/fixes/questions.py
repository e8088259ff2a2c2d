"""What a fix rests on besides its own file: the question whether all that code reads is what it is taken for."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from breaklint.analysis.function_reads import made_of, reads
from breaklint.analysis.given_files import Class
from breaklint.analysis.questions import Question, Read
from breaklint.analysis.traced_stores import held_names
from breaklint.fixes.base import FixRequest
from breaklint.interp.transfer.decorators import is_understood
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.project import Project
from breaklint.project.walking import dotted_name, walk


def question_of(request: FixRequest, keeps_code: bool) -> Question:
    """Whether a name, function, method or attribute that the finding's function, or the parts of it that matter, reads
    may be another one.

    Without values that were inferred, a fix rests on names of libraries alone; one that `keeps_code` on none of them.
    """
    if keeps_code:
        return Question(os.path.abspath(request.module.path), "", (), (), (), of_values=False)
    found = request.module.derive(_Asked, _Asked)
    if request.parts is not None:
        return _question(request, request.parts)
    key = request.scope.root, request.cls, bool(request.inferred)
    if key not in found:
        found[key] = _question(request)
    return found[key]


class _Asked(dict[tuple[ast.AST, ClassInfo | None, bool], Question]):
    """The questions of the functions of a file, which may have many findings."""


def _question(request: FixRequest, parts: tuple[ast.AST, ...] = ()) -> Question:
    interp, own = request.event.frame.interp, request.cls
    project, path = interp.project, os.path.abspath(request.module.path)
    if not request.inferred:
        names = {part.attr for part in walk(request.scope.root) if isinstance(part, ast.Attribute)}
        names.update(request.scope.read_names)
        return Question(path, "", (), (), tuple(map(Read, sorted(names))), of_values=False)
    above = [each for each in (project.mro(own) if own else ()) if isinstance(each, ClassInfo)]
    places = tuple(map(_place, above))
    makers = tuple(dict.fromkeys(maker for cls in above for maker in _makers(project, cls)))
    found = dict.fromkeys(
        read._replace(known=read.known and all(is_understood(interp, function) for function in functions))
        for read, functions in reads(request, project, interp.values, parts)
    )
    found |= dict.fromkeys(made_of(request, project, above))
    name = own.name.rpartition(".")[2] if own else ""
    return Question(path, name, places, makers, tuple(found), held=held_names(request))


def _makers(project: Project, cls: ClassInfo) -> Iterator[Class]:
    """What of the project changes a class when it is defined, or its objects when they are made: its decorators and its
    metaclass."""
    given = [each.func if isinstance(each, ast.Call) else each for each in cls.node.decorator_list]
    for node in (*given, *(keyword.value for keyword in cls.node.keywords)):
        dotted = dotted_name(node)
        found = project.resolve(cls.module, dotted) if dotted else None
        if isinstance(found, (ClassInfo, FunctionInfo)):
            yield _place(found)


def _place(found: ClassInfo | FunctionInfo) -> Class:
    return os.path.abspath(found.module.path), found.name.rpartition(".")[2]
