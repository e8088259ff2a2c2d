"""Folders that are checked together, each with modules of the same names: a file imports those beside it."""

from __future__ import annotations

from itertools import permutations

import pytest
from harness import RunBreaklint, WriteFiles

MODEL = """
import torch
from utils import measured
class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return measured(x)
"""
FILES = {
    "first/model.py": MODEL,
    "first/utils.py": "def measured(x):\n    return x.sum().item()\n",
    "second/model.py": MODEL,
    "second/utils.py": "def measured(x):\n    return x.sum()\n",
    "third/part/model.py": MODEL,  # a folder without `__init__.py`, run from the one above
    "third/utils.py": "def measured(x):\n    return x.sum().tolist()\n",
}


@pytest.mark.parametrize("order", [*permutations(["first", "second", "third"])], ids=" ".join)
def test_the_order_of_the_folders_does_not_matter(
    write_files: WriteFiles, breaklint: RunBreaklint, order: tuple[str, ...]
) -> None:
    write_files(FILES)
    done = breaklint("check", *order, "--isolated", "--no-cache", "--output-format", "concise")
    output = sorted(line.split(" ")[0] for line in done.stdout.splitlines() if "BRK" in line)
    assert [place.replace("\\", "/") for place in output] == ["first/utils.py:2:12:", "third/utils.py:2:12:"]
