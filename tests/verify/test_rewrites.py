"""Honest rewrites that keep or lose each thing that is compared: every difference is found, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from rewrites.equal import EQUAL
from rewrites.further_calls import FURTHER_CALLS
from rewrites.gradients import GRADIENTS
from rewrites.inputs import INPUTS
from rewrites.modes import MODES
from rewrites.outputs import OUTPUTS
from rewrites.repeated_calls import REPEATED_CALLS
from rewrites.rewrite import Rewrite
from rewrites.state import STATE

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ALL = (*OUTPUTS, *STATE, *INPUTS, *GRADIENTS, *MODES, *FURTHER_CALLS, *REPEATED_CALLS, *EQUAL)


@pytest.mark.parametrize("rewrite", ALL, ids=lambda each: each.name)
def test_a_difference_is_found_where_there_is_one(rewrite: Rewrite, tmp_path: Path) -> None:
    found, _ = rewrite.differences(tmp_path)
    assert found.startswith(rewrite.words) if rewrite.words else found == ""
