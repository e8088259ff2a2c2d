"""Gradients that differ from run to run, where kernels add in any order, are held against the original's own swing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.comparer import Comparer  # noqa: E402 - needs torch
from breaklint.verify.arm.variants import UNASKED  # noqa: E402 - the same

RECORD = {"output": torch.zeros(1), "inputs": [], "state": {}}
KEYS, WEIGHT = torch.tensor([1e-3, -2e-3, 1e-3]), torch.tensor([[3.0, 4.0], [5.0, 6.0]])


def gradients(**tensors: torch.Tensor) -> dict[str, Any]:
    return {**RECORD, "gradients": {"keys": KEYS, "weight": WEIGHT, **tensors}}


RECORDED: dict[str, Any] = {"probes": [], "strained": {}, "sequence": {}, "narrow": {}}
ORIGINAL = {
    **{**RECORDED, "record": RECORD, "second": RECORD, "repeated": RECORD["output"], "given": []},
    "exact": {"record": None, "gradients": None},
    "tf32": False,
}


def differences(folder: Path, again: dict[str, Any], rewritten: dict[str, Any]) -> list[str]:
    """What the comparer says of a rewritten source whose gradients are these, `again` being a second run's."""
    original = {**ORIGINAL, "gradients": gradients(), "gradients_again": again}
    torch.save(original, folder / "original")
    seen = {**RECORDED, "record": RECORD, "gradients": rewritten}
    torch.save(seen, folder / "rewritten")
    comparer = Comparer()
    comparer.expect(str(folder / "original"), train=False)
    told: list[str] = comparer.rewritten(str(folder / "rewritten"))["differences"]
    return told


@pytest.mark.parametrize(
    ("again", "rewritten", "place"),
    [
        pytest.param(gradients(keys=-KEYS), gradients(keys=KEYS.flip(0)), "", id="rounding and nothing else"),
        pytest.param(gradients(keys=-KEYS), gradients(keys=8 * KEYS), "keys", id="further than the original"),
        pytest.param(gradients(), gradients(keys=-KEYS), "keys", id="where the original does not swing"),
        pytest.param(gradients(keys=-KEYS), gradients(weight=-WEIGHT), "weight", id="another gradient"),
        pytest.param(gradients(weight=-WEIGHT), gradients(weight=-WEIGHT), "weight", id="more than rounding explains"),
        pytest.param(gradients(keys=-KEYS), gradients(keys=-KEYS.double()), "keys", id="another dtype"),
        pytest.param(gradients(keys=KEYS * torch.inf), gradients(keys=-KEYS), "keys", id="a swing without end"),
        pytest.param(gradients(keys=-KEYS), gradients(keys=KEYS * torch.nan), "keys", id="NaN"),
    ],
)
def test_what_swings_may_swing_as_far(
    again: dict[str, Any], rewritten: dict[str, Any], place: str, tmp_path: Path
) -> None:
    told = differences(tmp_path, again, rewritten)
    assert all(f"result.gradients.{place}" in line for line in told)
    assert bool(told) is bool(place)


def test_a_gradient_that_is_lost_is_told_though_it_swings(tmp_path: Path) -> None:
    rewritten = gradients()
    del rewritten["gradients"]["keys"]
    assert differences(tmp_path, gradients(keys=-KEYS), rewritten) == ["result.gradients.keys is gone"]


@pytest.mark.parametrize(
    ("name", "proves"),
    [("NaN-holding inputs", True), (f"NaN-holding {UNASKED}", False), (f"infinity-holding {UNASKED}", False)],
)
def test_calls_of_which_only_a_note_is_made_prove_nothing(name: str, proves: bool, tmp_path: Path) -> None:
    """A constant that NaN in the inputs makes NaN is still one, where results with NaN are not compared."""
    probe = {"name": name, "record": {**RECORD, "output": torch.full((1,), torch.nan)}}
    torch.save({**ORIGINAL, "probes": [probe]}, tmp_path / "original")
    told = Comparer().expect(str(tmp_path / "original"), train=False)["incomparable"]
    assert told == "" if proves else told.startswith("every element of its outputs is the same")
