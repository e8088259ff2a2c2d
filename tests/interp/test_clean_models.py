"""Whole models that Dynamo compiles in one graph: none of them may be said to break."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from nightly import by_day

from breaklint.lint.engine import check_source
from breaklint.model import Effect, Settings

FOLDER = Path(__file__).parent / "clean_models"
MODELS = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_no_break_is_claimed_in(path: Path) -> None:
    result = check_source(path.read_text(encoding="utf-8"), str(path), Settings())
    assert result.errors == ()
    assert [(found.span.start, found.code) for found in result.findings if found.effect is Effect.BREAK] == []


BY_DAY = {"kv_cache", "mixture_of_experts", "t5_attention", "vae"}


@pytest.mark.parametrize("name", by_day([path.stem for path in MODELS], BY_DAY, str))
def test_dynamo_compiles_them_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(FOLDER)
    module = import_module(name)
    torch._dynamo.reset()
    torch.compile(module.Net(), backend="eager", fullgraph=True)(*module.get_inputs())
