"""Is what runs under a file's name what the file says?

Code may come from another text: compiled under that name, loaded before an edit, or rewritten on import. What Dynamo
does with it says nothing of the file. Imported once torch is.
"""

from __future__ import annotations

import ast
import builtins
import dis
import os
import warnings
from collections.abc import Callable, Collection, Iterator, Set
from types import CodeType
from typing import Any, Final, NamedTuple

from torch._dynamo.resume_execution import ContinueExecutionCache

from breaklint.observe.raw import SYSTEM, digest_of

_compile: Callable[..., Any] = builtins.compile  # tests may replace what is built in
_NOTHING: Final = frozenset[int]()
_NO_PART: Final = frozenset({"EXTENDED_ARG", "CACHE", "RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR"})


class Text(NamedTuple):
    """A file as it was read: where it is, a digest of it, the code that it gives by name, and the rows of asserts."""

    path: str
    digest: str
    codes: dict[str, list[CodeType]]
    asserts: Set[int]


class OwnCode:
    """Compares code with the files that it names."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[tuple[int, ...], Text | None]] = {}
        self._known: dict[int, tuple[CodeType, Text | None, Set[int]]] = {}

    def text(self, code: CodeType) -> tuple[Text | None, Set[int]]:
        """The text that a code object comes from, None for none; and the rows of it that were rewritten on import.

        These are asserts, which pytest replaces, and which are no part of the code's meaning elsewhere.
        """
        if id(code) not in self._known:  # code objects are equal across files
            source = original(code)
            text = self._read(source.co_filename)
            rewritten = _rewritten(source, text) if text is not None else None
            self._known[id(code)] = code, text if rewritten is not None else None, rewritten or _NOTHING
        return self._known[id(code)][1:]

    def _read(self, filename: str) -> Text | None:
        """The text as it is now: a file may be edited, and its module loaded again."""
        path = SYSTEM.realpath(filename)
        try:
            state = SYSTEM.stat(path)
        except (OSError, ValueError):
            return None
        stamp = (state.st_ino, state.st_mtime_ns, state.st_size)
        if path not in self._texts or self._texts[path][0] != stamp:
            self._texts[path] = stamp, _parsed(path, state.st_size)
        return self._texts[path][1]


def _parsed(path: str, size: int) -> Text | None:
    try:
        descriptor = SYSTEM.open(path, os.O_RDONLY)
        try:
            data = SYSTEM.read(descriptor, size + 1)
        finally:
            SYSTEM.close(descriptor)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the syntax have been said
            tree = _compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
            code = _compile(tree, path, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    asserts = (each for each in ast.walk(tree) if isinstance(each, ast.Assert))
    rows = frozenset(row for each in asserts for row in range(each.lineno, (each.end_lineno or each.lineno) + 1))
    codes: dict[str, list[CodeType]] = {}
    for each in _codes(code):
        codes.setdefault(each.co_name, []).append(each)
    return Text(path, digest_of(data), codes, rows)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def original(code: CodeType) -> CodeType:
    """The code that Dynamo has made this of, to go on behind a break."""
    made = ContinueExecutionCache.generated_code_metadata
    while code in made:
        code = made[code].code
    return code


def _rewritten(code: CodeType, text: Text) -> Set[int] | None:
    """The rows on which code differs from that of the text; None where others than asserts do."""
    same_name = text.codes.get(code.co_name, ())
    if code in same_name:
        return _NOTHING
    for skipped in (_NOTHING, text.asserts):  # whole first: what decorates a function may have moved its first row
        shape = _shape(code, skipped)
        if any(_shape(each, skipped) == shape for each in same_name):
            return skipped
    return None


def _shape(code: CodeType, skipped: Collection[int]) -> list[Any]:
    """What a code object does, by names and values, with rows; without those that are skipped."""
    kept: list[Any] = [getattr(code, "co_qualname", code.co_name), code.co_argcount, code.co_posonlyargcount]
    kept += [code.co_kwonlyargcount, code.co_flags & (1 << 2 | 1 << 3), code.co_freevars]
    row, places, jumps = None, {}, []
    starts = dict(dis.findlinestarts(code))
    for each in dis.get_instructions(code):
        row = starts.get(each.offset, row)
        places[each.offset] = len(kept)
        if row in skipped or each.opname in _NO_PART:
            continue
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
            jumps.append((len(kept), each.argval))
            kept.append((each.opname, row))
        else:
            kept.append((each.opname, _value(each.argval), row))
    kept += [(place, places.get(target)) for place, target in jumps]
    return kept


def _value(value: Any) -> Any:
    """A constant that compares as equal to the same one only."""
    if isinstance(value, CodeType):
        return value.co_name
    if isinstance(value, tuple | frozenset):
        each = [_value(one) for one in value]
        return type(value), each if isinstance(value, tuple) else sorted(map(repr, each))
    return type(value), repr(value)
