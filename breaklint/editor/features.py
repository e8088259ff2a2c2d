"""The requests that the server answers: open, change, save and close, hovers, and code actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from breaklint.editor.documents import Document, Notebook
from breaklint.editor.opened import whole
from breaklint.editor.server import Server
from breaklint.editor.wire import (
    FIX_ALL,
    NOTEBOOK_FIX_ALL,
    fix_all,
    holds,
    hover_page,
    is_safe,
    quick_fixes,
    span_range,
)
from breaklint.errors import BreaklintError
from breaklint.model import Finding, Settings
from breaklint.output.rule_page import markdown
from breaklint.rules.python_loading import rules_of


def make_server(settings_for: Callable[[Path], Settings]) -> Server:
    """A server with all that it answers to."""
    server = Server(settings_for)
    _listen(server)
    _listen_to_notebooks(server)
    _answer(server)
    _end(server)
    return server


def _listen(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.publish_soon(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.publish_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_outside(params: types.DidChangeWatchedFilesParams) -> None:
        server.publish_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _listen_to_notebooks(server: Server) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.publish(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        server.publish_soon(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveNotebookDocumentParams) -> None:
        server.publish_all()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.close(params.notebook_document.uri)


def _answer(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        here = types.Range(params.position, params.position)
        for opened, finding, place in _findings_at(server, params.text_document.uri, here):
            rules = {rule.code: rule for rule in rules_of(opened.around.settings)}
            page = hover_page(finding, markdown(rules[finding.code]))
            return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, page), place)
        return None

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, NOTEBOOK_FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        try:
            return [_with_line_ends(server, action) for action in _code_actions(server, params)]
        except BreaklintError as error:
            server.complain(str(error))
            return []


def _findings_at(server: Server, uri: str, here: types.Range) -> Iterator[tuple[Document, Finding, types.Range]]:
    """The findings at a position of a file or cell, with the document and their positions in it."""
    if (look := server.look(whole(server.workspace, uri))) is None:
        return
    opened, report = look
    for finding in report.findings:
        part, span = opened.place(finding)
        if part == uri:
            place = span_range(span, opened.texts()[uri].split("\n"), server.workspace.position_codec)
            if holds(place, here):
                yield opened, finding, place


def _with_line_ends(server: Server, action: types.CodeAction) -> types.CodeAction:
    """An action whose new lines end as those of the text do: not every editor does that."""
    for uri, edits in ((action.edit and action.edit.changes) or {}).items():
        if "\r\n" in server.workspace.get_text_document(uri).source:
            for edit in edits:
                edit.new_text = edit.new_text.replace("\n", "\r\n")
    return action


def _code_actions(server: Server, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    uri, only, codec = params.text_document.uri, params.context.only, server.workspace.position_codec
    if _asks_for(types.CodeActionKind.QuickFix, only):
        for opened, finding, _ in _findings_at(server, uri, params.range):
            yield from quick_fixes(finding, opened, codec)
    look = server.look(whole(server.workspace, uri))
    if look is None or not any(map(is_safe, look[1].findings)):
        return
    parts = {FIX_ALL: uri, **({NOTEBOOK_FIX_ALL: look[0].uri} if isinstance(look[0], Notebook) else {})}
    for kind, part in parts.items():
        if _asks_for(kind, only) and (action := fix_all(kind, part, look[0], codec)) is not None:
            yield action


def _asks_for(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the editor wants actions of a kind: no filter wants all, and `source` all below it."""
    return only is None or any(kind == item or kind.startswith(f"{_name(item)}.") for item in only)


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _end(server: Server) -> None:
    """Set the exit code of the protocol: 0 after `shutdown`, 1 for an `exit` without it."""

    @server.feature(types.SHUTDOWN)
    def shut_down(_params: None) -> None:
        server.is_shut_down = True

    @server.feature(types.EXIT)
    def exit_now(_params: None) -> None:
        server.exit_code = 0 if server.is_shut_down else 1
