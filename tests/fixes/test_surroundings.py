"""Generated models in hostile surroundings: names, changes in between, blocks and layouts make no safe fix differ."""

from __future__ import annotations

import ast

import pytest

pytest.importorskip("torch")
pytest.importorskip("tqdm")

from differential.surroundings.hunting import KINDS, hunt, sketches

VARIANTS = [8, pytest.param(30, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("variants", VARIANTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_safe_fix_changes_nothing_in_hostile_surroundings(kind: str, variants: int) -> None:
    found = hunt(kind, variants, 1).found
    assert not found, "\n".join(map(str, found[0]))


def test_surroundings_bind_change_and_move_what_a_model_holds() -> None:
    texts = sketches("drop-gradient", 150)
    kinds = {type(node) for text in texts for node in ast.walk(ast.parse(text))}
    assert kinds >= {ast.Match, ast.NamedExpr, ast.Global, ast.Try, ast.With, ast.While, ast.Delete, ast.AugAssign}
