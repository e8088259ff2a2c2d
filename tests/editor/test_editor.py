"""`breaklint server`, as an editor meets it: a client of the language server protocol over its standard streams."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import PROJECT, RunBreaklint
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pygls")

from editing import SECONDS, Editor, applied, codes
from lsprotocol import types
from pygls.workspace import PositionCodec

from breaklint.editor import engines
from breaklint.editor.documents import Document, Surroundings
from breaklint.editor.wire import menu_line, text_edits
from breaklint.lint.calling_files import calling_files
from breaklint.model import Settings
from breaklint.source.decoding import read_source

NET = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def forward(self, x):
        print("here")
        return torch.relu(Variable(x))
"""
CLEAN = NET.replace('        print("here")\n', "").replace("Variable(x)", "x")


@pytest.mark.slow
def test_findings_come_when_a_file_is_opened_change_as_it_is_typed_and_go_when_it_is_closed(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        result = await editor.open("net.py", NET)
        assert codes(result) == ["BRK101", "BRK601"]
        assert result[0].range == types.Range(types.Position(6, 8), types.Position(6, 21))
        assert (result[0].source, result[0].severity) == ("breaklint", types.DiagnosticSeverity.Error)
        editor.type("net.py", NET + "\n", 2)
        editor.type("net.py", CLEAN, 3)  # at once, so that the text between is never looked at
        output = await asyncio.wait_for(editor.told.get(), SECONDS)
        assert (output.version, [*output.diagnostics]) == (3, [])
        editor.type("net.py", NET, 4)
        assert len(await editor.diagnostics()) == 2
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(editor.uri("net.py")))
        editor.client.text_document_did_close(closed)
        assert await editor.diagnostics() == []

    edit(session)


DISTRUSTED = {"breaklint.toml": 'extend-unsafe-fixes = ["print-call"]'}


def test_quick_fixes_name_what_is_unsafe_and_prefer_what_is_safe(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        await editor.open("net.py", NET)
        unsafe, ignore = await editor.actions("net.py", 6, "quickfix")
        assert unsafe.title.startswith("BRK101, unsafe: Put it under `if not torch.compiler.is_compiling():`")
        assert len(unsafe.title) < 110
        assert unsafe.is_preferred is False
        assert "is_compiling" in editor.applied("net.py", NET, unsafe)
        assert '"here")  # breaklint: ignore[BRK101]\n' in editor.applied("net.py", NET, ignore)
        document = types.TextDocumentIdentifier(editor.uri("net.py"))
        place = types.Range(types.Position(7, 30), types.Position(7, 30))
        code_action_params = types.CodeActionParams(document, place, types.CodeActionContext([], ["quickfix"]))
        safe = (await editor.client.text_document_code_action_async(code_action_params) or [])[0]
        assert isinstance(safe, types.CodeAction)
        assert (safe.is_preferred, safe.title.startswith("BRK601: ")) == (True, True)
        assert editor.applied("net.py", NET, safe) == NET.replace("Variable(x)", "x.detach()")

    edit(session, DISTRUSTED)


@pytest.mark.parametrize("message", ["Keep it", "Write\n  `x`", "Run one of the two: `torch.cond(" + 200 * "x"])
def test_a_title_is_one_short_line(message: str) -> None:
    line = menu_line(message)
    assert "\n" not in line
    assert len(line) <= 110
    assert line.endswith("…") is (len(message) > 110)


@pytest.mark.parametrize("kind", ["source.fixAll.breaklint", "source.fixAll", "source"])
def test_fix_all_makes_safe_fixes_only(edit: Any, kind: str) -> None:
    async def session(editor: Editor) -> None:
        await editor.open("net.py", NET)
        (action,) = await editor.actions("net.py", 0, kind)
        assert action.kind == "source.fixAll.breaklint"
        assert editor.applied("net.py", NET, action) == NET.replace("Variable(x)", "x.detach()")
        assert await editor.actions("net.py", 0, "source.organizeImports") == []

    edit(session, DISTRUSTED)


def test_hover_shows_what_an_unsafe_fix_may_change_there(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        await editor.open("net.py", NET.replace("Variable(x)", "x.mean() > 0 and x.max() > 1"))
        document = types.TextDocumentIdentifier(editor.uri("net.py"))
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(7, 28)))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        _, here, _ = hover.contents.value.split("\n\n", 2)
        assert here.startswith(("Results that the fix may change:", "No fix here: "))

    edit(session)


def test_hover_shows_the_page_of_the_rule(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        await editor.open("net.py", NET)
        document = types.TextDocumentIdentifier(editor.uri("net.py"))
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(6, 10)))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("# BRK101 print-call")
        assert await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0))) is None

    edit(session)


def test_places_count_utf_16_units(edit: Any) -> None:
    text = NET.replace('print("here")', 'y = "😋é"; print(x)').replace("\n", "\r\n")

    async def session(editor: Editor) -> None:
        result = (await editor.open("net.py", text))[0]
        assert result.range == types.Range(types.Position(6, 19), types.Position(6, 27))
        action = (await editor.actions("net.py", 6, "quickfix"))[0]
        fixed = editor.applied("net.py", text, action)
        assert '        y = "😋é"\r\n        if not torch.compiler.is_compiling():\r\n            print(x)\r\n' in fixed

    edit(session)


def test_a_change_of_a_part_counts_lines_as_editors_do(edit: Any) -> None:
    text = "import torch\n\n# \x0c form feed, \u2028 and \x85\n" + NET.partition("\n")[2]
    clean = text.replace('print("here")', "pass").replace("Variable(x)", "x")

    async def session(editor: Editor) -> None:
        assert await editor.open("net.py", clean) == []
        document = types.VersionedTextDocumentIdentifier(2, editor.uri("net.py"))
        place = types.Range(types.Position(8, 8), types.Position(8, 12))
        change = types.TextDocumentContentChangePartial(place, 'print("😋"); print(x)')
        editor.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        result = await editor.diagnostics()
        assert [item.range.start for item in result] == [types.Position(8, 8), types.Position(8, 21)]

    edit(session)


def test_settings_come_from_the_workspace_and_a_saved_configuration_holds_at_once(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        assert codes(await editor.open("sub/net.py", NET)) == ["BRK601"]
        (editor.folder / "sub/breaklint.toml").write_text('ignore = ["BRK6"]')
        changed = types.DidChangeWatchedFilesParams([])
        editor.client.workspace_did_change_watched_files(changed)
        assert codes(await editor.diagnostics()) == ["BRK101"]
        (editor.folder / "sub/breaklint.toml").write_text("selct = []")
        editor.client.workspace_did_change_watched_files(changed)
        assert await editor.diagnostics() == []
        assert "unknown key `selct`; did you mean `select`?" in editor.messages[0]

    edit(session, {"breaklint.toml": 'ignore = ["BRK1"]', "sub/other.py": ""})


def test_options_of_the_server_go_over_the_configuration(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        assert codes(await editor.open("net.py", NET)) == ["BRK101"]

    edit(session, {"breaklint.toml": ""}, "--select", "BRK1")


def test_what_the_settings_exclude_is_not_looked_at(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        assert await editor.open("generated/net.py", NET) == []

    edit(session, {"breaklint.toml": 'exclude = ["generated/"]'})


def test_imports_lead_to_what_is_open_though_not_saved(edit: Any) -> None:
    helper = "import torch\n\n\ndef helper(x):\n    return x\n"
    caller = "import torch\nfrom helper import helper\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    caller += "        return helper(x)\n"

    async def session(editor: Editor) -> None:
        assert await editor.open("helper.py", helper.replace("return x", "return x.item()")) == []
        assert codes(await editor.open("net.py", caller)) == ["BRK801"]
        editor.type("helper.py", helper, 2)
        assert await editor.diagnostics() == []
        editor.type("net.py", f"{caller}\n", 2)
        assert await editor.diagnostics() == []

    edit(
        session,
        {"helper.py": helper, "net.py": caller, "breaklint.toml": "show-callers = true\nfollow-callers = false"},
    )


def test_the_files_of_imports_are_read_once_until_one_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helper, net = tmp_path / "helper.py", str(tmp_path / "net.py")
    helper.write_text("def helper(x):\n    return x.item()\n")
    text = "import torch\nfrom helper import helper\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    reads = []

    def read(path: str) -> Any:
        reads.append(os.path.basename(path))
        return read_source(path)

    monkeypatch.setattr(engines, "read_source", read)
    around = Surroundings(Settings(root=str(tmp_path), show_callers=True))

    def found(change: str) -> list[str]:
        changed = f"{text}        return helper(x){change}\n"
        return [finding.code for finding in Document(net, net, changed, around).report().findings]

    assert found("") == found(" + 1") == ["BRK801"]
    assert reads == ["helper.py"]
    helper.write_text("def helper(x):\n    return x\n")
    around.engines.forget()
    assert found("") == []
    assert reads == ["helper.py", "helper.py"]


def test_a_helper_shows_what_its_callers_lead_to_as_it_is_typed(edit: Any) -> None:
    helper = "import torch\n\n\ndef helper(x):\n    return x.item()\n"
    caller = "import torch\nfrom helper import helper\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    caller += "        return helper(x.sum())\n"

    async def session(editor: Editor) -> None:
        assert await editor.open("helper.py", helper) == []  # by itself, at once
        assert codes(await editor.diagnostics()) == ["BRK201"]
        editor.type("helper.py", helper.replace("x.item()", "x"), 2)
        assert await editor.diagnostics() == []
        editor.type("helper.py", helper.replace("x.item()", "print(x)"), 3)
        assert codes(await editor.diagnostics()) == ["BRK101"]
        (editor.folder / "net.py").write_text(caller.replace("helper(x.sum())", "x"))
        document = types.TextDocumentIdentifier(editor.uri("helper.py"))
        editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        assert await editor.diagnostics() == []

    edit(session, {"helper.py": helper, "net.py": caller, "breaklint.toml": ""})


def test_callers_are_needed_for_their_findings_and_for_a_file_without_regions(tmp_path: Path) -> None:
    helper = "\n\ndef helper(x):\n    return x\n"
    net, other = tmp_path / "net.py", tmp_path / "other.py"
    other.write_text(f"from net import helper\n{NET.replace('Variable(x)', 'helper(x)')}")

    def needed(text: str) -> bool:
        net.write_text(text)
        around = Surroundings(Settings(root=str(tmp_path)), calling=calling_files([str(net)], Settings()))
        return Document(net.as_uri(), str(net), text, around).report().needs_callers

    assert not needed(NET + helper)
    assert needed(NET + helper.replace("return x", "return x.item()"))
    assert needed(f"import torch{helper}")


def test_callers_without_a_finding_are_checked_after_a_longer_pause(edit: Any) -> None:
    helper = "\n\ndef helper(x):\n    return x\n"
    caller = f"from net import helper\n{NET.replace('Variable(x)', 'helper(x)')}"

    async def session(editor: Editor) -> None:
        own = codes(await editor.open("net.py", NET + helper))
        await asyncio.sleep(1.0)  # its caller is looked for and checked
        editor.type("net.py", NET + helper.replace("return x", "return x.item()"), 2)
        found = codes(await editor.diagnostics())
        if found == own:
            found = codes(await editor.diagnostics())
        assert found == [*own, "BRK201"]

    edit(session, {"net.py": NET + helper, "other.py": caller, "breaklint.toml": ""})


def test_findings_stay_while_the_text_does_not_parse(edit: Any) -> None:
    async def session(editor: Editor) -> None:
        assert len(await editor.open("net.py", NET)) == 2
        editor.type("net.py", NET + "\n    def f(", 2)
        await asyncio.sleep(1)  # long enough for the pause after typing
        assert await editor.actions("net.py", 6) == []  # places have moved, so that nothing is offered there
        assert editor.told.empty()
        editor.type("net.py", CLEAN, 3)
        assert await editor.diagnostics() == []
        assert editor.messages == []

    edit(session)


LINES = st.lists(st.sampled_from(["", "a", "é😋", "b c"]), min_size=1, max_size=6).map("\n".join)


@given(LINES, LINES)
def test_edits_of_lines_make_one_text_of_the_other(before: str, after: str) -> None:
    codec = PositionCodec(types.PositionEncodingKind.Utf16)
    assert applied(before, text_edits(before, after, codec)) == after


def test_an_edit_leaves_what_stands_around_it_in_its_line() -> None:
    codec = PositionCodec(types.PositionEncodingKind.Utf16)
    (edit,) = text_edits("a\ny = relu(Variable(x))\n", "a\ny = relu(x.detach())\n", codec)
    assert edit == types.TextEdit(types.Range(types.Position(1, 9), types.Position(1, 19)), "x.detach(")


def test_a_server_without_its_library_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pygls'] = None; import breaklint.cli; breaklint.cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "server"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "breaklint: error: breaklint server needs pygls: pip install pygls lsprotocol\n"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs terminals")
def test_a_server_that_a_person_starts_says_what_it_is_and_how_to_end_it(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "breaklint", "server"]
    environment = {"PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdin=theirs, stderr=subprocess.PIPE) as server:
        os.close(theirs)
        assert server.stderr is not None
        assert b"for an editor to start" in server.stderr.readline()
        os.write(ours, b"\x04")  # Ctrl-D
        assert server.wait(SECONDS) == 0
    os.close(ours)


def test_the_settings_of_editors_that_are_shown_name_what_exists(breaklint: RunBreaklint) -> None:
    page = (PROJECT / "docs/editors.md").read_text("utf-8")
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        json.loads(block)
    assert set(re.findall(r"source\.fixAll\.\w+", page)) == {"source.fixAll.breaklint"}
    assert breaklint("server", "--help").returncode == 0
