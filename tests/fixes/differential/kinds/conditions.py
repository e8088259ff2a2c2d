"""Truth values that are combined, used in arithmetic, or asserted."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import comparisons, conditions, scalars, tensors
from differential.source import Model

USES = [
    "return t * ({c})",
    "k = {c}\nreturn t * k",
    "return torch.where({c}, t, x)",
    "return t if {c} else t * 2",
    "return {c}",
    "k = {c}\nreturn t * k, k",
    "return t.masked_fill({c}, 0)",
    "return ({c}) * t + t",
    "k = {c}\nreturn k * 1.5 * t",
    "if {c}:\n    return t * 2\nreturn t",
    "return t + ({c})",
    "k = {c}\nreturn [t, k]",
]
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
def combined(draw: st.DrawFn) -> Model:
    """`and`, `or`, `not` and chains, of comparisons and of plain tensors."""
    part = st.one_of(comparisons(["x", "y"]), comparisons(["x"]), scalars(["x"]))
    one, two, three = draw(part), draw(part), draw(part)
    form = draw(
        st.sampled_from(
            [
                "{} and {}",
                "{} or {}",
                "not {}",
                "0 < {} < 5",
                "{} and {} and {}",
                "({} or {}) and {}",
                "{} and not ({})",
                "-1 <= {} <= {}",
                "{} and x.dim() > 0",
            ]
        )
    )
    parts = [f"({each})" if "<" in form or form.startswith("not") else each for each in (one, two, three)]
    condition = form.format(*parts)
    lines = f"t = {draw(tensors(['x', 'y'], wild=False))}\n"
    return Model(lines + draw(st.sampled_from(USES)).format(c=condition))


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
