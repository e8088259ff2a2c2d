"""A run of the command line that is forked is what a started one is."""

from __future__ import annotations

import pytest
from cli_server import breaklint
from harness import WriteFiles

MODEL = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return pow(x, 2)\n"


@pytest.mark.parametrize(
    "line",
    [
        "check model.py",
        "check --color always --output-format json .",
        "check --fix model.py",
        "check --diff -",
        "check nowhere.py",
        "check --no-such-option",
        "rule BRK201",
        "--version",
    ],
)
def test_a_forked_run_is_what_a_started_one_is(write_files: WriteFiles, line: str) -> None:
    runs = []
    for environment in ({}, {"BREAKLINT_TEST": "1"}):  # in another environment it is started
        folder = write_files({"model.py": MODEL})
        done = breaklint(folder, *line.split(), stdin=MODEL, **environment)
        runs.append((done.returncode, done.stdout, done.stderr, (folder / "model.py").read_text()))
    assert runs[0] == runs[1]
