"""Whole models that Dynamo compiles in one graph: none of them may be said to break."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Effect, Settings

FOLDER = Path(__file__).parent / "clean_models"
MODELS = sorted(FOLDER.glob("*.py"))

# In one process, since torch takes long to start.
COMPILE_WHOLE = """
import importlib, sys
import torch

torch.set_num_threads(1)
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    torch.compile(module.Net(), backend="eager", fullgraph=True)(*module.get_inputs())
    print(name)
"""


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_no_break_is_claimed_in(path: Path) -> None:
    result = check_source(path.read_text(encoding="utf-8"), str(path), Settings())
    assert result.errors == ()
    assert [(found.span.start, found.code) for found in result.findings if found.effect is Effect.BREAK] == []


BY_DAY = {"kv_cache", "mixture_of_experts", "t5_attention", "vae"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(sorted(BY_DAY), id="some"),
        pytest.param(sorted({path.stem for path in MODELS} - BY_DAY), id="the others", marks=pytest.mark.nightly),
    ],
)
def test_dynamo_compiles_them_whole(names: list[str]) -> None:
    pytest.importorskip("torch")
    run = subprocess.run(
        [sys.executable, "-c", COMPILE_WHOLE, *names], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert run.stdout.split() == names, run.stderr[-2000:]
