"""Questions about what may be something else than the code says: what `Integrity` answers, and what is kept of it."""

from __future__ import annotations

from typing import Final, NamedTuple

DOUBT: Final = "`{}` may be something else here, of which the result or the error may be another one"
SHOWN: Final = "another file has {}, for which the result or the error may be another one"


def doubtful(doubt: str) -> str:
    """What an answer of `Integrity.doubt` says, as the reason of a fix: of a name, or of what a file shows."""
    return (SHOWN if " " in doubt else DOUBT).format(doubt)


class Read(NamedTuple):
    """A name that a function reads, `is_attribute`: as one of an object or a module; `of_object`: of an object of the
    project; `of_contents`: where it is a list or dict.

    `known` tells that what it stands for is understood; `is_store`, that it is stored or deleted instead; `is_above`,
    that it is one of `super()`. `bindings` are the names of files that it stands for, each with the row from which it
    is read, `contents` those that are a list or dict ("" for the path of the file itself), and `owner` the file that
    reads it as an attribute of a module.
    """

    name: str
    known: bool = True
    is_attribute: bool = False
    of_object: bool = False
    of_contents: bool = False
    is_store: bool = False
    is_above: bool = False
    bindings: tuple[tuple[str, str, int], ...] = ()
    contents: tuple[tuple[str, str], ...] = ()
    owner: str = ""


class Question(NamedTuple):
    """Whether what a function of the file at `path` reads is what the interpreter takes it for.

    `cls` is its class, with those `above` it in the order in which Python looks, and what `makers` change these:
    decorators and metaclasses; `of_values`: a fix rests on what values are, too. `written` are the names of functions
    and methods that the fix writes, `held` those of lists and dicts that must hold what they did; of those that hold
    others, with True. `concerns` is what no file may show, and `heads` are names of the file and builtins that the fix
    writes, `added` those that it imports.
    """

    path: str
    cls: str
    above: tuple[tuple[str, str], ...]
    makers: tuple[tuple[str, str], ...]
    reads: tuple[Read, ...]
    of_values: bool = True
    written: tuple[str, ...] = ()
    held: tuple[tuple[str, bool], ...] = ()
    concerns: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
