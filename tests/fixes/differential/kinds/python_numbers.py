"""Python's and NumPy's functions of numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import NUMBERS, tensors
from differential.source import Model


@st.composite
def powers(draw: st.DrawFn) -> Model:
    """pow of two tensors, or of a tensor and a number, inside of other arithmetic."""
    pair = [draw(tensors(["x", "y"])), draw(st.one_of(NUMBERS, tensors(["x", "y"])))]
    if draw(st.integers(0, 4)) == 0:
        pair.reverse()
    call = f"pow({', '.join(pair)})"
    form = draw(
        st.sampled_from(
            [
                "return {}",
                "return -{}",
                "return {} * x",
                "return 2 ** {}",
                "return {} ** 2",
                "return {}.sum()",
                "z = {}\nreturn z",
                "return pow({}, 2)",
                "return [{}]",
                "return x[0] if x.dim() else {}",
                "return f'{{}}'",
                "return torch.relu({})",
                "z = x\nz = z + {}\nreturn z",
                "return not_{}",
                "return x -{}",
                "return (\n    {}  # square\n)",
            ]
        )
    )
    form = form.replace("return not_{}", "return ({} > 0)").replace("return f'{{}}'", "return {}, 1")
    return Model(form.replace("{}", call))


@st.composite
def drawn(draw: st.DrawFn) -> Model:
    """random.random() in arithmetic, in conditions and in loops."""
    line, name = draw(
        st.sampled_from(
            [
                ("import random", "random.random"),
                ("import random as rnd", "rnd.random"),
                ("from random import random", "random"),
            ]
        )
    )
    form = draw(
        st.sampled_from(
            [
                "return x * {}",
                "if {} < {n}:\n    return x\nreturn {t}",
                "p = {}\nreturn x * p, p",
                "return {t} if {} > 0.5 else x",
                "z = x\nfor _ in range(3):\n    z = z * {}\nreturn z",
                "return x * -{} + {}",
                "return [{} for _ in range(2)], x",
                "return x * {n} ** {}",
                "return x * round({})",
                "p = (\n    {}  # drawn\n)\nreturn x - p",
            ]
        )
    )
    body = (
        form.replace("{n}", draw(NUMBERS))
        .replace("{t}", draw(tensors(["x", "y"], wild=False)))
        .replace("{}", f"{name}()")
    )
    return Model(body, head=(line,))


CALLED = [
    "random.random()",
    "random.rand()",
    "random.random_sample()",
    "random.uniform(0, 1)",
    "random.uniform(2)",
    "random.uniform(x.shape[0], 3)",
    "random.randint(5)",
    "random.randint(1, 4)",
    "random.randint(0)",
    "random.random(3)",
    "random.randint(x.dim() + 1)",
    "random.normal()",
    "random.choice([1, 2])",
    "random.uniform(low=1)",
    "random.rand(2)",
]
USED = ["return x * {c}", "k = {c}\nreturn x + k, k", "return [{c} for _ in range(2)]", "z = x - {c}\nreturn z * {c}"]


CHOSEN = [
    "permutation(3)",
    "choice(x.shape[0], 2, replace=False)",
    "choice(4, 2)",
    "permutation(x.shape[0])",
    "choice(a=4, size=2, replace=False)",
    "choice(3, size=1, replace=False)",
    "permutation([0, 1])",
]
PLACED = [
    "k = {c}\nreturn x[k] * 2",
    "k = {c}\nk.sort()\nreturn x.flatten()[k], y",
    "return x[:, {c}]",
    "return x[{c}] + 1",
    "k = {c}\nreturn x[k], k",
    "if x.dim() > 1:\n    k = {c}\nelse:\n    k = {c}\nreturn x[k]",
]


@st.composite
def numpy_drawn(draw: st.DrawFn) -> Model:
    """Numbers that NumPy draws."""
    line, name = draw(st.sampled_from([("import numpy as np", "np"), ("import numpy", "numpy")]))
    body = draw(st.sampled_from(USED)).replace("{c}", f"{name}.{draw(st.sampled_from(CALLED))}")
    if draw(st.integers(0, 3)) == 0:
        body = draw(st.sampled_from(PLACED)).replace("{c}", f"{name}.random.{draw(st.sampled_from(CHOSEN))}")
    before = f"t = {draw(tensors(['x', 'y'], wild=False))}\n"
    return Model(before + body + draw(st.sampled_from(["", "  # drawn"])), head=(line,))
