"""What a person at a terminal sees: progress, colours on demand, and quiet."""

from __future__ import annotations

import os
import pty
import re
import sys
import time
from contextlib import suppress
from pathlib import Path

import cli_server
import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.commands import progress
from breaklint.commands.target_progress import TargetProgress

ITEM = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * x.sum().item()
"""
PRELUDE = "import breaklint.commands.progress as p; p.PATIENCE = p.PAUSE = {pause}"


def at_a_terminal(folder: Path, *arguments: str, pause: float = 0.0) -> str:
    """What a run prints on standard error, which is a terminal; progress has hardly any patience."""
    server = cli_server.forking()
    if server is None:
        pytest.skip("needs forks")
    master, slave = pty.openpty()
    with open(os.devnull, "r+b") as null:
        server.begin(arguments, folder, [null.fileno(), null.fileno(), slave], PRELUDE.format(pause=pause))
    os.close(slave)
    printed = all_of(master)
    server.ended()
    return printed


def all_of(master: int) -> str:
    """The output of a terminal whose other end is closed, or is closed later."""
    printed = b""
    with suppress(OSError):  # the other end is closed
        while part := os.read(master, 65536):
            printed += part
    os.close(master)
    return printed.decode()


def test_verify_shows_the_step_and_the_time_on_a_terminal_and_removes_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(progress, "PATIENCE", 0.01)
        monkeypatch.setattr(progress, "PAUSE", 0.1)
        shown = TargetProgress()
        for line in ("m.py::Net: eager", "[1/2] m.py::Net: correct", "n.py::Net: before"):
            shown(line)
            time.sleep(0.4)
        shown("[2/2] n.py::Net: correct")
        shown.clear()
    printed = all_of(master)
    lines = printed.replace("\r", "\n").replace("\x1b[K", "").splitlines()
    assert any(re.fullmatch(r"\d+ s: m.py::Net: eager", line) for line in lines)
    assert any(re.fullmatch(r"1 of 2 targets done, \d+ s, about \d+ s left: n.py::Net: before", line) for line in lines)
    assert [line for line in lines if line.startswith("[")] == [
        "[1/2] m.py::Net: correct",
        "[2/2] n.py::Net: correct",
    ]
    assert printed.endswith("\r\x1b[K")


def test_a_long_run_counts_files_on_a_terminal_and_removes_the_line(write_files: WriteFiles) -> None:
    folder = write_files({f"m{number}.py": ITEM for number in range(3)})
    printed = at_a_terminal(folder, "check", "--no-cache", ".")
    assert re.search(r"1 of 3 files checked, about \d+ s left: m1\.py", printed)
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
