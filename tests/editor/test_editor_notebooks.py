"""Notebooks in an editor: `breaklint server` tells of cells what `breaklint check` tells of the file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from harness import RunBreaklint

pytest.importorskip("pygls")

from editing import SECONDS, Editor, applied, codes
from lsprotocol import types

IMPORTS = "%matplotlib inline\nimport torch\nfrom torch.autograd import Variable\n!pip list"
NET = """\
%%time
class Net(torch.nn.Module):
    def forward(self, x):
        y = "😋", torch.relu(Variable(x))
        return y[1] * x.mean().item()
"""
LOUD = "class Loud(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n        return Variable(x)"
CELLS = {"imports": IMPORTS, "bash": "%%bash\nls {", "empty": "", "net": NET, "loud": LOUD}
FOUND = {"imports": [], "bash": [], "empty": [], "net": ["BRK601", "BRK201"], "loud": ["BRK101", "BRK601"]}


Told = dict[str, list[types.Diagnostic]]


class Notebook:
    """A notebook that is open in an editor; its cells go by name."""

    def __init__(self, editor: Editor, cells: Mapping[str, str] = CELLS, name: str = "nb.ipynb") -> None:
        self.editor, self.name, self.version = editor, name, 1
        self.texts = dict(cells)
        self.order = [*cells]

    def uri(self, cell: str) -> str:
        path = self.editor.uri(self.name).removeprefix("file://")
        return f"vscode-notebook-cell:{path}#{cell}"

    async def open(self) -> Told:
        document = types.NotebookDocument(self.editor.uri(self.name), "jupyter-notebook", 1, self._cells(self.order))
        items = [self._item(cell) for cell in self.order]
        self.editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(document, items))
        return await self.told(len(items))

    def close(self) -> None:
        document = types.NotebookDocumentIdentifier(self.editor.uri(self.name))
        cells = [types.TextDocumentIdentifier(self.uri(cell)) for cell in self.order]
        self.editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(document, cells))

    def put(self, place: int, delete: int, *cells: str, new: Sequence[str] = (), gone: Sequence[str] = ()) -> None:
        """Put cells in the place of others; `new` ones are opened, those that are `gone` are closed."""
        self.order[place : place + delete] = cells
        array = types.NotebookCellArrayChange(place, delete, self._cells(cells))
        opened = [self._item(cell) for cell in new]
        closed = [types.TextDocumentIdentifier(self.uri(cell)) for cell in gone]
        change = types.NotebookDocumentCellChangeStructure(array, opened, closed)
        self._change(types.NotebookDocumentCellChanges(structure=change))

    def replace(self, cell: str, before: str, after: str) -> None:
        """Change a part of a cell, as VS Code tells it."""
        text = self.texts[cell]
        above, rest = text.partition(before)[0], text.partition(before)[2]
        assert rest or text.endswith(before)
        self.texts[cell] = above + after + rest
        begin, end = (types.Position(part.count("\n"), _units(part)) for part in (above, above + before))
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri(cell))
        part = types.TextDocumentContentChangePartial(types.Range(begin, end), after)
        content = types.NotebookDocumentCellContentChanges(document, [part])
        self._change(types.NotebookDocumentCellChanges(text_content=[content]))

    async def told(self, count: int) -> Told:
        """What the server tells of the next so many cells, by name."""
        result = [await asyncio.wait_for(self.editor.told.get(), SECONDS) for _ in range(count)]
        return {item.uri.partition("#")[2]: [*item.diagnostics] for item in result}

    async def actions(self, cell: str, line: int, *only: str) -> list[types.CodeAction]:
        return await self.editor.actions_at(self.uri(cell), types.Position(line, 16), *only)

    def after(self, action: types.CodeAction) -> dict[str, str]:
        """The cells that an action changes, as it leaves them."""
        assert action.edit is not None
        changes = action.edit.changes or {}
        assert changes.keys() <= {self.uri(cell) for cell in self.order}
        named = {cell: changes[uri] for cell in self.order if (uri := self.uri(cell)) in changes}
        return {cell: applied(self.texts[cell], [*edits]) for cell, edits in named.items()}

    def _change(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        document = types.VersionedNotebookDocumentIdentifier(self.version, self.editor.uri(self.name))
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(document, change))

    def _cells(self, cells: Sequence[str]) -> list[types.NotebookCell]:
        return [types.NotebookCell(types.NotebookCellKind.Code, self.uri(cell)) for cell in cells]

    def _item(self, cell: str) -> types.TextDocumentItem:
        return types.TextDocumentItem(self.uri(cell), "python", 1, self.texts[cell])


def by_cell(told: Told) -> dict[str, list[object]]:
    return {cell: codes(result) for cell, result in told.items()}


def _units(text: str) -> int:
    """How many UTF-16 units the last line of a text has."""
    return len(text.rpartition("\n")[2].encode("utf-16-le")) // 2


def test_cells_are_told_what_check_tells_of_the_notebook(edit: Any, breaklint: RunBreaklint, tmp_path: Path) -> None:
    output: Told = {}

    async def session(editor: Editor) -> None:
        output.update(await Notebook(editor).open())

    edit(session)
    assert by_cell(output) == FOUND
    sources = [{"cell_type": "code", "source": text, "outputs": [], "metadata": {}} for text in CELLS.values()]
    (tmp_path / "nb.ipynb").write_text(json.dumps({"cells": sources, "metadata": {}, "nbformat": 4}), "utf-8")
    checked = json.loads(breaklint("check", "nb.ipynb", "--output-format", "json").stdout)
    starts = [(cell, item.range.start) for cell, result in output.items() for item in result]
    places = [(cell, start.line, start.character) for cell, start in starts]
    names = dict(enumerate(CELLS, 1))
    expected = [(names[item["cell"]], item["location"]["row"] - 1, item["location"]["column"] - 1) for item in checked]
    assert expected[0] == ("net", 3, 28)
    assert places == [("net", 3, 29), *expected[1:]]  # in UTF-16, the emoji before it counts twice


def test_a_change_of_a_cell_is_told_where_it_matters_and_nowhere_else(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        notebook = Notebook(editor)
        await notebook.open()
        notebook.replace("net", "Variable(x)", "x")
        assert by_cell(await notebook.told(1)) == {"net": ["BRK201"]}
        notebook.replace("imports", "from torch.autograd import Variable", "# \x0c\n\n")
        assert by_cell(await notebook.told(2)) == {"imports": [], "loud": ["BRK101"]}
        notebook.replace("imports", "!pip", "from torch.autograd import Variable\n!pip")
        assert by_cell(await notebook.told(2)) == {"imports": [], "loud": ["BRK101", "BRK601"]}

    edit(session)


def test_findings_of_cells_that_are_removed_or_moved_are_cleared(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        notebook = Notebook(editor)
        await notebook.open()
        notebook.put(3, 1, gone=["net"])
        assert by_cell(await notebook.told(1)) == {"net": []}
        notebook.put(0, 4, "loud", "imports", "bash", "empty")
        notebook.replace("loud", "print(x)", "print(1)")
        assert by_cell(await notebook.told(1)) == {"loud": ["BRK101", "BRK601"]}
        notebook.texts["new"] = LOUD
        notebook.put(2, 0, "new", new=["new"])
        assert by_cell(await notebook.told(1)) == {"new": ["BRK101", "BRK601"]}

    edit(session)


def test_findings_go_when_the_notebook_is_closed(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        notebook = Notebook(editor)
        await notebook.open()
        notebook.close()
        assert by_cell(await notebook.told(5)) == {cell: [] for cell in CELLS}

    edit(session)


def test_quick_fixes_change_the_cells_they_concern(edit: Any) -> None:
    cells = {"title": "from torch import nn\n!ls", "net": LOUD.replace("torch.nn", "nn").replace("Variable(x)", "x")}

    async def session(editor: Editor) -> None:
        notebook = Notebook(editor, cells)
        await notebook.open()
        unsafe, ignore = await notebook.actions("net", 2, "quickfix")
        changed = notebook.after(unsafe)
        assert changed["title"] == "import torch\nfrom torch import nn\n!ls"
        assert "        if not torch.compiler.is_compiling():\n            print(x)\n" in changed["net"]
        assert notebook.after(ignore) == {
            "net": cells["net"].replace("print(x)", "print(x)  # breaklint: ignore[BRK101]")
        }

    edit(session)


def test_fix_all_changes_the_cell_it_is_asked_for_and_the_notebooks_own_all_cells(edit: Any) -> None:
    fixed = {cell: text.replace("Variable(x)", "x.detach()") for cell, text in CELLS.items()}

    async def session(editor: Editor) -> None:
        notebook = Notebook(editor)
        await notebook.open()
        (action,) = await notebook.actions("loud", 0, "source.fixAll")
        assert action.kind == "source.fixAll.breaklint"
        assert notebook.after(action) == {"loud": fixed["loud"]}
        assert await notebook.actions("imports", 0, "source.fixAll.breaklint") == []
        (action,) = await notebook.actions("imports", 0, "notebook.source.fixAll")
        assert action.kind == "notebook.source.fixAll.breaklint"
        assert notebook.after(action) == {"net": fixed["net"], "loud": fixed["loud"]}

    edit(session, {"breaklint.toml": 'extend-unsafe-fixes = ["print-call"]'})


def test_a_fix_that_changes_another_cell_is_left_to_the_fix_of_the_notebook(edit: Any) -> None:
    cells = {"title": "from torch import nn", "net": LOUD.replace("torch.nn", "nn").replace("Variable(x)", "x")}

    async def session(editor: Editor) -> None:
        notebook = Notebook(editor, cells)
        await notebook.open()
        assert await notebook.actions("net", 0, "source.fixAll") == []
        (action,) = await notebook.actions("net", 0, "notebook.source.fixAll")
        assert notebook.after(action).keys() == {"title", "net"}

    edit(session, {"breaklint.toml": 'extend-safe-fixes = ["print-call"]'})


def test_settings_are_those_of_the_notebooks_path_and_saving_reads_them_again(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        notebook = Notebook(editor, {"imports": IMPORTS, "loud": LOUD}, "sub/a b.ipynb")
        assert by_cell(await notebook.open()) == {"imports": [], "loud": ["BRK601"]}
        (editor.folder / "sub/breaklint.toml").write_text('ignore = ["BRK6"]')
        saved = types.DidSaveNotebookDocumentParams(types.NotebookDocumentIdentifier(editor.uri("sub/a b.ipynb")))
        editor.client.notebook_document_did_save(saved)
        assert by_cell(await notebook.told(1)) == {"loud": ["BRK101"]}
        hidden = Notebook(editor, {"all": f"{IMPORTS}\n{LOUD}"}, "hidden/nb.ipynb")
        assert by_cell(await hidden.open()) == {"all": []}

    edit(session, {"breaklint.toml": 'ignore = ["BRK1"]\nexclude = ["hidden/"]', "sub/other.py": ""})


def test_a_notebook_that_the_editor_shows_as_one_script_is_checked_as_that(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        script = f"# ---\n# jupyter:\n# ---\n# %%\nimport torch\nVariable = torch.autograd.Variable\n\n# %%\n{LOUD}\n"
        assert codes(await editor.open("nb.ipynb", script)) == ["BRK101", "BRK601"]

    edit(session)
