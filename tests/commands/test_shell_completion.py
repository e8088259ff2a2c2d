"""Completion in a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from harness import PROJECT, RunBreaklint

from breaklint.cli import cli

SHOWN = dict(
    re.findall(
        r"^\| (\w+)\b.*`([^`]*_BREAKLINT_COMPLETE[^`]*)`",
        (PROJECT / "docs/command-line.md").read_text("utf-8"),
        re.MULTILINE,
    )
)


@pytest.fixture
def in_bash(tmp_path: Path) -> dict[str, str]:
    """An environment in which `breaklint` is this project's."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    command = tmp_path / "bin/breaklint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m breaklint "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PYTHONPATH": str(PROJECT), "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("breaklint che", "check", id="command"),
        pytest.param("breaklint check --extend-s", "--extend-select", id="option"),
    ],
)
def test_bash_completes_with_the_line_that_the_docs_show(in_bash: dict[str, str], words: str, expected: str) -> None:
    script = f"{SHOWN['bash']}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
    script += "_breaklint_completion breaklint; echo ${COMPREPLY[@]}"
    done = subprocess.run(["bash", "-c", script], env=in_bash, capture_output=True, text=True, check=False)
    assert done.stdout.strip().startswith(expected), done.stderr


@pytest.mark.parametrize("words", ["check", "check --baseline", "verify", "capture -- python"])
def test_a_shell_is_told_to_complete_files(words: str) -> None:
    completion = ShellComplete(cli, {}, "breaklint", "_BREAKLINT_COMPLETE")
    (item,) = completion.get_completions(words.split(), "mod")
    assert (item.type in ("file", "dir"), item.value) == (True, "mod")


@pytest.mark.parametrize(
    ("shell", "telling"), [("zsh", "compdef"), ("fish", "complete --no-files --command breaklint")]
)
def test_other_shells_get_the_script_that_the_docs_show(breaklint: RunBreaklint, shell: str, telling: str) -> None:
    assert f"_BREAKLINT_COMPLETE={shell}_source breaklint" in SHOWN[shell]
    assert telling in breaklint(_BREAKLINT_COMPLETE=f"{shell}_source").stdout
