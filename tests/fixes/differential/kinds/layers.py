"""Layers that Dynamo traces only when told to, or not at all."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import tensors
from differential.source import Model

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
    result = "Inner()" if own else f"torch.jit.script({draw(st.sampled_from(SCRIPTED))})"
    use = draw(st.sampled_from(SCRIPTED_USES)).replace("{t}", draw(tensors(["x", "y"], wild=False)))
    return Model(use.replace("inner", "self.inner"), head=(head,) if own else (), made=f"self.inner = {result}")
