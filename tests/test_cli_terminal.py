"""What a person at a terminal sees: progress, colours on demand, and quiet."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

ITEM = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.sum().item()
"""
PRELUDE = (
    "import breaklint.commands.progress as p; p._PATIENCE = p._PAUSE = 0.0; from breaklint.cli import main; main()"
)


def at_a_terminal(folder: Path, *arguments: str) -> str:
    """What a run prints on standard error, which is a terminal; progress has no patience."""
    master, slave = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-c", PRELUDE, *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(PROJECT)}, stdout=subprocess.DEVNULL, stderr=slave,
    )  # fmt: skip
    os.close(slave)
    done.wait(60)
    printed = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        printed += part
    os.close(master)
    return printed.decode()


def test_a_long_run_counts_files_on_a_terminal_and_removes_the_line(write_files: WriteFiles) -> None:
    folder = write_files({f"m{number}.py": ITEM for number in range(3)})
    printed = at_a_terminal(folder, "check", "--no-cache", ".")
    assert "1 of 3 files checked, about " in printed
    assert printed.endswith("\r\x1b[K")


def test_a_short_run_and_a_pipe_get_no_progress(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"m.py": ITEM})
    assert breaklint("check", "--no-cache", ".").stderr == ""


@pytest.mark.parametrize(("wanted", "colored"), [("auto", False), ("always", True), ("never", False)])
def test_colour_is_for_terminals_unless_asked_for(
    write_files: WriteFiles, breaklint: RunBreaklint, wanted: str, colored: bool
) -> None:
    write_files({"m.py": ITEM})
    assert ("\x1b[" in breaklint("check", "--color", wanted, ".").stdout) is colored


def test_quiet_prints_findings_only(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"m.py": ITEM})
    loud = breaklint("check", "--output-format", "concise", "--target-torch", "2.12", ".")
    quiet = breaklint("check", "--output-format", "concise", "--target-torch", "2.12", "-q", ".")
    assert "note:" in loud.stderr
    assert (quiet.returncode, quiet.stderr) == (loud.returncode, "")
    assert quiet.stdout == loud.stdout.splitlines(keepends=True)[0]


def test_quiet_on_a_clean_file_prints_nothing(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"m.py": "x = 1\n"})
    done = breaklint("check", "--quiet", ".")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_agents_prints_the_page(breaklint: RunBreaklint) -> None:
    done = breaklint("agents")
    assert done.stdout == (PROJECT / "docs" / "agents.md").read_text("utf-8")
    assert len(done.stdout.splitlines()) <= 70
