"""The language server: the open texts, and the diagnostics that it publishes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from breaklint import __version__
from breaklint.editor.documents import Document, Report
from breaklint.editor.engines import Engines
from breaklint.editor.opened import JUPYTER, document, versions, wholes
from breaklint.editor.texts import Protocol
from breaklint.editor.wire import diagnostic
from breaklint.errors import BreaklintError
from breaklint.lint.calling_files import Calling
from breaklint.model import Finding, Settings

PAUSE = 0.25  # seconds without typing before a text is looked at
LONG_PAUSE = 2.0  # seconds until the files that call it are checked again, if they had no finding in it
Look = tuple[Document, Report]
Publication = tuple[int | None, list[types.Diagnostic]]  # the version of a text, and what was published for it


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
        self._looks: dict[str, tuple[tuple[tuple[str, int | None], ...], Look | None]] = {}
        self._publications: dict[str, dict[str, Publication]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._calling: dict[str, list[Calling]] = {}  # the files that call what is open
        self._searches: dict[str, asyncio.Task[None]] = {}
        self._silent: set[str] = set()  # the open files in which only their own regions have findings
        self._engines = Engines()
        self._complaint = ""
        self.is_shut_down = False
        self.exit_code = 0  # also where the editor went away without a word

    def look(self, uri: str) -> Look | None:
        """The file or notebook as it is now and its findings; None when it is not Python, or the settings are wrong."""
        now = versions(self.workspace, uri)
        old_versions, old_look = self._looks.get(uri, (None, None))
        if old_versions == now:
            return old_look
        look = None
        try:
            calling = () if uri in self._silent else self._calling.get(uri, ())
            opened = document(self.workspace, uri, self._settings_for, self._engines, calling)
            look = None if opened is None else (opened, opened.report())
            if calling and look is not None and not look[1].needs_callers:
                self._silent.add(uri)
            problems = look[1].errors if look is not None else ()
        except BreaklintError as error:
            problems = (str(error),)
        self.complain(*problems)
        self._looks[uri] = now, look
        return look

    def publish(self, uri: str) -> None:
        """Send the findings of a file, or of every cell of a notebook, to the editor.

        The last ones stay for a text that could not be checked.
        """
        news: dict[str, Publication] = {part: (version, []) for part, version in versions(self.workspace, uri)}
        previous = self._publications.get(uri, {})
        if (look := self.look(uri)) is not None:
            opened, report = look
            for finding in report.findings:
                part, message = self._diagnostic(opened, finding)
                news[part][1].append(message)
            news |= {part: previous[part] for part in report.unfinished if part in previous}
        self._publications[uri] = news
        for part in previous.keys() - news.keys():
            self._tell(part, None, [])  # a cell that is gone
        for part, item in news.items():
            if previous.get(part) != item:
                self._tell(part, *item)

    def open(self, uri: str) -> None:
        """As `publish`, and again when the files have been found that call this one."""
        self.publish(uri)
        look = self.look(uri)
        if look is not None and look[0].follows_callers and not look[1].errors:  # what was given up is not looked for
            self._stop(self._searches, uri)
            self._searches[uri] = asyncio.get_running_loop().create_task(self._find_callers(uri, look[0]))

    async def _find_callers(self, uri: str, opened: Document) -> None:
        callers = await asyncio.to_thread(opened.find_callers)
        if callers != self._calling.get(uri, []):
            self._calling[uri] = callers
            self._publish_with_callers(uri)

    def _publish_with_callers(self, uri: str) -> None:
        self._silent.discard(uri)
        self._looks.pop(uri, None)
        self.publish(uri)

    def publish_soon(self, uri: str) -> None:
        """As `publish`, once nothing has been typed for a while."""
        self.forget(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._publish_later(uri))

    def publish_all(self) -> None:
        """Look at all that is open again: a file it imports, or a configuration, has changed."""
        self._looks.clear()
        self._silent.clear()
        self._engines.forget()
        for uri in wholes(self.workspace):
            self.open(uri)

    def forget(self, uri: str) -> None:
        """No longer wait to look at a file or notebook."""
        self._stop(self._waiting, uri)

    def _stop(self, tasks: dict[str, asyncio.Task[None]], uri: str) -> None:
        if (task := tasks.pop(uri, None)) is not None:
            task.cancel()

    def close(self, uri: str) -> None:
        """A file or notebook was closed: its findings go."""
        self.forget(uri)
        self._engines.forget()  # the file on disk counts again
        self._stop(self._searches, uri)
        self._looks.pop(uri, None)
        self._silent.discard(uri)
        self._calling.pop(uri, None)
        for part in self._publications.pop(uri, {}):
            self._tell(part, None, [])

    def complain(self, *messages: str) -> None:
        """Show an error once while it lasts."""
        complaint = "; ".join(messages)
        if complaint and complaint != self._complaint:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"breaklint: {complaint}"))
        self._complaint = complaint

    async def _publish_later(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        self.publish(uri)
        if uri in self._silent:
            await asyncio.sleep(LONG_PAUSE)
            self._publish_with_callers(uri)
        self._waiting.pop(uri, None)

    def _diagnostic(self, opened: Document, finding: Finding) -> tuple[str, types.Diagnostic]:
        part, span = opened.place(finding)
        lines = opened.texts()[part].split("\n")
        return part, diagnostic(finding, span, lines, self.workspace.position_codec)

    def _tell(self, uri: str, version: int | None, diagnostics: Sequence[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))
