"""Verify and capture say that they run code, before they do so for the first time, and not again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles
from model_files import model

NOTE = "breaklint: note: {} with your rights; check and fix do not run code (shown once)\n"
SAYS = {
    "verify": NOTE.format("verify imports and runs the code of its targets"),
    "capture": NOTE.format("capture runs the command"),
}
PRINTS = "import sys\nprint('import', file=sys.stderr, flush=True)\n"
QUICK = ("--devices", "cpu", "--backend", "eager", "--rounds", "3")


@pytest.fixture
def commands(write_files: WriteFiles) -> dict[str, tuple[str, ...]]:
    write_files({"net.py": model("return x * self.scale"), "script.py": PRINTS})
    capture = ("capture", "--module", "Model", "--", sys.executable, "script.py")
    return {"verify": ("verify", "net.py", *QUICK), "capture": capture}


@pytest.mark.parametrize("command", SAYS)
def test_it_is_said_before_the_first_run_and_not_before_the_next(
    commands: dict[str, tuple[str, ...]], breaklint: RunBreaklint, command: str
) -> None:
    first, second = (breaklint(*commands[command]) for _ in range(2))
    assert first.stderr.startswith(SAYS[command])
    assert "import" in first.stderr[len(SAYS[command]) :] or command == "verify"
    assert "shown once" not in first.stdout + second.stderr + second.stdout


def test_what_reads_the_report_is_not_told(commands: dict[str, tuple[str, ...]], breaklint: RunBreaklint) -> None:
    done = breaklint("verify", "gone.py", "--output-format", "json")
    assert done.stderr.startswith(SAYS["verify"])
    assert json.loads(done.stdout)["targets"][0]["verdict"] == "error"


def test_a_cache_that_came_along_does_not_keep_it_from_being_said(
    commands: dict[str, tuple[str, ...]], breaklint: RunBreaklint, tmp_path: Path
) -> None:
    breaklint("verify", "gone.py")
    (tmp_path / ".breaklint_cache").rename(tmp_path / "theirs")
    (tmp_path / ".breaklint_cache").mkdir()
    for path in (tmp_path / "theirs").iterdir():
        (tmp_path / ".breaklint_cache" / path.name).write_bytes(path.read_bytes())
    assert breaklint("verify", "gone.py").stderr.startswith(SAYS["verify"])


def test_where_nothing_can_be_kept_it_is_said_every_time(
    commands: dict[str, tuple[str, ...]], breaklint: RunBreaklint, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        assert breaklint("verify", "gone.py", BREAKLINT_CACHE_DIR="file").stderr.startswith(SAYS["verify"])


def test_check_and_fix_say_nothing_of_it(commands: dict[str, tuple[str, ...]], breaklint: RunBreaklint) -> None:
    assert breaklint("check", "--fix").stderr == ""
