"""Which models are generated for which kind of fix, and what they are called with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from differential.inputs import Call, calls
from differential.kinds import (
    branches,
    conditions,
    layers,
    legacy,
    numbers,
    python_numbers,
    shapes,
    side_effects,
)
from differential.source import Model


@dataclass(frozen=True)
class Generator:
    """The models for one kind of fix, and the calls they are made for."""

    models: st.SearchStrategy[Model]
    calls: st.SearchStrategy[Call]
    traced_gradient: str = ""  # when compiled, how inputs need a gradient, where a promise holds only for some

    def traced(self, call: Call) -> Call:
        """The call that a fixed model is compiled for."""
        return replace(call, gradient=self.traced_gradient or call.gradient)


def _any(models: st.SearchStrategy[Model]) -> Generator:
    return Generator(models, calls())


GENERATORS: Mapping[str, Generator] = {
    "drop-gradient": Generator(legacy.frozen(), calls(), traced_gradient="none"),
    "drop-variable": _any(legacy.wrapped()),
    "guard-compiling": _any(side_effects.told()),
    "keep-tensor": _any(st.one_of(numbers.read(), numbers.handed_out())),
    "masked-sums": _any(shapes.found()),
    "masked-where": _any(shapes.masked()),
    "plain-module": _any(layers.scripted()),
    "python-random": _any(st.one_of(python_numbers.numpy_drawn(), python_numbers.drawn())),
    "raise-guard": _any(conditions.checked()),
    "saved-tensors": _any(legacy.saved()),
    "template": _any(python_numbers.powers()),
    "torch-where": _any(branches.branching()),
}
