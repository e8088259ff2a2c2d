"""Find the layer of the compiler at which a model begins to fail or to differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from breaklint.verify.host.workers import Worker

LAYERS = {"eager": "Dynamo", "aot_eager": "AOTAutograd", "inductor": "Inductor"}
"""Backends by how many of the compiler's layers they go through, and the layer that each adds."""


def rungs(worker: Worker, backend: str, mode: str | None) -> Iterator[dict[str, Any]]:
    """Add one layer of the compiler after the other until something raises or differs from eager.

    Each has `layer`, and `error` which is None where all is well. The first runs the source uncompiled, the last in the
    mode that is asked for, such as with CUDA graphs.

    Raises:
        ArmError: the arm gives no answer.
    """
    climbed = [(layer, ending, False) for layer, ending in layers(backend).items()]
    climbed += [(f"mode {mode} of {LAYERS[backend]}", backend, True)] if mode and backend == "inductor" else []
    for layer, ending, in_mode in climbed:
        error = worker.ask("rung", backend=ending, in_mode=in_mode)["problem"]
        yield {"layer": layer, "backend": ending, "error": error}
        if error:
            return


def layers(backend: str) -> dict[str, str]:
    """The layers that a backend goes through, from the source itself on, each with the backend that ends there."""
    names = list(LAYERS)
    known = names[: names.index(backend) + 1] if backend in names else names
    found = {"the source itself": "", **{LAYERS[each]: each for each in known}}
    return found if backend in names else {**found, f"the backend {backend}": backend}
