"""Copies by the copy module."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import tensors
from differential.source import Model

LISTS = [
    "[1, 2]",
    "[x, y]",
    "{'a': 1}",
    "{1: x}",
    "self.sizes",
    "[i for i in range(3)]",
    "(1, 2)",
    "list(x.shape)",
    "dict(a=x)",
    "{k: 1 for k in 'ab'}",
    "[]",
]
AFTER = ["return c, x", "c.mul_(2)\nreturn c, x", "return c + x", "return c.clone(), c is x", "return c[:1], c"]
AFTER_LIST = ["return c", "return x * len(c), c", "return c, c is k", "return x, type(c).__name__"]


@st.composite
def copied(draw: st.DrawFn) -> Model:
    """copy and deepcopy of tensors, lists and dicts."""
    name = draw(st.sampled_from(["copy.copy", "copy.deepcopy", "copy.deepcopy"]))
    if name == "copy.copy" or draw(st.integers(0, 4)) == 0:
        what, literal = draw(st.sampled_from(LISTS)), draw(st.booleans())
        after = draw(st.sampled_from(AFTER_LIST))
        body = f"k = {what}\nc = {name}({what if literal else 'k'})\n{after}"
        return Model(body, head=("import copy",))
    source = draw(tensors(["x", "y"]))
    detached = draw(
        st.sampled_from(
            ["({}).detach()", "({}).detach()", "({} > 0)", "{}", "x.long()", "({}).detach()[:1]", "({}).detach().T"]
        )
    ).format(source)
    return Model(f"c = copy.deepcopy({detached})\n{draw(st.sampled_from(AFTER))}", head=("import copy",))
