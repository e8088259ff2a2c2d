"""Hostile snippets, each named after the law that it attacks: what safe fixes make of them does what they did."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("torch")

import torch
from hostile_snippets import attacked, snippets
from nightly import one_in
from torch.autograd import forward_ad

SNIPPETS = snippets()


@pytest.fixture(scope="module", autouse=True)
def _torch_has_warned() -> None:
    """The first derivative in forward mode imports code that warns once in a process, and not of a snippet."""
    with warnings.catch_warnings(), forward_ad.dual_level():
        warnings.simplefilter("ignore")
        forward_ad.make_dual(torch.ones(1), torch.ones(1))


@pytest.mark.parametrize("law", one_in(5, sorted(SNIPPETS)))
def test_a_safe_fix_changes_nothing_of_a_hostile_snippet(law: str) -> None:
    rewrite, result = attacked(SNIPPETS[law])
    assert not result, f"{result[0]}"
    compile(rewrite.text, law, "exec")
