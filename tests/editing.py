"""An editor that talks to `breaklint server` as real ones do: the language server protocol over standard streams."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import cli_server
from harness import PROJECT
from lsprotocol import types
from pygls.lsp.client import LanguageClient

SECONDS = 60  # for an answer on a machine that is busy


class Editor:
    """A client with what the server told it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("editor", "1")
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: list[str] = []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def open(self, name: str, text: str) -> list[types.Diagnostic]:
        document = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    def type(self, name: str, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def diagnostics(self) -> list[types.Diagnostic]:
        return [*(await asyncio.wait_for(self.told.get(), SECONDS)).diagnostics]

    async def actions(self, name: str, line: int, *only: str) -> list[types.CodeAction]:
        return await self.actions_at(self.uri(name), types.Position(line, 20), *only)

    async def actions_at(self, uri: str, place: types.Position, *only: str) -> list[types.CodeAction]:
        here = types.Range(place, place)
        context = types.CodeActionContext([], [*only] or None)
        document = types.TextDocumentIdentifier(uri)
        answer = await self.client.text_document_code_action_async(types.CodeActionParams(document, here, context))
        return [action for action in answer or [] if isinstance(action, types.CodeAction)]

    def applied(self, name: str, text: str, action: types.CodeAction) -> str:
        """The text once the editor made an action's edits."""
        assert action.edit is not None
        assert action.edit.changes is not None
        return applied(text, [*action.edit.changes[self.uri(name)]])


def offset(text: str, position: types.Position) -> int:
    """Where a place in UTF-16 units is in the text."""
    lines = text.split("\n")
    before = lines[position.line].encode("utf-16-le")[: 2 * position.character].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[: position.line]) + len(before)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    places = [(offset(text, edit.range.start), offset(text, edit.range.end), order) for order, edit in enumerate(edits)]
    for start, end, order in sorted(places, reverse=True):
        text = text[:start] + edits[order].new_text + text[end:]
    return text


@asynccontextmanager
async def editing(folder: Path, *options: str) -> AsyncIterator[Editor]:
    editor = Editor(folder)
    ended = await started(editor.client, folder, *options)
    workspace = types.WorkspaceFolder(folder.as_uri(), "workspace")
    sync = types.NotebookDocumentSyncClientCapabilities()
    able = types.ClientCapabilities(notebook_document=types.NotebookDocumentClientCapabilities(sync))
    initialize_params = types.InitializeParams(able, workspace_folders=[workspace])
    await asyncio.wait_for(editor.client.initialize_async(initialize_params), SECONDS)
    editor.client.initialized(types.InitializedParams())
    try:
        yield editor
    finally:
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()
        assert ended() in (0, None)


async def started(client: LanguageClient, folder: Path, *options: str) -> Callable[[], int | None]:
    """Start the server, forked where the system can; what is returned waits for its end and gives the exit code.

    `test_editor_stream.py` starts `python -m breaklint server` itself.
    """
    command = ["server", *options]
    if not (server := cli_server.for_editors()):
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        await client.start_io(sys.executable, "-m", "breaklint", *command, cwd=str(folder), env=environment)
        return lambda: None
    with socket.create_server(("127.0.0.1", 0)) as listening:
        await client.start_tcp(*listening.getsockname())
        stream, _ = listening.accept()
    with stream:
        server.begin(command, folder, [stream.fileno(), stream.fileno(), sys.stderr.fileno()])
    return server.ended


Session = Callable[[Editor], Awaitable[None]]


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [item.code for item in found]
