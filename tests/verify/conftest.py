from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from breaklint.verify.command import verify
from breaklint.verify.results import TargetReport, VerifyOptions

HEAD = """\
import os, sys, time
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))

"""
TAIL = """

def get_inputs():
    return [torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])]
"""

Folder = Callable[..., Path]


def model(forward: str) -> str:
    """A whole file around the lines of a forward method."""
    lines = "\n".join(f"        {line}" if line else "" for line in forward.strip("\n").splitlines())
    return f"{HEAD}    def forward(self, x):\n{lines}\n{TAIL}"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes a fixture folder from the forward methods before and after."""

    def write(before: str, after: str | None = None) -> Path:
        (tmp_path / "before.py").write_text(model(before), encoding="utf-8")
        if after is not None:
            (tmp_path / "after.py").write_text(model(after), encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture(scope="session")
def examine() -> Callable[..., TargetReport]:
    """Verifies one target on the CPU with a backend that compiles nothing, so that a run takes seconds."""

    def run(target: Path | str, **options: object) -> TargetReport:
        seen: list[str] = []
        chosen = {"device": "cpu", "backend": "eager", "rounds": 5, "timeout_s": 120.0} | options
        return verify([str(target)], VerifyOptions(**chosen), seen.append).targets[0]  # type: ignore[arg-type]

    return run
