"""Notebooks: their cells are checked and fixed, and nothing else in the file changes."""

from __future__ import annotations

import codecs
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import RunBreaklint, WriteFiles
from hypothesis import given
from hypothesis import strategies as st

from breaklint.errors import SourceError
from breaklint.source.decoding import decode, encode
from breaklint.source.magics import mask_magics
from breaklint.source.notebooks import by_cell, shown

IMPORTS = "%matplotlib inline\nimport torch\nfrom torch.autograd import Variable\n!pip list"
NET = """\
class Net(torch.nn.Module):
    def forward(self, x):
        y = torch.relu(Variable(x))
        return y * y.mean().item()
"""
CELLS = (("markdown", "# Title"), ("code", IMPORTS), ("code", "%%bash\nls {"), ("code", NET), ("code", "%%time\nNet()"))


def notebook(*cells: tuple[str, str], indent: int | None = 1, lines: bool = True, **metadata: Any) -> str:
    """The JSON of a notebook, as Jupyter writes it."""
    data = [
        {"cell_type": kind, "metadata": {"é": 1}, "source": text.splitlines(True) if lines else text}
        | ({"outputs": [{"text": "1.50 \u2028 ünï"}], "execution_count": 1} if kind == "code" else {})
        for kind, text in cells
    ]
    whole = {"cells": data, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"


def places(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.partition(": BRK")[0] for line in done.stdout.splitlines() if ": BRK" in line]


def test_findings_are_told_by_cell_and_shown_as_they_stand_in_it(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"pkg/nb.ipynb": notebook(*CELLS)})
    done = breaklint("check", "--by-line")
    assert done.returncode == 1, done.stderr
    assert places(done) == ["pkg/nb.ipynb:cell 4:3:24", "pkg/nb.ipynb:cell 4:4:20"]
    assert "3 |         y = torch.relu(Variable(x))\n  |                        ^^^^^^^^^^^ graph break" in done.stdout


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param({}, id="as Jupyter writes it"),
        pytest.param({"indent": 4}, id="wide"),
        pytest.param({"indent": None}, id="one line"),
        pytest.param({"lines": False}, id="source as one text"),
    ],
)
def test_a_fix_changes_the_source_of_its_cell_and_no_other_byte(
    write_files: WriteFiles, breaklint: RunBreaklint, layout: dict[str, Any]
) -> None:
    before = notebook(*CELLS, **layout)
    folder = write_files({"nb.ipynb": before})
    done = breaklint("check", "--fix", "nb.ipynb")
    assert places(done) == ["nb.ipynb:cell 4:4:20"]
    assert (folder / "nb.ipynb").read_text("utf-8") == before.replace("Variable(x)", "x.detach()")


@pytest.mark.parametrize(
    "added",
    [
        pytest.param('"execution_count": 1, "count": ' + "9" * 5000, id="an integer of 5,000 digits"),
        pytest.param('"execution_count": 1, "source": []', id="a source before the one that counts"),
    ],
)
def test_odd_json_is_read_as_python_reads_it(write_files: WriteFiles, breaklint: RunBreaklint, added: str) -> None:
    cells = notebook(("code", IMPORTS), ("code", NET))
    before = cells.replace('"cell_type": "code"', f'"cell_type": "code", {added}')
    folder = write_files({"nb.ipynb": before})
    done = breaklint("check", "--fix", "nb.ipynb")
    assert places(done) == ["nb.ipynb:cell 2:4:20"], done.stderr
    assert (folder / "nb.ipynb").read_text("utf-8") == before.replace("Variable(x)", "x.detach()")


@pytest.mark.parametrize(
    ("encoded", "written"),
    [
        pytest.param(codecs.BOM_UTF8, b"", id="byte order mark"),
        pytest.param(b"", b"\r\n", id="Windows newlines"),
    ],
)
def test_a_fix_keeps_the_spelling_of_the_file(
    write_files: WriteFiles, breaklint: RunBreaklint, encoded: bytes, written: bytes
) -> None:
    before = encoded + notebook(*CELLS).encode().replace(b"\n", written or b"\n")
    folder = write_files({"nb.ipynb": before})
    breaklint("check", "--fix", "nb.ipynb")
    assert (folder / "nb.ipynb").read_bytes() == before.replace(b"Variable(x)", b"x.detach()")


def test_a_fix_that_adds_an_import_puts_it_into_a_cell_of_code(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    net = "class Net(nn.Module):\n    def forward(self, x):\n        print(x)\n        return x"
    folder = write_files({"nb.ipynb": notebook(("markdown", "#"), ("code", "from torch import nn"), ("code", net))})
    done = breaklint("check", "--fix", "--unsafe-fixes", "nb.ipynb")
    assert done.returncode == 0, done.stdout + done.stderr
    cells = ["".join(cell["source"]) for cell in json.loads((folder / "nb.ipynb").read_text("utf-8"))["cells"]]
    assert cells[0] == "#"
    assert "import torch" in cells[1]
    assert "is_compiling()" in cells[2]


def test_a_diff_is_one_of_cells(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({"nb.ipynb": notebook(*CELLS)})
    before = (folder / "nb.ipynb").read_bytes()
    shown = breaklint("check", "--diff", "nb.ipynb").stdout.splitlines()
    assert shown[:2] == ["--- nb.ipynb:cell 4", "+++ nb.ipynb:cell 4"]
    assert [line for line in shown[2:] if line[0] in "+-"] == [
        "-        y = torch.relu(Variable(x))",
        "+        y = torch.relu(x.detach())",
    ]
    assert (folder / "nb.ipynb").read_bytes() == before


def test_a_notebook_is_read_from_standard_input_and_written_to_standard_output(breaklint: RunBreaklint) -> None:
    text = notebook(*CELLS)
    done = breaklint("check", "--fix", "--stdin-filename", "nb.ipynb", "-", stdin=text)
    assert done.stdout == text.replace("Variable(x)", "x.detach()")
    assert "nb.ipynb:cell 4:4:20: BRK201" in done.stderr


def test_comments_that_silence_are_written_into_cells_and_honoured(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    folder = write_files({"nb.ipynb": notebook(*CELLS)})
    assert breaklint("check", "--add-ignore", "nb.ipynb").returncode == 0
    assert "y.mean().item()  # breaklint: ignore[BRK201]" in (folder / "nb.ipynb").read_text("utf-8")
    assert breaklint("check", "nb.ipynb").stdout == "No findings in 1 file (1 entry: 1 forward).\n"


def test_since_tells_all_of_a_notebook_that_changed_and_nothing_of_one_that_did_not(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    folder = write_files({"old.ipynb": notebook(*CELLS), "new.ipynb": notebook(*CELLS)})
    identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    for arguments in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "Notebooks"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    (folder / "new.ipynb").write_text(notebook(*CELLS, ("code", "x = 1")), "utf-8")
    done = breaklint("check", "--by-line", "--since", "HEAD")
    assert places(done) == ["new.ipynb:cell 4:3:24", "new.ipynb:cell 4:4:20"]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report of a notebook in a format."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "nb.ipynb").write_text(notebook(*CELLS), "utf-8")

    def text(form: str) -> str:
        from breaklint.lint.run import run
        from breaklint.model import Settings
        from breaklint.output import render

        result = run([str(folder / "nb.ipynb")], Settings())
        return render(form, result).replace(f"{folder}/", "")

    return text


def test_json_names_the_cell_and_counts_from_it(outputs: Any) -> None:
    first = json.loads(outputs("json"))[0]
    assert (first["cell"], first["location"]) == (4, {"row": 3, "column": 24})
    assert [(edit["cell"], edit["location"]["row"]) for edit in first["fix"]["edits"]] == [(4, 3)]


def test_formats_that_know_only_rows_of_files_tell_the_cell_in_the_message(outputs: Any) -> None:
    sarif = json.loads(outputs("sarif"))["runs"][0]["results"][0]
    assert sarif["message"]["text"].startswith("cell 4, row 3: `Variable`")
    assert "region" not in sarif["locations"][0]["physicalLocation"]
    gitlab = json.loads(outputs("gitlab"))[0]
    assert gitlab["description"].startswith("BRK601: cell 4, row 3: ")
    assert gitlab["location"]["positions"]["begin"] == {"line": 1, "column": 1}
    github = outputs("github").splitlines()[0]
    assert "nb.ipynb:cell 4:3:24: BRK601" in github
    assert "line=" not in github


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("torch def forward", "nb.ipynb:1:1: is not a notebook: Expecting value", id="no JSON"),
        pytest.param('{"torch": "def forward"}', "is not a notebook: it has no cells", id="no cells"),
        pytest.param('["torch def forward"]', "is not a notebook: it has no cells", id="a list"),
        pytest.param('{"cells": "torch def forward"}', "is not a notebook: it has no cells", id="cells that are text"),
        pytest.param('{"worksheets": ["torch def forward"]}', "`jupyter nbconvert --to notebook`", id="an old format"),
        pytest.param(
            notebook(("code", "import torch"), ("code", "x = 1\ndef forward(:")),
            "nb.ipynb:cell 2:2:13: not valid Python",
            id="a cell that is no Python",
        ),
    ],
)
def test_what_cannot_be_checked_is_told_in_a_line_with_its_place(
    write_files: WriteFiles, breaklint: RunBreaklint, text: str, line: str
) -> None:
    write_files({"nb.ipynb": text})
    done = breaklint("check", "nb.ipynb")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert line in done.stderr


def test_a_notebook_of_another_language_is_passed_by(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"nb.ipynb": notebook(("code", "def forward torch {"), kernelspec={"language": "scala"})})
    assert breaklint("check").returncode == 0


@pytest.mark.parametrize(
    ("source", "magic_rows"),
    [
        pytest.param("%time f(x)\ny = 1", [1], id="line magic"),
        pytest.param("if True:\n    !ls", [2], id="shell, indented"),
        pytest.param("files = !ls\na, b = %magic x", [1, 2], id="assigned"),
        pytest.param("!ls \\\n  -l\nx = 1", [1, 2], id="continued"),
        pytest.param("torch.relu?\n?x\nx ??", [1, 2, 3], id="help"),
        pytest.param('x = """\n%s\n!a\n""" % 1', [], id="inside a string"),
        pytest.param("x = (7\n  % 2)", [], id="inside brackets"),
        pytest.param("x = 7 \\\n% 2", [], id="after a backslash"),
        pytest.param("x = a != b\ny: int = 3  # what?", [], id="plain Python"),
    ],
)
def test_lines_for_ipython_are_told_from_python(source: str, magic_rows: list[int]) -> None:
    text, known = mask_magics(source, 1)
    compile(text, "cell", "exec")
    assert len(text.split("\n")) == len(source.split("\n"))
    assert [row for row, line in enumerate(text.split("\n"), 1) if line.strip() in known] == magic_rows


LINES = st.sampled_from(
    ["x = 1", "%time x", "!ls \\", "  -l", "y = !ls", "", "# é", "if x:", "    x = 2", "f?", '"\\n"']
)


@given(st.lists(st.lists(LINES, max_size=5).map("\n".join), max_size=5), st.booleans())
def test_a_notebook_whose_text_does_not_change_is_written_as_it_was(cells: list[str], lines: bool) -> None:
    data = notebook(*(("code", cell) for cell in cells), lines=lines).encode()
    try:
        source = decode("nb.ipynb", data)
    except SourceError:
        return  # not Python
    assert encode(source, source.text) == data
    assert dict(by_cell(shown(source))).items() <= dict(enumerate(cells, 1)).items()


def test_a_text_that_lost_a_cell_or_a_magic_line_is_not_written(tmp_path: Path) -> None:
    source = decode("nb.ipynb", notebook(*CELLS).encode())
    for missing in ("# breaklint cell 4\n", source.text.split("\n")[1] + "\n"):
        with pytest.raises(SourceError, match="would be lost"):
            encode(source, source.text.replace(missing, ""))
