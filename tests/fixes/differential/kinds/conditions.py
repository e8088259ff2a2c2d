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


ABSENT = ["None", "y if x.dim() > 1 else None", "None if x.dim() > 1 else y"]
ASKED = ["torch.compiler.is_compiling()", "torch.compiler.is_dynamo_compiling()", "compiling()", "compiling()"]
DEFAULTS = ["torch.ones_like(x)", "x * 2", "y.sum()", "torch.zeros(3)", "x.detach()", "y"]
NEEDED = [
    "return x * k.sum()",
    "return x + k.mean()",
    "z = k[..., None]\nreturn x * z.sum(), k",
    "return x, k.abs()",
    "if x.dim() > 5:\n    return x\nreturn x + k.float().sum()",
    "return x if k is None else x + k.sum()",
    "return k.add_(1), x",
]


@st.composite
def defaulted(draw: st.DrawFn) -> Model:
    """Values that stand in for None when not compiling, and are needed when compiled as well."""
    asked, default = draw(st.sampled_from(ASKED)), draw(st.sampled_from(DEFAULTS))
    test = draw(
        st.sampled_from(["k is None and not {}", "not {} and k is None", "x.dim() >= 0 and k is None and not {}"])
    )
    told = draw(st.sampled_from(["", "", "print('asked')\n    "]))
    head = f"def compiling():\n    {told}return torch.compiler.is_compiling()"
    body = f"k = {draw(st.sampled_from(ABSENT))}\nif {test.format(asked)}:\n    k = {default}\n"
    return Model(body + draw(st.sampled_from(NEEDED)), head=(head,))
