"""Standard output and standard error that cannot take what is written: full, closed, or without a reader."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from harness import PROJECT, WriteFiles

MODEL = "import torch\n\n\n@torch.compile\ndef f(x):\n    print(x)\n    return x.item()\n"
FULL = Path("/dev/full")
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def shell(write_files: WriteFiles) -> Shell:
    """Run a line of shell in a folder with a model; `breaklint` in it is the command line."""
    folder = write_files({"model.py": MODEL, "breaklint.toml": ""})
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}

    def run(line: str, unbuffered: bool = False) -> subprocess.CompletedProcess[str]:
        line = line.replace("breaklint", f'"{sys.executable}" {"-u " * unbuffered}-m breaklint', 1)
        return subprocess.run(
            ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


TOLD = "breaklint: error: standard output cannot be written: No space left on device\n"
NO_SPACE = "breaklint: error: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("breaklint check model.py > /dev/full", TOLD),
        ("breaklint check --fix --unsafe-fixes --output-format json - < model.py > /dev/full 2> /dev/null", ""),
        ("breaklint rule --all > /dev/full", TOLD),
        ("breaklint --help > /dev/full", TOLD),
        ("breaklint check --exit-zero --output-format json:/dev/full model.py > /dev/null", NO_SPACE),
        ("breaklint check --exit-zero model.py > /dev/full 2>&1", ""),
        ("breaklint check --exit-zero nowhere.py > /dev/full 2>&1", ""),
    ],
)
def test_a_full_disk_is_told_in_a_line_and_ends_in_2(shell: Shell, line: str, told: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (2, told)


def test_a_reader_that_goes_away_is_no_error(shell: Shell) -> None:
    done = shell("breaklint rule --all | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "BRK101" in done.stdout


@pytest.mark.parametrize(
    ("closed", "unbuffered"), [(">&-", False), ("2>&-", False), (">&- 2>&-", False), (">&- 2>&-", True)]
)
def test_a_closed_stream_changes_no_exit_code(shell: Shell, closed: str, unbuffered: bool) -> None:
    done = shell(f"breaklint check model.py {closed}", unbuffered)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("columns", [80, 200])
def test_advice_fits_the_terminal(write_files: WriteFiles, columns: int) -> None:
    pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
    import fcntl
    import struct
    import termios

    folder = write_files({"model.py": MODEL, "breaklint.toml": ""})
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "TERM": "xterm", "NO_COLOR": ""}
    command = [sys.executable, "-m", "breaklint", "check", "model.py"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=theirs):
        os.close(theirs)
        shown = _read_all(ours)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    advice = [line for line in lines if re.match(r" +(= |\S)", line) and "|" not in line]
    assert max(map(len, advice)) <= min(columns, 120)
    assert max(map(len, advice)) > min(columns, 120) - 20


def _read_all(terminal: int) -> str:
    parts = []
    with suppress(OSError):  # how Linux tells that the other side is closed
        while part := os.read(terminal, 65536):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()
