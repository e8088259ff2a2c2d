"""The models of cases/models/clean_models.md compile in one graph on Dynamo. That check reports no break is a case."""

from __future__ import annotations

from pathlib import Path

import pytest
from nightly import by_day

from breaklint.lint.cases import Case, read_cases

PAGE = Path(__file__).parent.parent / "cases" / "models" / "clean_models.md"
BY_DAY = {"mixture of experts", "t5 attention"}


@pytest.mark.parametrize("case", by_day(read_cases(PAGE), BY_DAY, lambda case: case.name))
def test_dynamo_compiles_them_whole(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    (tmp_path / "clean_model.py").write_text(case.files["model.py"].text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "clean_model", raising=False)
    import clean_model

    torch._dynamo.reset()
    torch.compile(clean_model.Net(), backend="eager", fullgraph=True)(*clean_model.get_inputs())
