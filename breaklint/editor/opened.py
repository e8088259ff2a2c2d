"""A document: an open file, or a notebook with its cells."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument, Workspace

from breaklint.editor.documents import Document, Surroundings, notebook
from breaklint.editor.engines import Engines
from breaklint.lint.calling_files import Calling
from breaklint.model import Settings

JUPYTER = types.NotebookDocumentFilterWithNotebook(
    types.NotebookDocumentFilterNotebookType("jupyter-notebook"), [types.NotebookCellLanguage("python")]
)


def whole(workspace: Workspace, uri: str) -> str:
    """The uri of the notebook whose cell `uri` is; else `uri`."""
    owner = workspace.get_notebook_document(cell_uri=uri)
    return uri if owner is None else owner.uri


def wholes(workspace: Workspace) -> list[str]:
    """The uris of all that is open, each notebook once."""
    return list(dict.fromkeys(whole(workspace, text.uri) for text in workspace.text_documents.values()))


def versions(workspace: Workspace, uri: str) -> tuple[tuple[str, int | None], ...]:
    """The uri and the version of every text that a whole consists of, in order."""
    return tuple((text.uri, text.version) for text in _parts(workspace, uri))


def document(
    workspace: Workspace,
    uri: str,
    settings_for: Callable[[Path], Settings],
    engines: Engines,
    calling: Sequence[Calling] = (),
) -> Document | None:
    """A whole as it is now, with the files that call it; None when it is not Python.

    ConfigError when its configuration is wrong.
    """
    parts = _parts(workspace, uri)
    path = to_fs_path(uri) or urlsplit(uri).path
    if workspace.get_notebook_document(notebook_uri=uri) is not None:
        cells = [(cell.uri, _text(cell)) for cell in parts]
        return notebook(uri, path, cells, _around(workspace, settings_for(Path(path)), engines))
    if not _is_python(parts[0]):
        return None
    enclosing = replace(_around(workspace, settings_for(Path(path)), engines), calling=calling)
    return Document(uri, path, _text(parts[0]), enclosing)


def _parts(workspace: Workspace, uri: str) -> list[TextDocument]:
    """The texts of a whole: the file itself, or the cells of Python of a notebook in their order."""
    owner = workspace.get_notebook_document(notebook_uri=uri)
    if owner is None:
        return [workspace.get_text_document(uri)]
    cells = (workspace.get_text_document(item.document) for item in owner.cells)
    return [cell for cell in cells if cell.language_id == "python"]


def _around(workspace: Workspace, settings: Settings, engines: Engines) -> Surroundings:
    roots = [path for folder in workspace.folders.values() if (path := to_fs_path(folder.uri))]
    return Surroundings(settings, roots, dict(_sources(workspace)), engines=engines)


def _sources(workspace: Workspace) -> Iterator[tuple[str, str]]:
    for text in workspace.text_documents.values():
        if whole(workspace, text.uri) == text.uri and _is_python(text):
            yield os.path.abspath(to_fs_path(text.uri) or urlsplit(text.uri).path), _text(text)


def _is_python(text: TextDocument) -> bool:
    if urlsplit(text.uri).scheme not in ("file", "untitled"):
        return False  # such as what version control shows
    return text.language_id == "python" or text.uri.endswith(".py")


def _text(text: TextDocument) -> str:
    return text.source.replace("\r\n", "\n").replace("\r", "\n")
