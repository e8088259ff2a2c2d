"""What is found depends on the code alone: not on how sets are ordered in this process, which differs from run to run,
nor on the order of the files and the number of processes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache

import pytest
from harness import PROJECT

FOLDERS = ("fixtures", "tests/interp/ordinary_code")
FILES = [
    str(path.relative_to(PROJECT))
    for folder in FOLDERS
    for path in sorted((PROJECT / folder).rglob("*.py"))
    if path.stem not in ("after", "best")  # in which little is found
]


@cache
def found(seed: int, processes: int, step: int) -> list[str]:
    """The findings with their fixes in every `step`-th file, in the order of files and rows, and what is noted."""
    files = FILES[::step]
    files = random.Random(seed).sample(files, len(files)) if seed else files
    done = subprocess.run(
        [sys.executable, "-m", "breaklint", "check", "--isolated", "--no-cache", "--output-format", "json",
         "-j", str(processes), *files],
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
