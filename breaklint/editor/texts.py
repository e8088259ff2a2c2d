"""The texts that an editor has open, updated with its changes.

pygls keeps them, but it cuts a text into lines at every character that Python calls a boundary, while the protocol
knows three: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocuments
A change of a part of a text behind a form feed would be applied in the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.workspace import TextDocument, Workspace

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Text(TextDocument):
    """A text with the line ends of the protocol."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends."""
        return _LINE.findall(self.source)


class Texts(Workspace):
    """The texts, and the notebooks whose cells some of them are."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        kind, codec = self._sync_kind, self._position_codec
        return Text(doc_uri, source, version, language_id, sync_kind=kind, position_codec=codec)


class Protocol(LanguageServerProtocol):
    """The protocol, with texts as above."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Put the texts in place of those of pygls."""
        result = yield from super().lsp_initialize(params)
        kind, encoding = types.TextDocumentSyncKind.Incremental, self.workspace.position_encoding
        self._workspace = Texts(self.workspace.root_uri, kind, params.workspace_folders, encoding)
        return result
