"""The comments that silence findings.

`# breaklint: ignore[BRK201, BRK1] reason` and `# noqa: BRK201` silence the lines of the statement they stand on;
`# breaklint: ignore` on a line of its own silences the next line of code, `# breaklint: file-ignore[...]` the file.
Without codes they silence everything. A code silences every rule whose code starts with it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from breaklint.model import Position, Span

if TYPE_CHECKING:
    from tokenize import TokenInfo

_CANDIDATE = re.compile(r"#\s*(?:breaklint\s*:|noqa\b).*", re.IGNORECASE)
_OURS = re.compile(r"#\s*breaklint\s*:\s*(?P<whole>(?P<kind>[\w-]*)(?:\s*\[(?P<codes>[^\]]*)\])?)", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+\b)*))?", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]\w*")
EVERYTHING = ""


@dataclass(slots=True)
class _Silencer:
    """One code of one comment; `code` is a prefix, so that EVERYTHING silences all."""

    code: str
    row: int | None
    span: Span
    comment: Span
    ours: bool
    used: bool = False


@dataclass(slots=True)
class Suppressions:
    """What the comments of one file silence, and which of them never did."""

    _silencers: list[_Silencer] = field(default_factory=list)
    _by_row: dict[int | None, list[_Silencer]] = field(init=False)

    def __post_init__(self) -> None:
        self._by_row = {}
        for silencer in self._silencers:
            self._by_row.setdefault(silencer.row, []).append(silencer)

    def hides(self, code: str, first_row: int, last_row: int) -> bool:
        """Whether a finding of `code` on these rows is silenced; remembers the comment as used."""
        hidden = False
        rows = (None, *range(first_row, last_row + 1)) if self._silencers else ()
        for silencer in (silencer for row in rows for silencer in self._by_row.get(row, ())):
            if code.startswith(silencer.code):
                silencer.used = hidden = True
        return hidden

    def afresh(self) -> Suppressions:
        """The same comments, none of them used."""
        return Suppressions([replace(silencer, used=False) for silencer in self._silencers])

    def used(self) -> list[Span]:
        """The breaklint comments, and codes in them, that hid something so far."""
        used = [one for one in self._silencers if one.ours and one.used]
        return list(dict.fromkeys(span for one in used for span in (one.comment, one.span)))

    def unused(self, skipped: Collection[str] = ()) -> list[Span]:
        """The breaklint comments, or codes in them, that hid nothing so far, in the order of the file.

        `skipped` are the codes of rules that did not run: a comment that could be about one of them is not judged.
        """
        idle = [one for one in self._silencers if one.ours and not one.used and not _about(one.code, skipped)]
        silent = {id(one) for one in idle}
        whole = {one.comment for one in idle} - {one.comment for one in self._silencers if id(one) not in silent}
        return list(dict.fromkeys(one.comment if one.comment in whole else one.span for one in idle))


def suppressions(text: str, rules: Collection[str] = (EVERYTHING,)) -> Suppressions:
    """Read the comments of `text`; of source that does not parse, those before the error.

    Comments that name other tools' codes only may be left out when the codes of all `rules` are given.
    """
    # Most files have no such comment, and the tokenizer is slow.
    return Suppressions(list(_silencers(text))) if _may_silence(text, rules) else Suppressions()


def _may_silence(text: str, rules: Collection[str]) -> bool:
    if _CANDIDATE.search(text) is None:
        return False
    if EVERYTHING in rules or _OURS.search(text):
        return True
    named = {noqa["codes"] for row in _CANDIDATE.findall(text) for noqa in _NOQA.finditer(row)}
    codes = {code.upper() for some in named for code in (_CODE.findall(some) if some else [EVERYTHING])}
    return any(rule.startswith(code) for code in codes for rule in rules)


def own_suppressions(text: str) -> Suppressions:
    """As `suppressions`, but nothing for a text without comments of breaklint's own; these alone can be unused."""
    return suppressions(text) if _OURS.search(text) else Suppressions()


def _about(prefix: str, skipped: Collection[str]) -> bool:
    return any(code.startswith(prefix) for code in skipped)


def _silencers(text: str) -> Iterator[_Silencer]:
    import tokenize  # slow to import, and needed by few files

    marks = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    alone: list[TokenInfo] = []
    code_row = 0
    for token in _tokens(text):
        if token.type == tokenize.COMMENT:
            if token.start[0] == code_row:
                yield from _of_comment(token, token.start[0])
            else:
                alone.append(token)
        elif token.type not in marks:
            for comment in alone:
                yield from _of_comment(comment, token.start[0])
            alone.clear()
            code_row = token.end[0]
    for comment in alone:
        yield from _of_comment(comment, comment.start[0])


def _tokens(text: str) -> Iterator[TokenInfo]:
    import tokenize

    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _of_comment(token: TokenInfo, row: int) -> Iterator[_Silencer]:
    for match in _OURS.finditer(token.string):
        yield from _ours(token, match, row)
    for match in _NOQA.finditer(token.string):
        comment = _span(token, *match.span())
        for code in _CODE.findall(match["codes"]) if match["codes"] else [EVERYTHING]:
            yield _Silencer(code.upper(), token.start[0], comment, comment, ours=False)


def _ours(token: TokenInfo, match: re.Match[str], row: int) -> Iterator[_Silencer]:
    comment = _span(token, match.start(), match.end("whole"))
    lines = {"ignore": row, "file-ignore": None}
    kind = match["kind"].lower()
    if kind not in lines:
        # A misspelt comment silences nothing; told as unused, it is noticed.
        yield _Silencer("?", 0, comment, comment, ours=True)
    elif match["codes"] is None:
        yield _Silencer(EVERYTHING, lines[kind], comment, comment, ours=True)
    else:
        codes = list(_CODE.finditer(match["codes"]))
        start = match.start("codes")
        for code in codes:
            span = _span(token, start + code.start(), start + code.end())
            yield _Silencer(code[0].upper(), lines[kind], span, comment, ours=True)
        if not codes:
            yield _Silencer("?", 0, comment, comment, ours=True)


def _span(token: TokenInfo, start: int, end: int) -> Span:
    row, column = token.start
    return Span(Position(row, column + start + 1), Position(row, column + end + 1))
