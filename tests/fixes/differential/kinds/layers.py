"""Layers that Dynamo traces only when told to."""

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
