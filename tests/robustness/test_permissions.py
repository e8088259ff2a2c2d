"""Files and folders that may not be read or written: one clear line, the rest is done; root is made to heed it, too."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT, WriteFiles

FIXABLE = (
    "import torch\nfrom torch.autograd import Variable\n\n\nclass Net(torch.nn.Module):\n"
    "    def forward(self, x):\n        return torch.relu(Variable(x))\n"
)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")


def heeding_permissions() -> None:
    """Take from root, in a process that is about to start, what lets it read and write everything."""
    if os.geteuid() == 0:
        system = ctypes.CDLL(None, use_errno=True)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            if system.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "root cannot be kept from reading and writing")


@pytest.fixture
def tree(write_files: WriteFiles, tmp_path: Path) -> Iterator[Path]:
    write_files({"tree/a.py": FIXABLE, "tree/b.py": FIXABLE, "tree/sub/c.py": FIXABLE, "tree/breaklint.toml": ""})
    yield tmp_path / "tree"
    for path in (tmp_path / "tree", tmp_path / "tree/sub"):
        path.chmod(0o755)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [sys.executable, "-m", "breaklint", *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(PROJECT)},
            preexec_fn=heeding_permissions, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            check=False,
        )  # fmt: skip
    except subprocess.SubprocessError as error:
        pytest.skip(str(error))


def test_a_file_that_may_not_be_read_is_told_and_the_others_are_fixed(tree: Path) -> None:
    (tree / "a.py").chmod(0o000)
    done = run(tree, "check", "--fix")
    assert (done.returncode, done.stderr) == (2, "breaklint: error: a.py: cannot be read: Permission denied\n")
    assert "detach" in (tree / "b.py").read_text()


def test_a_read_only_file_is_told_and_stays_and_the_others_are_fixed(tree: Path) -> None:
    (tree / "a.py").chmod(0o444)
    done = run(tree, "check", "--fix")
    assert (done.returncode, done.stderr) == (2, "breaklint: error: a.py: cannot be written: the file is read-only\n")
    assert (tree / "a.py").read_text() == FIXABLE
    assert "detach" in (tree / "b.py").read_text()


def test_a_read_only_folder_is_told_and_stays_and_the_others_are_fixed(tree: Path) -> None:
    (tree / "sub").chmod(0o555)
    done = run(tree, "check", "--fix")
    assert (done.returncode, done.stderr) == (2, "breaklint: error: sub/c.py: cannot be written: Permission denied\n")
    assert (tree / "sub/c.py").read_text() == FIXABLE
    assert "detach" in (tree / "b.py").read_text()


def test_a_read_only_tree_is_checked_without_a_cache_and_without_a_word_about_it(tree: Path) -> None:
    tree.chmod(0o555)
    done = run(tree, "check", "--output-format", "concise")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("BRK601") == 3
    assert not (tree / ".breaklint_cache").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tree: Path) -> None:
    os.chown(tree / "a.py", 12345, 23456)
    done = subprocess.run(
        [sys.executable, "-m", "breaklint", "check", "--fix"], cwd=tree,
        env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, check=False,
    )  # fmt: skip
    status = (tree / "a.py").stat()
    assert (done.returncode, status.st_uid, status.st_gid) == (0, 12345, 23456)


def test_folders_above_that_may_not_be_searched_hold_no_configuration(tree: Path) -> None:
    (tree / "sub").chmod(0o000)
    done = run(tree, "check", "--exit-zero", "--stdin-filename", "sub/model.py", "-", "--no-cache")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_configuration_that_may_not_be_read_is_told_in_one_line(tree: Path) -> None:
    (tree / "breaklint.toml").unlink()
    (tree / "pyproject.toml").write_text("[tool.breaklint]\n")
    (tree / "pyproject.toml").chmod(0o000)
    done = run(tree, "check")
    output = f"breaklint: error: {tree / 'pyproject.toml'}: cannot be read: Permission denied\n"
    assert (done.returncode, done.stderr) == (2, output)
