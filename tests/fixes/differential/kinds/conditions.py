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
