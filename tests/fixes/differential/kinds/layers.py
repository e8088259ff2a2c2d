"""Layers that Dynamo traces only when told to, or not at all."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import tensors
from differential.source import Model

LAYERS = ["torch.nn.LSTM(3, 2)", "torch.nn.GRU(4, 2, batch_first=True)", "torch.nn.RNN(5, 3)"]
HEADS = [
    "import math",
    "from torch import nn",
    "import os, sys",
    "import math\n\nLIMIT = 3",
    '"""A model."""\nimport math',
]
USES = [
    "y, _ = layer(x)\nreturn y",
    "return layer(x)[0] + 1",
    "layer.flatten_parameters()\nreturn layer(x)",
    "return {t}",
]


@st.composite
def recurrent(draw: st.DrawFn) -> Model:
    """A recurrent layer that the module holds, called in forward."""
    head = draw(st.sampled_from(HEADS))
    layer = draw(st.sampled_from(LAYERS))
    use = (
        draw(st.sampled_from(USES)).replace("layer", "self.layer").replace("{t}", draw(tensors(["x", "y"], wild=False)))
    )
    again = "\nself.layer(x)" if draw(st.booleans()) else ""
    return Model(f"x = x + 0{again}\n{use}", head=tuple(head.split("\n")), made=f"self.layer = {layer}")


INNER = """\
class Inner(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(0.5))

{decorator}    def gate(self, t):
        return {gate}

    def forward(self, t):
        return t + self.gate(t)

"""
GATES = ["torch.sigmoid(t * self.scale)", "t.relu() - self.scale", "t.sum() * self.scale", "torch.softmax(t, 0)"]
SCRIPTED = ["torch.nn.ReLU()", "torch.nn.Linear(3, 2)", "torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Softplus())"]
SCRIPTED_USES = ["return inner(x)", "z = inner(x) * 2\nreturn z + inner(x)", "return inner(x), y", "return inner({t})"]


@st.composite
def scripted(draw: st.DrawFn) -> Model:
    """A scripted layer that the module holds: of a class of its own, or made by torch.jit.script."""
    decorator = draw(st.sampled_from(["    @torch.jit.script_method\n", ""]))
    head = INNER.format(decorator=decorator, gate=draw(st.sampled_from(GATES)))
    own = draw(st.booleans())
    made = "Inner()" if own else f"torch.jit.script({draw(st.sampled_from(SCRIPTED))})"
    use = draw(st.sampled_from(SCRIPTED_USES)).replace("{t}", draw(tensors(["x", "y"], wild=False)))
    return Model(use.replace("inner", "self.inner"), head=(head,) if own else (), made=f"self.inner = {made}")


ASKED = ["torch.equal(query, key)", "torch.equal(key, query)", "query.equal(key)", "torch.equal(query, query * 1)"]
SAME_USES = [
    "k = query if {c} else key\nreturn k * 2",
    "same = {c}\nw = torch.tanh(query if same else key)\nreturn w, w + query",
    "if {c}:\n    return query.sum() + query\nreturn query.sum() + key",
    "return (query if {c} and not {c} else key) + 1",
]


@st.composite
def attended(draw: st.DrawFn) -> Model:
    """Two arguments that are asked whether they are equal, and computed with."""
    body = draw(st.sampled_from(SAME_USES)).replace("{c}", draw(st.sampled_from(ASKED)))
    before = draw(st.sampled_from(["", "", "", "key = key * 1\n"]))
    return Model(before + body, arguments="query: torch.Tensor, key: torch.Tensor")
