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
        pytest.param("class Net(", "", "", id="what cannot be parsed is reported elsewhere"),
    ],
)
def test_what_the_text_of_a_target_says(tmp_path: Path, text: str, target: str, words: str) -> None:
    (tmp_path / "net.py").write_text(text)
    told = predicted_error(find_target(f"{tmp_path}/net.py{target}"))
    assert (words in told, bool(told)) == (True, bool(words))


def test_a_target_that_cannot_be_loaded_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)

    def refuse(*_: object) -> None:
        raise AssertionError("started")

    report = verify([f"{tmp_path}/net.py"], VerifyOptions(), lambda line: None, refuse)  # type: ignore[arg-type]
    assert report.targets[0].verdict is Verdict.ERROR
