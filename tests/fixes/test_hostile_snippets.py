"""Hostile snippets, each named after the law that it attacks: what safe fixes make of them does what they did."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from hostile_snippets import MODEL, attacked, snippets

SNIPPETS = snippets()


@pytest.mark.parametrize("law", sorted(SNIPPETS))
def test_a_safe_fix_changes_nothing_of_a_hostile_snippet(law: str) -> None:
    rewrite, found = attacked(SNIPPETS[law])
    assert not found, f"{found[0]}"
    compile(rewrite.text, law, "exec")


def test_many_snippets_are_fixed_all_the_same() -> None:
    fixed = ["v = Variable(x)", "return pow(x, 2)", "return x * int(np.prod(x.shape))", "return copy.copy([x, y])"]
    for body in fixed:
        assert attacked(MODEL.format(body=f"        {body}"))[0].fixes, body


def test_a_placeholder_that_an_import_surely_replaced_stands_in_no_ones_way() -> None:
    text = MODEL.format(body="        return x * int(np.prod(x.shape))")
    for first in ("np = None", "for np in range(2):\n    pass", "try:\n    np = 1\nexcept ValueError as np:\n    pass"):
        assert attacked(f"{first}\n{text}")[0].fixes, first
    assert not attacked(f"{text}\nnp = None")[0].fixes
