"""Checks of data that raise."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import conditions, tensors
from differential.source import Model

CHECKS = [
    "if not torch.equal(x, {t}):\n    raise ValueError('other')",
    "if {c}:\n    raise ValueError(f'{x.shape}')",
    "assert x.tolist() != [{t}.sum()], 'one'",
    "n = x.sum().item()\nif n > 3 or {c}:\n    raise RuntimeError(n)",
    "assert (x > 2).any() in (True, False)",
    "if torch.allclose(x, y): raise KeyError",
]


@st.composite
def checked(draw: st.DrawFn) -> Model:
    """Checks that raise, in conditions of data."""
    check = draw(st.sampled_from(CHECKS)).replace("{c}", draw(conditions(["x", "y"])))
    given = draw(tensors(["x", "y"], wild=False))
    return Model(f"{check.replace('{t}', draw(tensors(['x', 'y'], wild=False)))}\nreturn {given}")
