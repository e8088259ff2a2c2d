"""The server that an editor starts: it hears of texts and answers with diagnostics, pages of rules and code actions."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from breaklint import __version__
from breaklint.cards import load_rules
from breaklint.editor.documents import Document
from breaklint.editor.wire import FIX_ALL, diagnostic, fix_all, holds, is_safe, quick_fixes, span_range
from breaklint.errors import BreaklintError
from breaklint.model import Finding, Settings
from breaklint.output.rule_page import markdown

PAUSE = 0.25  # seconds without typing before a text is looked at
Look = tuple[Document, tuple[Finding, ...]]


class Server(LanguageServer):
    """Looks at open documents; `settings_for` reads the settings of a file, and raises ConfigError."""

    def __init__(self, settings_for: Callable[[Path], Settings]) -> None:
        # Whole texts: the parts of an incremental change would be cut at characters that are no newlines in Python.
        super().__init__("breaklint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._settings_for = settings_for
        self._looks: dict[str, tuple[int | None, Look]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._complaint = ""

    def look(self, uri: str) -> Look | None:
        """The document as it is now and its findings; None when it is not Python, or the settings are wrong."""
        opened = self.workspace.get_text_document(uri)
        if not _is_python(opened):
            return None
        version, known = self._looks.get(uri, (None, None))
        if known is not None and version == opened.version:
            return known
        try:
            path = _path(opened)
            document = Document(path, _text(opened), self._settings_for(Path(path)), self._roots(), self._texts())
            look = document, document.findings()
        except BreaklintError as error:
            self.complain(str(error))
            return None
        self._complaint = ""
        self._looks[uri] = opened.version, look
        return look

    def publish(self, uri: str) -> None:
        """Send the findings of a document to the editor."""
        look = self.look(uri)
        found = []
        if look is not None:
            lines, codec = look[0].lines(), self.workspace.position_codec
            found = [diagnostic(finding, lines, codec) for finding in look[1]]
        version = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def publish_soon(self, uri: str) -> None:
        """As `publish`, once nothing has been typed for a while."""
        self.forget(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._publish_later(uri))

    def publish_all(self) -> None:
        """Look at all open documents anew: a file they import, or a configuration, has changed."""
        self._looks.clear()
        for uri in list(self.workspace.text_documents):
            self.publish(uri)

    def forget(self, uri: str) -> None:
        """No longer wait to look at a document."""
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()

    def close(self, uri: str) -> None:
        """A document was closed: its findings go."""
        self.forget(uri)
        self._looks.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def complain(self, message: str) -> None:
        """Show what is wrong, once."""
        if message != self._complaint:
            self._complaint = message
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"breaklint: {message}"))

    async def _publish_later(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        self._waiting.pop(uri, None)
        self.publish(uri)

    def _roots(self) -> list[str]:
        return [path for folder in self.workspace.folders.values() if (path := to_fs_path(folder.uri))]

    def _texts(self) -> dict[str, str]:
        opened = self.workspace.text_documents.values()
        return {os.path.abspath(_path(document)): _text(document) for document in opened if _is_python(document)}


def make_server(settings_for: Callable[[Path], Settings]) -> Server:
    """A server with all that it answers to."""
    server = Server(settings_for)
    _listen(server)
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


def _answer(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        look = server.look(params.text_document.uri)
        here = types.Range(params.position, params.position)
        return None if look is None else _hover(look, here, server)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        look = server.look(params.text_document.uri)
        return [] if look is None else _code_actions(look, params, server)


def _hover(look: Look, here: types.Range, server: Server) -> types.Hover | None:
    document, findings = look
    lines, codec = document.lines(), server.workspace.position_codec
    rules = {rule.code: rule for rule in load_rules(tuple(map(Path, document.settings.rules)))}
    for finding in findings:
        place = span_range(finding.span, lines, codec)
        if holds(place, here):
            page = types.MarkupContent(types.MarkupKind.Markdown, markdown(rules[finding.code]))
            return types.Hover(page, place)
    return None


def _code_actions(look: Look, params: types.CodeActionParams, server: Server) -> list[types.CodeAction]:
    document, findings = look
    uri, only, codec = params.text_document.uri, params.context.only, server.workspace.position_codec
    lines = document.lines()
    actions: list[types.CodeAction] = []
    if _asks_for(types.CodeActionKind.QuickFix, only):
        for finding in findings:
            if holds(span_range(finding.span, lines, codec), params.range):
                actions += quick_fixes(finding, document, uri, codec)
    if _asks_for(FIX_ALL, only) and any(map(is_safe, findings)):
        try:
            whole = fix_all(document, uri, codec)
            actions += [whole] if whole is not None else []
        except BreaklintError as error:
            server.complain(str(error))
    return actions


def _asks_for(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the editor wants actions of a kind: no filter wants all, and `source` all below it."""
    return only is None or any(kind == each or kind.startswith(f"{_name(each)}.") for each in only)


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _is_python(document: TextDocument) -> bool:
    if urlsplit(document.uri).scheme not in ("file", "untitled"):
        return False  # such as a cell of a notebook
    return document.language_id == "python" or document.uri.endswith(".py")


def _path(document: TextDocument) -> str:
    return to_fs_path(document.uri) or urlsplit(document.uri).path


def _text(document: TextDocument) -> str:
    return document.source.replace("\r\n", "\n").replace("\r", "\n")
