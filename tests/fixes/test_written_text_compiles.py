"""What is written compiles if what was read did; and where that cannot be, one line says so and the file is left."""

from __future__ import annotations

import ast
import json
import warnings

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.errors import RuleBug, SourceError
from breaklint.fixes.apply import apply_chosen
from breaklint.lint.engine import fix_source
from breaklint.model import Applicability, Edit, Effect, Finding, Fix, Position, Settings, Severity, Span
from breaklint.source.syntax import check_compiles

FUTURE = "from __future__ import annotations\n"
NET = "class Net(torch.nn.Module):\n    def forward(self, x):\n        return Variable(x)\n"
IMPORTS = "import torch\nfrom torch.autograd import Variable\n"


def inserted(content: str, row: int = 1) -> tuple[Finding, Fix]:
    place = Position(row, 1)
    fix = Fix(Applicability.SAFE, "", "", (Edit(Span(place, place), content),))
    return Finding("a.py", fix.edits[0].span, "BRK999", "", "", Effect.BREAK, Severity.ERROR, "", fix=fix), fix


# Each is grammar to `ast.parse`, and refused by the compiler.
GRAMMAR_ALONE = {
    "an import from the future behind another": (FUTURE, "import torch\n"),
    "a return outside of a function": ("x = 1\n", "return 2\n"),
    "a parameter that is global": ("x = 1\n", "def f(a):\n    global a\n"),
}


@pytest.mark.parametrize(("before", "content"), GRAMMAR_ALONE.values(), ids=GRAMMAR_ALONE)
def test_what_compiles_is_not_made_into_what_only_parses(before: str, content: str) -> None:
    ast.parse(content + before)
    with pytest.raises(RuleBug, match=r"^a\.py:\d+: the fixes of BRK999 do not compile \(.*\)") as bug:
        apply_chosen("a.py", before, [inserted(content)])
    assert "\n" not in str(bug.value)


@pytest.mark.parametrize(("before", "content"), GRAMMAR_ALONE.values(), ids=GRAMMAR_ALONE)
def test_text_that_did_not_compile_is_still_fixed(before: str, content: str) -> None:
    assert apply_chosen("a.py", content + before, [inserted("# fixed\n")]) == "# fixed\n" + content + before
    with pytest.raises(RuleBug):  # but has to stay grammar
        apply_chosen("a.py", content + before, [inserted("(\n")])


NO_TREE = {
    "null character": "x = '\0'\n",
    "too many parentheses": f"x = {'(' * 1000}1{')' * 1000}\n",
    "too many operands": f"x = 1{' + x' * 60_000}\n",
    "too many digits": f"x = {'9' * 5000}\n",
    "a lone surrogate": "x = '\ud800'\n",
}


@pytest.mark.parametrize("content", NO_TREE.values(), ids=NO_TREE)
def test_what_the_compiler_gives_up_at_is_one_line(content: str) -> None:
    with pytest.raises(SourceError) as error:
        check_compiles("a.py", content)
    assert "\n" not in str(error.value)
    with pytest.raises(RuleBug, match="do not compile") as bug:
        apply_chosen("a.py", "x = 1\n", [inserted(content)])
    assert "None" not in str(bug.value)
    assert "\n" not in str(bug.value)


@pytest.mark.parametrize("code", ["x = 1 is 1\n", "x = '\\d'\n", "assert (x, 1)\n", "x = 1()\n"])
def test_warnings_of_the_compiler_are_not_ours_to_tell(code: str) -> None:
    with warnings.catch_warnings():  # and not by a mark, which makes errors of what other tests left open, too
        warnings.simplefilter("error")
        assert apply_chosen("a.py", code, [inserted("y = 1\n")]) == "y = 1\n" + code


def test_future_imports_of_breaklint_itself_do_not_count() -> None:
    annotated = "def f():\n    def g(a: (yield)): pass\n"  # annotations that are kept as text hold no `yield`
    assert apply_chosen("a.py", "x = 1\n", [inserted(annotated)]).startswith(annotated)
    with pytest.raises(RuleBug):
        apply_chosen("a.py", FUTURE, [inserted(annotated, row=2)])


HEADS = {
    "on a line of its own": (FUTURE + "import os\n", FUTURE + "import torch\nimport os\n"),
    "beside an import": (
        "from __future__ import annotations; import os\nimport re\n",
        "from __future__ import annotations; import os\nimport torch\nimport re\n",
    ),
    "beside a docstring": ("'''Doc.'''; import os\nimport re\n", "'''Doc.'''; import os\nimport torch\nimport re\n"),
    "beside a list of two lines": (
        "from __future__ import annotations; x = [\n]\nimport re\n",
        "from __future__ import annotations; x = [\n]\nimport torch\nimport re\n",
    ),
}


@pytest.mark.parametrize(("head", "expected"), HEADS.values(), ids=HEADS)
def test_an_added_import_stands_below_those_from_the_future(head: str, expected: str) -> None:
    text = head + "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        print(1)\n"
    fixed = fix_source(text, "model.py", Settings(select=("BRK101",)), unsafe=True).text
    assert fixed is not None
    assert fixed.startswith(expected)
    check_compiles("model.py", fixed)


def test_a_file_without_a_line_for_the_import_has_no_fix() -> None:
    text = "from __future__ import annotations; from torch import compile; f = compile(lambda x: print(x))"
    result = fix_source(text, "model.py", Settings(select=("BRK101",)), unsafe=True)
    assert (result.text, result.errors) == (None, ())


def notebook(*sources: str) -> str:
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


CELLS = {
    "a later cell with an import from the future": ("import os", FUTURE + IMPORTS, NET),
    "a cell that awaits": (IMPORTS, "x = await f()\nasync with x: pass", NET),
    "magics": ("%matplotlib inline\n" + IMPORTS, "!ls\nfiles = !ls\nfiles?", NET),
    "a cell that does not compile": (IMPORTS, "return 1", NET),
}


@pytest.mark.parametrize("cells", CELLS.values(), ids=CELLS)
def test_cells_of_a_notebook_are_compiled_one_by_one_as_ipython_does(
    write_files: WriteFiles, breaklint: RunBreaklint, cells: tuple[str, ...]
) -> None:
    folder = write_files({"nb.ipynb": notebook(*cells)})
    done = breaklint("check", "--fix", "nb.ipynb")
    assert (done.returncode, done.stderr) == (0, "")
    written = ["".join(cell["source"]) for cell in json.loads((folder / "nb.ipynb").read_text("utf-8"))["cells"]]
    assert written == [*cells[:-1], NET.replace("Variable(x)", "x.detach()")]


def test_a_fix_of_a_cell_that_would_not_compile_is_refused() -> None:
    text = f"# breaklint cell 1\nx = 1\n# breaklint cell 2\n{FUTURE}"
    with pytest.raises(RuleBug, match=r"^nb\.ipynb:5: the fixes of BRK999 do not compile"):
        apply_chosen("nb.ipynb", text, [inserted("import torch\n", row=4)])
    assert apply_chosen("nb.ipynb", text, [inserted("import torch\n", row=2)]).startswith("# breaklint cell 1\nimport")


@pytest.mark.parametrize("source", [f"x = 1{' + x' * 60_000}", f"x = {'9' * 5000}"], ids=["operands", "digits"])
def test_a_cell_too_deep_for_the_parser_is_one_line(
    write_files: WriteFiles, breaklint: RunBreaklint, source: str
) -> None:
    write_files({"nb.ipynb": notebook(IMPORTS, source, NET), "good.py": IMPORTS + NET})
    done = breaklint("check", "--output-format", "concise")
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: nb.ipynb:cell 2:"), done.stderr
    assert done.stderr.count("\n") == 1
    assert "good.py" in done.stdout


GLUED = {
    "a keyword behind a number": "pow(x, 2)if x else x",
    "an operator name behind a number": "pow(x, 2)or x",
    "a function in parentheses behind a keyword": "(pow)(x, 2)",
}


@pytest.mark.parametrize("value", GLUED.values(), ids=GLUED)
def test_what_is_written_next_to_a_word_compiles_without_a_warning(value: str) -> None:
    text = NET.replace(" Variable(x)", value if value[0] == "(" else f" {value}").replace("x):", "x: torch.Tensor):")
    fixed = fix_source(IMPORTS + text, "net.py", Settings(), unsafe=False).text
    assert fixed is not None
    assert "**2" in fixed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(fixed, "net.py", "exec")
