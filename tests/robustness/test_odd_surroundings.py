"""A run in surroundings that lack something: a working folder, streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

MODEL = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print(x)
        return x.item()
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="of POSIX")


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.stderr == ""
    return [line.split()[1] for line in done.stdout.splitlines() if line.startswith("model.py:")]


def in_shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `breaklint` is the command line."""
    line = line.replace("breaklint", f'"{sys.executable}" -m breaklint')
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_working_folder_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = in_shell(tmp_path, "cd gone; rmdir ../gone; breaklint check")
    output = "breaklint: error: the current folder cannot be used: No such file or directory\n"
    assert (done.returncode, done.stderr) == (2, output)


def test_standard_input_that_is_closed_is_told_in_one_line(tmp_path: Path) -> None:
    done = in_shell(tmp_path, "breaklint check - <&-")
    assert (done.returncode, done.stderr) == (2, "breaklint: error: -: standard input is closed\n")


@pytest.mark.parametrize(
    "option", ["--output-format=json:model.py", "--write-baseline=model.py", "--output-format=sarif:n.ipynb"]
)
def test_a_report_never_replaces_a_source(write_files: WriteFiles, breaklint: RunBreaklint, option: str) -> None:
    folder = write_files({"model.py": MODEL, "n.ipynb": "{}"})
    done = breaklint("check", option)
    assert (done.returncode, "must not replace Python code" in done.stderr) == (2, True)
    assert ((folder / "model.py").read_text(), (folder / "n.ipynb").read_text()) == (MODEL, "{}")


@pytest.mark.parametrize("name", ["breaklint.toml", "pyproject.toml"])
def test_a_configuration_may_begin_with_a_byte_order_mark(
    write_files: WriteFiles, breaklint: RunBreaklint, name: str
) -> None:
    head = "[tool.breaklint]\n" if name == "pyproject.toml" else ""
    write_files({"model.py": MODEL, name: f'\ufeff{head}ignore = ["BRK101"]\n'})
    assert codes(breaklint("check", "--output-format", "concise")) == ["BRK201"]
