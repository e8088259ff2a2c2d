"""Findings and fixes as the language server protocol has them.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher

from lsprotocol import types
from pygls.workspace import PositionCodec

from breaklint.editor.documents import Document
from breaklint.errors import SourceError
from breaklint.fixes.apply import apply_chosen
from breaklint.model import Applicability, Finding, Position, Severity, Span
from breaklint.output.brief import reasons
from breaklint.output.wording import message_of, observed_in_words
from breaklint.source.edits import alike
from breaklint.source.ignore_comments import with_ignores

FIX_ALL = "source.fixAll.breaklint"
NOTEBOOK_FIX_ALL = "notebook.source.fixAll.breaklint"  # as VS Code calls what changes several cells
_TITLES = {
    FIX_ALL: "breaklint: make all safe fixes",
    NOTEBOOK_FIX_ALL: "breaklint: make all safe fixes of the notebook",
}
_TITLE = 110  # characters
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}


def diagnostic(finding: Finding, span: Span, lines: Sequence[str], codec: PositionCodec) -> types.Diagnostic:
    """A finding as the editor shows it, at its place in a text of these lines."""
    observation = observed_in_words(finding)
    message = ". ".join(text for text in (message_of(finding), finding.note, observation) if text)
    return types.Diagnostic(
        range=span_range(span, lines, codec),
        message=message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(finding.url) if finding.url else None,
        source="breaklint",
    )


def span_range(span: Span, lines: Sequence[str], codec: PositionCodec) -> types.Range:
    """A span in the units of the editor, which are UTF-16 unless it requested others."""
    return types.Range(_position(span.start, lines, codec), _position(span.end, lines, codec))


def _position(position: Position, lines: Sequence[str], codec: PositionCodec) -> types.Position:
    return codec.position_to_client_units(lines, types.Position(position.row - 1, position.column - 1))


def holds(outer: types.Range, inner: types.Range) -> bool:
    """Whether two ranges meet; a cursor is a range of no length."""
    return _key(outer.start) <= _key(inner.end) and _key(inner.start) <= _key(outer.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def quick_fixes(finding: Finding, document: Document, codec: PositionCodec) -> Iterator[types.CodeAction]:
    """The fix of a finding, and the comment that suppresses it; neither if a magic line prevents it.

    Raises RuleBug when the fix do not compile.
    """
    uri, span = document.place(finding)
    diagnostics = [diagnostic(finding, span, document.texts()[uri].split("\n"), codec)]
    fix = finding.fix
    if fix is not None and fix.edits and fix.applicability is not Applicability.DISPLAY:
        safe = is_safe(finding)
        title = menu_line(f"{finding.code}: {fix.message}" if safe else f"{finding.code}, unsafe: {fix.message}")
        with suppress(SourceError):
            edit = workspace_edit(document, apply_chosen(document.path, document.text, [(finding, fix)]), codec)
            yield types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics, is_preferred=safe, edit=edit)
    title = f"{finding.code}: ignore it on this line"
    with suppress(SourceError):
        edit = workspace_edit(document, with_ignores(document.text, [finding]), codec)
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics, is_preferred=False, edit=edit)


def menu_line(title: str) -> str:
    """A title on one line of a menu: code that a fix names is cut."""
    line = " ".join(title.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def hover_page(finding: Finding, page: str) -> str:
    """The page of a rule, with the results that its fix may change here, or the reason for no fix."""
    if finding.no_fix:
        here = f"No fix here: {finding.no_fix}."
    elif finding.fix is not None and not is_safe(finding):
        here = "\n".join(["Results that the fix may change:", "", *(f"- {why}" for why in reasons(finding.fix.why))])
    else:
        return page
    heading, _, rest = page.partition("\n\n")
    return f"{heading}\n\n{here}\n\n{rest}"


def is_safe(finding: Finding) -> bool:
    """Whether a finding has a fix that needs no consent."""
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


def fix_all(kind: str, uri: str, document: Document, codec: PositionCodec) -> types.CodeAction | None:
    """All safe fixes of the document `uri` in one edit, or None."""
    edit = workspace_edit(document, document.fixed_text(uri), codec)
    return types.CodeAction(_TITLES[kind], kind, edit=edit) if edit.changes else None


def workspace_edit(document: Document, text: str, codec: PositionCodec) -> types.WorkspaceEdit:
    """The edits by which the text of a document becomes `text`. Raises SourceError if that is not possible."""
    old, new = document.texts(), document.split(text)
    edits = {uri: text_edits(old[uri], new[uri], codec) for uri in old if old[uri] != new[uri]}
    return types.WorkspaceEdit(changes=edits)


def text_edits(before: str, after: str, codec: PositionCodec) -> list[types.TextEdit]:
    """The edits from one text to the other; unchanged parts remain, also within a line."""
    old, new = before.split("\n"), after.split("\n")
    edits = []
    lines = _with_ends(old), _with_ends(new)
    for tag, start, end, new_start, new_end in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if tag != "equal":
            was, becomes = "".join(lines[0][start:end]), "".join(lines[1][new_start:new_end])
            head = alike(was, becomes)
            tail = alike(was[head:][::-1], becomes[head:][::-1])
            span = Span(_position_after(start, was[:head]), _position_after(start, was[: len(was) - tail]))
            edits.append(types.TextEdit(span_range(span, old, codec), becomes[head : len(becomes) - tail]))
    return edits


def _with_ends(lines: Sequence[str]) -> list[str]:
    return [*(f"{line}\n" for line in lines[:-1]), lines[-1]]


def _position_after(row: int, text: str) -> Position:
    """The position of the end of a text whose first line is `row`, counted from 0."""
    rest = text.rpartition("\n")[2]
    return Position(row + 1 + text.count("\n"), len(rest) + 1)
