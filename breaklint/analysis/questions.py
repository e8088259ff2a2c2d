"""Questions about what may be something else than the code says: what `Integrity` answers, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from breaklint.project.project import BUILTINS

DOUBT: Final = "{} may be something else here, of which the result or the error may be another one"
SHOWN: Final = "other files have {}, for which the result or the error may be another one"
MOST: Final = 6  # names that one sentence lists


def quoted(names: Iterable[str]) -> str:
    """Names of code in a sentence."""
    return listed(f"`{name}`" for name in names)


def listed(texts: Iterable[str]) -> str:
    """Texts in a sentence: "a, b and c"; of very many the first, and how many there are more."""
    first = list(texts)
    first, more = (first, 0) if len(first) <= MOST else (first[: MOST - 1], len(first) - MOST + 1)
    last = f"{more} more" if more else first.pop()
    return f"{', '.join(first)} and {last}" if first else last


def reasons(doubts: Iterable[str]) -> list[str]:
    """What the answers of `Integrity.doubts` say, as reasons of a fix: of names, and of what files show."""
    doubts = list(doubts)
    shown = [each for each in doubts if " " in each]
    # A file that may store any name makes all of them doubtful; the project's own tell more than `len`.
    names = sorted((each for each in doubts if " " not in each), key=BUILTINS.__contains__)
    found = [DOUBT.format(quoted(names))] if names else []
    return [*found, SHOWN.format(listed(shown))] if shown else found


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
