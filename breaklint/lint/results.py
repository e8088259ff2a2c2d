"""The result of a run over many files: findings, lines for the user, changed files."""

from __future__ import annotations

from typing import NamedTuple

from breaklint.model import EagerCall, Entry, Finding, Forward
from breaklint.source.source_text import SourceText


class Change(NamedTuple):
    """A file that fixes change, and its new text."""

    source: SourceText
    text: str


class RunResult(NamedTuple):
    """The result of all files.

    `files` is the number of files and `fixed` that of applied fixes by rule code; `errors` and `notices` are lines for
    the user; `texts` are the texts of standard input and of cells by name (notebook_places.py).
    `left_out` counts findings that are not reported, by the option that excludes them. `entries` are the entry points,
    each once; `uncompiled` counts the files that mention torch and have none, `unfollowed` the calls of the compiler
    whose argument check cannot resolve. `checked` are the files, as given. `forwards` are the entry points that a break
    splits, each once, and `before` those before fixes were written. `eager_calls` are the helpers that are better
    disabled as a whole. `assumed_torch` is the target if neither the settings nor the environment name one.
    """

    files: int = 0
    findings: tuple[Finding, ...] = ()
    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    changes: tuple[Change, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    entries: tuple[Entry, ...] = ()
    uncompiled: int = 0
    unfollowed: int = 0
    checked: tuple[str, ...] = ()
    forwards: tuple[Forward, ...] = ()
    before: tuple[Forward, ...] = ()
    eager_calls: tuple[EagerCall, ...] = ()
    assumed_torch: str = ""
