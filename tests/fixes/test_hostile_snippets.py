"""Hostile snippets, each named after the law that it attacks: what safe fixes make of them does what they did."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from hostile_snippets import attacked, snippets
from nightly import one_in

SNIPPETS = snippets()


@pytest.mark.parametrize("law", one_in(5, sorted(SNIPPETS)))
def test_a_safe_fix_changes_nothing_of_a_hostile_snippet(law: str) -> None:
    rewrite, result = attacked(SNIPPETS[law])
    assert not result, f"{result[0]}"
    compile(rewrite.text, law, "exec")
