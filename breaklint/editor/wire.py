"""Findings and fixes as the language server protocol has them.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from lsprotocol import types
from pygls.workspace import PositionCodec

from breaklint.editor.documents import Document
from breaklint.model import Applicability, Finding, Position, Severity, Span
from breaklint.source.ignore_comments import with_ignores

FIX_ALL = "source.fixAll.breaklint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}


def diagnostic(finding: Finding, lines: Sequence[str], codec: PositionCodec) -> types.Diagnostic:
    """A finding as the editor shows it."""
    message = ". ".join(text for text in (finding.message, finding.note) if text)
    return types.Diagnostic(
        range=span_range(finding.span, lines, codec),
        message=message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(finding.url) if finding.url else None,
        source="breaklint",
    )


def span_range(span: Span, lines: Sequence[str], codec: PositionCodec) -> types.Range:
    """A span in the units of the editor, which are UTF-16 unless it asked for others."""
    return types.Range(_position(span.start, lines, codec), _position(span.end, lines, codec))


def _position(position: Position, lines: Sequence[str], codec: PositionCodec) -> types.Position:
    return codec.position_to_client_units(lines, types.Position(position.row - 1, position.column - 1))


def holds(outer: types.Range, inner: types.Range) -> bool:
    """Whether two ranges meet; a cursor is a range of no length."""
    return _key(outer.start) <= _key(inner.end) and _key(inner.start) <= _key(outer.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def quick_fixes(finding: Finding, document: Document, uri: str, codec: PositionCodec) -> Iterator[types.CodeAction]:
    """The fix of a finding, and the comment that silences it."""
    lines = document.lines()
    found = [diagnostic(finding, lines, codec)]
    fix = finding.fix
    if fix is not None and fix.edits and fix.applicability is not Applicability.DISPLAY:
        safe = is_safe(finding)
        edits = [types.TextEdit(span_range(edit.span, lines, codec), edit.content) for edit in fix.edits]
        title = f"{finding.code}: {fix.message}" if safe else f"{finding.code}, unsafe: {fix.message} ({fix.why})"
        yield _action(title, types.CodeActionKind.QuickFix, uri, edits, found, preferred=safe)
    ignored = text_edits(document.text, with_ignores(document.text, [finding]), codec)
    title = f"{finding.code}: ignore it on this line"
    yield _action(title, types.CodeActionKind.QuickFix, uri, ignored, found, preferred=False)


def is_safe(finding: Finding) -> bool:
    """Whether a finding has a fix that can be made unasked."""
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


def fix_all(document: Document, uri: str, codec: PositionCodec) -> types.CodeAction | None:
    """All safe fixes of a document at once, None where there are none."""
    edits = text_edits(document.text, document.fixed(), codec)
    return _action("breaklint: make all safe fixes", FIX_ALL, uri, edits, None, preferred=None) if edits else None


def _action(
    title: str,
    kind: types.CodeActionKind | str,
    uri: str,
    edits: Sequence[types.TextEdit],
    found: list[types.Diagnostic] | None,
    preferred: bool | None,
) -> types.CodeAction:
    edit = types.WorkspaceEdit(changes={uri: list(edits)})
    return types.CodeAction(title, kind, diagnostics=found, is_preferred=preferred, edit=edit)


def text_edits(before: str, after: str, codec: PositionCodec) -> list[types.TextEdit]:
    """The edits of whole lines that make one text of the other."""
    old, new = before.split("\n"), after.split("\n")
    edits = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if end < len(old):
            span = Span(Position(start + 1, 1), Position(end + 1, 1))
            content = "".join(f"{line}\n" for line in new[new_start:new_end])
        else:  # the last line has no newline
            above = min(start, 1)
            first = Position(start + 1, 1) if not above else Position(start, len(old[start - 1]) + 1)
            span = Span(first, Position(len(old), len(old[-1]) + 1))
            content = "\n".join([""] * above + new[new_start:new_end])
        edits.append(types.TextEdit(span_range(span, old, codec), content))
    return edits
