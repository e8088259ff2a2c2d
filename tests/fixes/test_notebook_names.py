"""Magic lines of notebooks: where one may bind names, no fix of the notebook rests on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Settings

CODE = """\
import torch
import numpy as np

class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod(x.shape))
"""


def fixes(folder: Path, line: str) -> int:
    """The safe fixes in a notebook with a line in front of its code."""
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in (line, CODE)]
    path = folder / "net.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    return len(run([str(path)], Settings(), Mode(fix=True), jobs=1).fixed)


@pytest.mark.parametrize("line", ["%run other.py", "%pylab", "%store -r np", "if 1:\n    %time np = None", "%mine x"])
def test_a_magic_that_may_bind_names_is_no_proof(tmp_path: Path, line: str) -> None:
    assert fixes(tmp_path, line) == 0


@pytest.mark.parametrize("line", ["", "%matplotlib inline", "!pip install torch", "%time print(1)", "files = !ls"])
def test_other_magics_take_no_proof_away(tmp_path: Path, line: str) -> None:
    assert fixes(tmp_path, line) == 1
