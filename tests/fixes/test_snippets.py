"""Safe fixes change nothing in the behaviour of a snippet, each named after the property that it tests."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from nightly import one_in
from snippets import compared, snippets

SNIPPETS = snippets()


@pytest.mark.parametrize("name", one_in(5, sorted(SNIPPETS)))
def test_a_safe_fix_changes_nothing_of_a_snippet(name: str) -> None:
    rewrite, result = compared(SNIPPETS[name])
    assert not result, f"{result[0]}"
    compile(rewrite.text, name, "exec")
