"""The server that an editor starts: it hears of texts and answers with diagnostics, pages of rules and code actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from breaklint import __version__
from breaklint.editor.documents import Document, Notebook
from breaklint.editor.opened import JUPYTER, document, versions, whole, wholes
from breaklint.editor.texts import Protocol
from breaklint.editor.wire import (
    FIX_ALL,
    NOTEBOOK_FIX_ALL,
    diagnostic,
    fix_all,
    holds,
    is_safe,
    quick_fixes,
    span_range,
)
from breaklint.errors import BreaklintError
from breaklint.model import Finding, Settings
from breaklint.output.rule_page import markdown
from breaklint.rules.python_loading import rules_of

PAUSE = 0.25  # seconds without typing before a text is looked at
Look = tuple[Document, tuple[Finding, ...]]
Told = tuple[int | None, list[types.Diagnostic]]  # the version of a text, and what was told of it


class Server(LanguageServer):
    """Looks at open files and notebooks; `settings_for` reads the settings of a file, and raises ConfigError."""

    def __init__(self, settings_for: Callable[[Path], Settings]) -> None:
        super().__init__(
            "breaklint",
            __version__,
            protocol_cls=Protocol,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=types.NotebookDocumentSyncOptions([JUPYTER], save=True),
        )
        self._settings_for = settings_for
        self._looks: dict[str, tuple[tuple[tuple[str, int | None], ...], Look]] = {}
        self._told: dict[str, dict[str, Told]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._complaint = ""

    def look(self, uri: str) -> Look | None:
        """The file or notebook as it is now and its findings; None when it is not Python, or the settings are wrong."""
        now = versions(self.workspace, uri)
        seen, known = self._looks.get(uri, (None, None))
        if known is not None and seen == now:
            return known
        try:
            opened = document(self.workspace, uri, self._settings_for)
            if opened is None:
                return None
            look = opened, opened.findings()
        except BreaklintError as error:
            self.complain(str(error))
            return None
        self._complaint = ""
        self._looks[uri] = now, look
        return look

    def publish(self, uri: str) -> None:
        """Send the findings of a file, or of every cell of a notebook, to the editor."""
        news: dict[str, Told] = {part: (version, []) for part, version in versions(self.workspace, uri)}
        if (look := self.look(uri)) is not None:
            for finding in look[1]:
                part, shown = self._shown(look[0], finding)
                news[part][1].append(shown)
        told = self._told.get(uri, {})
        self._told[uri] = news
        for part in told.keys() - news.keys():
            self._tell(part, None, [])  # a cell that is gone
        for part, each in news.items():
            if told.get(part) != each:
                self._tell(part, *each)

    def publish_soon(self, uri: str) -> None:
        """As `publish`, once nothing has been typed for a while."""
        self.forget(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._publish_later(uri))

    def publish_all(self) -> None:
        """Look at all that is open anew: a file it imports, or a configuration, has changed."""
        self._looks.clear()
        for uri in wholes(self.workspace):
            self.publish(uri)

    def forget(self, uri: str) -> None:
        """No longer wait to look at a file or notebook."""
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()

    def close(self, uri: str) -> None:
        """A file or notebook was closed: its findings go."""
        self.forget(uri)
        self._looks.pop(uri, None)
        for part in self._told.pop(uri, {}):
            self._tell(part, None, [])

    def complain(self, message: str) -> None:
        """Show what is wrong, once."""
        if message != self._complaint:
            self._complaint = message
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"breaklint: {message}"))

    async def _publish_later(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        self._waiting.pop(uri, None)
        self.publish(uri)

    def _shown(self, opened: Document, finding: Finding) -> tuple[str, types.Diagnostic]:
        part, span = opened.place(finding)
        lines = opened.texts()[part].split("\n")
        return part, diagnostic(finding, span, lines, self.workspace.position_codec)

    def _tell(self, uri: str, version: int | None, found: Sequence[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


def make_server(settings_for: Callable[[Path], Settings]) -> Server:
    """A server with all that it answers to."""
    server = Server(settings_for)
    _listen(server)
    _listen_to_notebooks(server)
    _answer(server)
    return server


def _listen(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.publish(params.text_document.uri)

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
        for opened, finding, place in _met(server, params.text_document.uri, here):
            rules = {rule.code: rule for rule in rules_of(opened.around.settings)}
            page = types.MarkupContent(types.MarkupKind.Markdown, markdown(rules[finding.code]))
            return types.Hover(page, place)
        return None

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, NOTEBOOK_FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        try:
            return [_with_line_ends(server, action) for action in _code_actions(server, params)]
        except BreaklintError as error:
            server.complain(str(error))
            return []


def _met(server: Server, uri: str, here: types.Range) -> Iterator[tuple[Document, Finding, types.Range]]:
    """The findings at a place of a file or cell, with the file or notebook and where they are in that text."""
    if (look := server.look(whole(server.workspace, uri))) is None:
        return
    opened, findings = look
    for finding in findings:
        part, span = opened.place(finding)
        if part == uri:
            place = span_range(span, opened.texts()[uri].split("\n"), server.workspace.position_codec)
            if holds(place, here):
                yield opened, finding, place


def _with_line_ends(server: Server, action: types.CodeAction) -> types.CodeAction:
    """An action whose new lines end as those of the text do: not every editor sees to that."""
    for uri, edits in ((action.edit and action.edit.changes) or {}).items():
        if "\r\n" in server.workspace.get_text_document(uri).source:
            for edit in edits:
                edit.new_text = edit.new_text.replace("\n", "\r\n")
    return action


def _code_actions(server: Server, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    uri, only, codec = params.text_document.uri, params.context.only, server.workspace.position_codec
    if _asks_for(types.CodeActionKind.QuickFix, only):
        for opened, finding, _ in _met(server, uri, params.range):
            yield from quick_fixes(finding, opened, codec)
    look = server.look(whole(server.workspace, uri))
    if look is None or not any(map(is_safe, look[1])):
        return
    asked = {FIX_ALL: uri, **({NOTEBOOK_FIX_ALL: look[0].uri} if isinstance(look[0], Notebook) else {})}
    for kind, part in asked.items():
        if _asks_for(kind, only) and (action := fix_all(kind, part, look[0], codec)) is not None:
            yield action


def _asks_for(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the editor wants actions of a kind: no filter wants all, and `source` all below it."""
    return only is None or any(kind == each or kind.startswith(f"{_name(each)}.") for each in only)


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind
