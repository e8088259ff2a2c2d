"""What is found depends on the code alone: not on how sets are ordered in this process, which differs from run to run,
nor on the order of the files and the number of processes."""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from harness import PROJECT

from breaklint.lint.cases import read_cases


@cache
def files() -> list[str]:
    """The fixtures, and the models of the cases written below a folder."""
    folder = Path(tempfile.mkdtemp(prefix="breaklint-models-"))
    atexit.register(shutil.rmtree, folder)
    for page in sorted((PROJECT / "tests" / "cases" / "models").glob("*.md")):
        for number, case in enumerate(read_cases(page)):
            for name, file in case.files.items():
                path = folder / page.stem / str(number) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(file.text, "utf-8")
    return [*map(str, sorted(PROJECT.glob("fixtures/*/before.py"))), *map(str, sorted(folder.rglob("*.py")))]


@cache
def found(seed: int, processes: int, step: int) -> list[str]:
    """The findings with their fixes in every `step`-th file, in the order of files and rows, and what is noted."""
    chosen = files()[::step]
    chosen = random.Random(seed).sample(chosen, len(chosen)) if seed else chosen
    done = subprocess.run(
        [sys.executable, "-m", "breaklint", "check", "--isolated", "--no-cache", "--output-format", "json",
         "-j", str(processes), *chosen],
        cwd=PROJECT, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    return [*sorted(json.dumps(finding) for finding in json.loads(done.stdout)), done.stderr]


@pytest.mark.parametrize(
    ("seed", "processes", "step"),
    [(2, 2, 5), *(pytest.param(seed, processes, 1, marks=pytest.mark.nightly) for seed, processes in ((1, 1), (3, 2)))],
)
def test_the_same_is_found_in_every_run(seed: int, processes: int, step: int) -> None:
    assert found(seed, processes, step) == found(0, 1, step)
