"""A fix that makes a file import torch, which could be imported without, is not safe and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import WriteFiles

from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.model import Settings

MODEL = """
import torch
from helper import note

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.relu(note(x))
"""
HELPER = "{imports}\n\n\ndef note(x):\n    logging.warning('shape %s', x.shape)\n    return x\n"
TOLD = "the file imports torch from then on"
HEADS = {
    "no torch": ("import logging", "unsafe"),
    "a part of torch": ("import logging\nfrom torch import nn", "safe"),
}


@pytest.mark.parametrize(("imports", "applicability"), HEADS.values(), ids=HEADS)
def test_a_file_that_would_import_torch_only_for_the_fix(
    write_files: WriteFiles, imports: str, applicability: str
) -> None:
    folder: Path = write_files({"model.py": MODEL, "helper.py": HELPER.format(imports=imports)})
    (found,) = run([str(folder)], Settings(log_fix="guard")).findings
    assert found.fix is not None
    assert (found.fix.applicability.value, TOLD in found.fix.why) == (applicability, applicability == "unsafe")


LOCAL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {head}from torch.autograd import Variable
        return Variable(x) * 2
"""


@pytest.mark.parametrize("head", ["", "if x.dim():\n            ", "for _ in x.shape:\n            "])
def test_what_a_function_may_not_have_imported_is_not_fixed(head: str) -> None:
    fixed = Engine(Settings()).fix("net.py", LOCAL.format(head=head), True).fixed
    assert bool(fixed) == (not head)
