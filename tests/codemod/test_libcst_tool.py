"""`python -m libcst.tool codemod` makes breaklint's fixes, as safe as `breaklint check --fix` makes them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cli_server
import pytest
from harness import PROJECT, RunBreaklint, WriteFiles, model

CONFIG = "modules:\n- breaklint.codemod\nrepo_root: .\n"
BEFORE = model("print('hello')\nif x.sum() > 0:\n    x = x + 1\nreturn x * x.mean().item()")
# What `python -m libcst.tool` is, in a process that has imported most of it.
FORKED = (
    "import runpy; sys.argv[1:] = {}; sys.path.insert(0, os.getcwd()); "
    "runpy.run_module('libcst.tool', run_name='__main__')"
)
Tool = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def tool(write_files: WriteFiles, tmp_path: Path) -> Tool:
    """Run libcst.tool in a project of two files."""
    write_files({".libcst.codemod.yaml": CONFIG, "src/net.py": BEFORE, "src/plain.py": "x = 1\n"})

    def run(*arguments: str, forked: bool = True) -> subprocess.CompletedProcess[str]:
        if forked and (server := cli_server.forking()):
            return server.run(["libcst.tool"], tmp_path, prelude=FORKED.format([*arguments]))
        command = [sys.executable, "-m", "libcst.tool", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def codemod(tool: Tool, *arguments: str) -> subprocess.CompletedProcess[str]:
    return tool("codemod", *arguments, "--no-format", "--jobs", "1", "src")


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]], ids=["safe", "unsafe"])
@pytest.mark.parametrize("named", [["-x", "breaklint.codemod.FixGraphBreaks"], ["commands.FixGraphBreaks"]])
def test_the_codemod_writes_what_check_would(
    tool: Tool, tmp_path: Path, breaklint: RunBreaklint, named: list[str], options: list[str]
) -> None:
    done = codemod(tool, *named, *options)
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "src/net.py").read_text()
    (tmp_path / "src/net.py").write_text(BEFORE)
    breaklint("check", "--fix", *options, "src")
    assert written == (tmp_path / "src/net.py").read_text()
    assert ("is_compiling" in written, ".item()" not in written) == (True, bool(options))
    assert (tmp_path / "src/plain.py").read_text() == "x = 1\n"


def test_one_rule_can_be_fixed_alone(tool: Tool, tmp_path: Path) -> None:
    selected = codemod(tool, "-x", "breaklint.codemod.FixGraphBreaks", "--unsafe-fixes", "--select", "tensor-item")
    assert selected.returncode == 0, selected.stderr
    written = (tmp_path / "src/net.py").read_text()
    assert "x.mean()" in written
    assert ".item()" not in written
    assert "if x.sum() > 0:" in written


def test_encoding_and_newlines_stay(tool: Tool, tmp_path: Path) -> None:
    text = "# -*- coding: latin-1 -*-\n# é\n" + BEFORE
    (tmp_path / "src/net.py").write_bytes(text.replace("\n", "\r\n").encode("latin-1"))
    done = codemod(tool, "-x", "breaklint.codemod.FixGraphBreaks", "--unsafe-fixes")
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "src/net.py").read_bytes()
    assert written.startswith("# -*- coding: latin-1 -*-\r\n# é\r\n".encode("latin-1"))
    assert b".item()" not in written
    assert written.count(b"\r\n") == written.count(b"\n")


def test_the_configuration_of_the_project_counts(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "breaklint.toml").write_text('unfixable = ["BRK201"]\n')
    codemod(tool, "-x", "breaklint.codemod.FixGraphBreaks", "--unsafe-fixes")
    assert ".item()" in (tmp_path / "src/net.py").read_text()


def test_a_rule_that_does_not_exist_is_told_and_nothing_is_written(tool: Tool, tmp_path: Path) -> None:
    done = codemod(tool, "-x", "breaklint.codemod.FixGraphBreaks", "--select", "tensor-itm")
    assert done.returncode == 1
    assert "no rule is called 'tensor-itm'; did you mean `tensor-item`?" in done.stderr
    assert (tmp_path / "src/net.py").read_text() == BEFORE
