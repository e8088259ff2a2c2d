"""The words of a text: what stands in the text is never denied, and most of what does not is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breaklint.project.words import Words

ALPHABET = "ab_1é\u0301.( \n=:\ud800"


@given(st.text(ALPHABET), st.integers(0, 20), st.integers(0, 20))
def test_every_part_of_a_text_may_be_held(text: str, start: int, length: int) -> None:
    assert Words(text).may_hold(text[start : start + length])


@pytest.mark.parametrize("word", ["setattr", "torch.vmap", "conjugated(", "é"])
def test_a_word_that_is_nowhere_is_not_held(word: str) -> None:
    assert not Words("import torch\nfunction = torch.conjugate\n").may_hold(word)
