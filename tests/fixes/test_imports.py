"""The name by which a fix calls torch."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

LOCAL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        from torch.autograd import Variable
        return Variable(x) * 2
"""


def test_the_import_of_a_function_names_what_it_calls() -> None:
    assert Engine(Settings()).fix("net.py", LOCAL, True).fixed


DRAWN = """\
import numpy as np
import torch
{bound}

class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * np.random.rand()
"""
OPTIONAL = "try:\n    import random\nexcept ImportError:\n    random = None\n"


@pytest.mark.parametrize("bound", ["", OPTIONAL, "if torch.cuda.is_available():\n    random = None\n"])
def test_a_name_that_the_file_binds_otherwise_is_not_imported(bound: str) -> None:
    fixed = Engine(Settings()).fix("net.py", DRAWN.format(bound=bound), True).fixed
    assert bool(fixed) == (not bound)
