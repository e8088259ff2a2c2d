"""What the tests share: folders of files, and the command line run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles


@pytest.fixture
def write_files(tmp_path: Path) -> WriteFiles:
    """Write files, given as {relative path: content}, into an empty folder; returns the folder."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


@pytest.fixture
def breaklint(tmp_path: Path) -> RunBreaklint:
    """Run `breaklint` in a process of its own, in the test's folder."""

    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "breaklint", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
            check=False,
        )

    return run
