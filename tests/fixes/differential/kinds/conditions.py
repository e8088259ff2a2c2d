"""Truth values that are asserted."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import comparisons, conditions, tensors
from differential.source import Model

MESSAGES = [
    "",
    ", 'plain'",
    ', f"{x.shape} is bad"',
    ', f"bad: {x.sum()}"',
    ", 'a' + 'b'",
    ", x",
    ', f"it\'s {1}"',
    ', f"{x}"',
]


@st.composite
def asserted(draw: st.DrawFn) -> Model:
    """An assert in and out of the form that stays in the graph."""
    condition, message = draw(conditions(["x", "y", "t"])), draw(st.sampled_from(MESSAGES))
    form = draw(
        st.sampled_from(
            [
                "assert {c}{m}",
                "assert not ({c}){m}",
                "assert ({c}){m}",
                "assert {c} and {d}{m}",
                "if x.dim() > 1:\n    assert {c}{m}",
                "assert (x > -2).all() and not {d}{m}",
                "assert not torch.isnan(x).any(){m}",
                "assert (\n    {c}\n    and {d}\n){m}",
            ]
        )
    )
    other = draw(comparisons(["x", "y"]))
    check = form.replace("{m}", message).replace("{c}", condition).replace("{d}", other)
    return Model(f"t = {draw(tensors(['x', 'y'], wild=False))}\n{check}\nreturn t + 1")


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
