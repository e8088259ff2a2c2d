"""Which of the further calls compiled models are held to."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from breaklint.verify.arm.probes import holds_compiled  # noqa: E402
from breaklint.verify.arm.snapshot import snapshot  # noqa: E402


@pytest.mark.parametrize(
    ("record", "held"),
    [
        ({"output": [1.0, 2.0]}, True),
        ({"output": [1.0, float("nan")]}, False),
        ({"output": [float("inf")]}, False),
        ({"exception": "ValueError: too long"}, True),
        ({"exception": "AssertionError: "}, False),
    ],
    ids=["numbers", "NaN", "infinity", "an error", "an assertion, which a graph makes on the device"],
)
def test_compiled_models_are_held_to_what_kernels_have_to_do(record: dict[str, Any], held: bool) -> None:
    if "output" in record:
        record = {"output": snapshot(torch.tensor(record["output"]))}
    assert holds_compiled(record) is held
