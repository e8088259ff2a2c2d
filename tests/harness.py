"""Names that tests share; the fixtures themselves are in conftest.py."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from breaklint.lint.engine import check_source
from breaklint.model import Settings

PROJECT = Path(__file__).resolve().parent.parent
WriteFiles = Callable[[Mapping[str, "str | bytes"]], Path]
RunBreaklint = Callable[..., "subprocess.CompletedProcess[str]"]

# Of pytest in a process of its own: plugins that no such test is about, and that take longer to import than pytest.
FEW_PLUGINS = {"PYTEST_ADDOPTS": "-p no:anyio -p no:hypothesispytest"}
MARK = re.compile(r"#((?: BRK\d{3})+)$")
MODEL = """\
import torch
import numpy as np
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.weight = nn.Parameter(torch.linspace(-1, 1, 8))
        self.register_buffer("table", torch.arange(8))
        self.use_bias = True
        self.threshold = 0.5

    def forward(self, x: torch.Tensor):
"""


def model(forward: str) -> str:
    """A whole file around the lines of a forward method of `x`, a float tensor of 4 x 8."""
    return MODEL + indent(dedent(forward).strip("\n"), " " * 8) + "\n"


def findings(text: str, path: str = "model.py", **settings: Any) -> list[tuple[int, str]]:
    """The row and the code of every finding in a source that is checked without errors."""
    result = check_source(text, path, Settings(**settings))
    assert result.errors == ()
    return [(finding.span.start.row, finding.code) for finding in result.findings]


def marked(text: str) -> list[tuple[int, str]]:
    """What the comments of a source say is found: `# BRK301`, or several codes in a row."""
    rows = enumerate(text.splitlines(), 1)
    return [(row, code) for row, line in rows if (mark := MARK.search(line)) for code in mark[1].split()]


def age(folder: Path) -> None:
    """Make files as old as a project's files are: what has just been written is not remembered."""
    then = time.time() - 60
    for path in folder.rglob("*.py"):
        os.utime(path, (then, then))


def check_for_the_installed_torch() -> str:
    """Make the installed torch the default target, as what tests expect was measured on it; returns its version."""
    from importlib.metadata import version

    from breaklint.model import Settings

    installed = ".".join(version("torch").split(".")[:2])
    place = Settings._fields.index("target_torch") - len(Settings._fields)
    defaults = list(Settings.__new__.__defaults__ or ())
    defaults[place] = installed
    Settings.__new__.__defaults__ = tuple(defaults)
    Settings._field_defaults["target_torch"] = installed
    return installed


INSTALLED_TORCH = check_for_the_installed_torch()
