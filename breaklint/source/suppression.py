"""The comments that silence findings.

`# breaklint: ignore[BRK201, BRK1] reason` and `# noqa: BRK201` suppress findings on the lines of their statement;
`# breaklint: ignore` on a line of its own silences the next line of code, `# breaklint: file-ignore[...]` the file.
Without codes they silence everything. A code silences every rule whose code starts with it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from breaklint.model import Position, Span

if TYPE_CHECKING:
    from tokenize import TokenInfo

_CANDIDATE = re.compile(r"#\s*(?:breaklint\s*:|noqa\b).*", re.IGNORECASE)
_OURS = re.compile(r"#\s*breaklint\s*:\s*(?P<whole>(?P<kind>[\w-]*)(?:\s*\[(?P<codes>[^\]]*)\])?)", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa\b(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+\b)*))?", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]\w*")
_LOOSE = re.compile(r"[\s(=:]*BRK\d", re.IGNORECASE)
EVERYTHING = ""


class _Silencer(NamedTuple):
    """One code of one comment; `code` is a prefix, so that EVERYTHING suppresses all; `row` None is the whole file."""

    code: str
    row: int | None
    span: Span
    comment: Span
    ours: bool


class Comments:
    """The comments of a text that suppress findings, read if a finding is on a line with such a comment.

    Comments that name other tools' codes only may be left out when the codes of all `rules` are given.
    """

    def __init__(self, text: str, rules: Collection[str] = (EVERYTHING,)) -> None:
        self._text = text
        self._rows = _rows(text, rules)
        self._silencers_by_row: dict[int | None, list[_Silencer]] | None = None

    def ours(self) -> list[_Silencer]:
        """Every code of breaklint's own comments; a text with given lines has none and is not searched."""
        silencers = self._by_row().values() if self._rows is None else ()
        return [one for some in silencers for one in some if one.ours]

    def on(self, first_row: int, last_row: int) -> Iterator[_Silencer]:
        """The suppressions for any of these lines."""
        rows = range(first_row, last_row + 1)
        if self._rows is None or not self._rows.isdisjoint(rows):  # most texts have none, and the tokenizer is slow
            for row in (None, *rows):
                yield from self._by_row().get(row, ())

    def _by_row(self) -> dict[int | None, list[_Silencer]]:
        if self._silencers_by_row is None:
            self._silencers_by_row = {}
            for silencer in _silencers(self._text) if self._rows != frozenset() else ():
                self._silencers_by_row.setdefault(silencer.row, []).append(silencer)
        return self._silencers_by_row


class Suppressions:
    """The suppressions of the comments of one file, and the unused ones."""

    def __init__(self, comments: Comments) -> None:
        self._comments = comments
        self._uses: set[_Silencer] = set()

    def hides(self, code: str, first_row: int, last_row: int, aliases: Sequence[str] = ()) -> bool:
        """Whether a finding of `code`, formerly `aliases`, is suppressed on these lines; records the use of the
        comment."""
        rows, codes = self._comments.on(first_row, last_row), (code, *aliases)
        silencers = [one for one in rows if any(item.startswith(one.code) for item in codes)]
        self._uses.update(silencers)
        return bool(silencers)

    def used(self) -> list[Span]:
        """The breaklint comments, and codes in them, that hid something so far."""
        uses = sorted((one for one in self._uses if one.ours), key=lambda one: one.span)
        return list(dict.fromkeys(span for one in uses for span in (one.comment, one.span)))

    def unused(self, skipped: Collection[str] = ()) -> list[Span]:
        """The breaklint comments, or codes in them, that hid nothing so far, in the order of the file.

        `skipped` are the codes of rules that did not run: a comment that could be about one of them is not judged.
        """
        ours = self._comments.ours()
        idle = {one for one in ours if one not in self._uses and not _about(one.code, skipped)}
        whole = {one.comment for one in idle} - {one.comment for one in ours if one not in idle}
        result = (one.comment if one.comment in whole else one.span for one in ours if one in idle)
        return list(dict.fromkeys(sorted(result)))


def suppressions(text: str) -> Suppressions:
    """The suppressions of the comments of `text`; if the source does not parse, those before the error."""
    return Suppressions(Comments(text))


def own_suppressions(text: str) -> Suppressions:
    """As `suppressions`, but nothing for a text without comments of breaklint's own; these alone can be unused."""
    return suppressions(text if _OURS.search(text) else "")


def _rows(text: str, rules: Collection[str]) -> frozenset[int] | None:
    """The lines of the comments that may suppress one of the rules; None for any line: our own also suppress others."""
    if EVERYTHING in rules or _OURS.search(text):
        return None if _CANDIDATE.search(text) else frozenset()
    rows, row, end = set(), 1, 0
    for result in _CANDIDATE.finditer(text):
        row, end = row + text.count("\n", end, result.start()), result.start()
        if _names(result[0], rules):
            rows.add(row)
    return frozenset(rows)


def _names(comment: str, rules: Collection[str]) -> bool:
    """Whether a `# noqa` names one of the rules, or none at all."""
    some = [result["codes"] for result in _NOQA.finditer(comment)]
    codes = [code.upper() for text in some for code in (_CODE.findall(text) if text else [EVERYTHING])]
    return any(rule.startswith(code) for code in codes for rule in rules)


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
    if kind not in lines or (match["codes"] is None and _LOOSE.match(token.string, match.end("whole"))):
        # A misspelt comment, or one with a code outside of brackets, silences nothing and is reported as unused.
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
