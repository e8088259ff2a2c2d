"""What cannot be loaded is said from a target's text, and nothing is said of what may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.verify.command import verify
from breaklint.verify.judge.results import Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.predicted import predicted_error
from breaklint.verify.targets.targets import find_target

NET = "class Net(nn.Module):\n    def forward(self, x):\n        return x\n"
INPUTS = "def get_inputs():\n    return []\n"
WIDE = "class Net(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        pytest.param(NET, "", "no get_inputs()", id="no inputs"),
        pytest.param(NET, "::Nett", "its classes are Net", id="no such class"),
        pytest.param(NET, ":make", "no 'make' in it", id="no such factory"),
        pytest.param("x = 1\n", "", "it defines no nn.Module", id="no class"),
        pytest.param(f"{NET}def get_inputs():\n    return []\n", "", "", id="inputs"),
        pytest.param(f"{NET}from inputs import get_inputs\n", "", "", id="imported inputs"),
        pytest.param(f"{NET}from inputs import *\n", "", "", id="perhaps imported inputs"),
        pytest.param(f"{NET}if x:\n    get_inputs = list\n", "", "", id="inputs under a condition"),
        pytest.param(f"{NET}try:\n    import a\nexcept E:\n    def get_inputs(): ...\n", "", "", id="inputs in a try"),
        pytest.param(f"{NET}exec(text)\n", "", "", id="code that is not there yet"),
        pytest.param("def make(): ...\n", ":make", "", id="factory"),
        pytest.param("def __getattr__(name): ...\n", "::Net", "", id="names made on demand"),
        pytest.param(f"class Options: ...\n{INPUTS}", "::Options", "Options is no module class", id="no module"),
        pytest.param(f"class Options: ...\n{INPUTS}", "", "it defines no nn.Module", id="no module at all"),
        pytest.param(f"class Options: ...\nNet = make()\n{INPUTS}", "", "", id="a module that is made"),
        pytest.param(f"class Net:\n    def __call__(self, x): ...\n{INPUTS}", "::Net", "", id="what can be called"),
        pytest.param(f"@wrapped\nclass Net: ...\n{INPUTS}", "::Net", "", id="a decorated class"),
        pytest.param(f"{WIDE}{INPUTS}", "", "Net: missing a required argument: 'width'", id="no init inputs"),
        pytest.param(f"{WIDE}{INPUTS}get_init_inputs = list\n", "", "", id="init inputs"),
        pytest.param(f"{WIDE}{NET.replace('Net', 'Other')}{INPUTS}", "", "", id="one of several classes"),
        pytest.param(f"def net(width): ...\n{INPUTS}", "::net", "net: missing a required argument", id="a function"),
        pytest.param("def make(width, depth=2): ...\n", ":make", "is called without arguments", id="arguments"),
        pytest.param("def make(width=1, *, depth): ...\n", ":make", "'depth'", id="keyword arguments"),
        pytest.param("@filled\ndef make(width): ...\n", ":make", "", id="a decorated factory"),
        pytest.param(f"TESTCASES = [(Net, a, b)]\n{NET}", "::Net#3", "no test case 3", id="no such case"),
        pytest.param(f"TESTCASES = [(Net, a, b)]\n{NET}", "::Net#0", "", id="a case"),
        pytest.param(
            f'"""Text."""\nimport os, not_there.at_all\n{NET}', "", "No module named 'not_there'", id="import"
        ),
        pytest.param(f"import os\nos.x = 1\nimport not_there\n{NET}{INPUTS}", "", "", id="a path made before"),
        pytest.param(f"try:\n    import not_there\nexcept E: ...\n{NET}{INPUTS}", "", "", id="an optional import"),
    ],
)
def test_what_the_text_of_a_target_says(tmp_path: Path, text: str, target: str, words: str) -> None:
    (tmp_path / "net.py").write_text(text)
    told = predicted_error(find_target(f"{tmp_path}/net.py{target}"))
    assert (words in told, bool(told)) == (True, bool(words))


@pytest.mark.parametrize(
    ("text", "before"),
    [(NET, None), ("class Net(", None), (f"{NET}{INPUTS}", "not-a-revision")],
    ids=["no inputs", "no Python", "nothing before"],
)
def test_a_target_that_cannot_be_loaded_starts_nothing(tmp_path: Path, text: str, before: str | None) -> None:
    (tmp_path / "net.py").write_text(text)

    def refuse(*_: object) -> None:
        raise AssertionError("started")

    report = verify([f"{tmp_path}/net.py"], VerifyOptions(before=before), lambda line: None, refuse)  # type: ignore[arg-type]
    assert report.targets[0].verdict is Verdict.ERROR
