"""The engine can be made a C extension: mypyc accepts every module that pyproject.toml names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
GENERATE = "import sys; from mypyc.build import mypycify; mypycify(sys.argv[2:], target_dir=sys.argv[1], verbose=False)"


def generated(folder: Path, *paths: str) -> subprocess.CompletedProcess[str]:
    """Have mypyc write the C of some modules, which it refuses for what it cannot compile; `make compiled` goes on."""
    return subprocess.run(
        [sys.executable, "-c", GENERATE, str(folder), *paths],
        cwd=PROJECT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_engine_is_code_that_mypyc_compiles(tmp_path: Path) -> None:
    places = [PROJECT / name.lstrip("/") for name in HOOK["include"]]
    paths = [path for place in places for path in ([*place.glob("*.py")] if place.is_dir() else [place])]
    done = generated(tmp_path, *(str(path.relative_to(PROJECT)) for path in paths))
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.rglob("*.c"))


@pytest.mark.parametrize(("row", "accepted"), [("NAMES", True), ('(*NAMES, "c")', False)])
def test_what_mypyc_cannot_compile_is_noticed(tmp_path: Path, row: str, accepted: bool) -> None:
    source = f'NAMES = ("a", "b")\n\n\ndef known(x: str) -> bool:\n    return x in {row}\n'
    (tmp_path / "some.py").write_text(source, encoding="utf-8")
    assert (generated(tmp_path, str(tmp_path / "some.py")).returncode == 0) is accepted
