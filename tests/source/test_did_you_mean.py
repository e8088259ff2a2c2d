"""Suggestions for an unknown word."""

from __future__ import annotations

import pytest

from breaklint.source.did_you_mean import did_you_mean


@pytest.mark.parametrize(
    ("word", "known", "told"),
    [
        pytest.param("selct", ["ignore", "select"], "; did you mean `select`?", id="a letter is missing"),
        pytest.param("target_torch", ["target-torch"], "; did you mean `target-torch`?", id="underscore for hyphen"),
        pytest.param("no-fix", ["no_fix"], "; did you mean `no_fix`?", id="hyphen for underscore"),
        pytest.param("brk2011", ["BRK201"], "; did you mean `BRK201`?", id="other case"),
        pytest.param("zzz", ["select"], "; known is select", id="nothing like it"),
    ],
)
def test_the_nearest_known_word_is_told(word: str, known: list[str], told: str) -> None:
    assert did_you_mean(word, known, "; known is select") == told
