"""Code from before torch 0.4: Variable, flags of gradients, saved_variables."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import NUMBERS, SMOOTH, tensors
from differential.source import Model

IMPORTS = [
    ("from torch.autograd import Variable", "Variable"),
    ("from torch.autograd import Variable as V", "V"),
    ("import torch.autograd as autograd", "autograd.Variable"),
    ("import torch.autograd", "torch.autograd.Variable"),
]
NEW = [
    "torch.zeros(3)",
    "torch.ones(x.shape)",
    "torch.zeros_like(x)",
    "x.new_zeros(x.shape)",
    "torch.rand(2, 3)",
    "torch.full((1,), 2.0)",
    "torch.arange(4).float()",
    "torch.ones(2).to(x.device)",
    "x.new(2, 3).zero_()",
    "torch.tensor([1.0, 2.0])",
    "torch.FloatTensor([1, 2])",
    "x.new_tensor([1.0])",
    "torch.empty(2).fill_(3)",
    "torch.eye(3)",
    "torch.randperm(4)",
    "x.detach()",
    "x.data",
    "torch.ones(2, requires_grad=True)",
    "torch.linspace(0, 1, 3).view(3, 1)",
    "torch.bernoulli(torch.full((2,), 0.5))",
    "torch.ones(2).expand(3, 2)",
]
OTHER = ["self.gain", "self.offset", "self.calls", "x[0]", "x[:1]", "(x if x.dim() else y)", "None", "[x]"]
OPTIONS = ["", "", "", "", ", requires_grad=False", ", requires_grad=True", ", volatile=True", ", volatile=False"]
AFTER = [
    "return v",
    "return v + x",
    "return v * 2",
    "return v, x",
    "v.mul_(2)\nreturn v, x",
    "return v, v is x",
    "return [v]",
    "w = v + 1\nw.add_(v)\nreturn w",
    "v += 1\nreturn v * x",
    "return v.data",
    "return v.sum().detach()",
    "return -v",
    "return v ** 2 + v.detach()",
    "v.requires_grad_()\nreturn v * 2",
]


@st.composite
def wrapped(draw: st.DrawFn) -> Model:
    """Variable around an input, something computed, something new, or something else."""
    line, name = draw(st.sampled_from(IMPORTS))
    argument = draw(st.one_of(tensors(["x", "y"]), tensors(["x", "y"]), st.sampled_from(NEW), st.sampled_from(OTHER)))
    wrapper = f"{name}({argument}{draw(st.sampled_from(OPTIONS))})"
    if draw(st.integers(0, 5)) == 0:
        wrapper = f"{name}({wrapper})"
    if draw(st.integers(0, 7)) == 0:
        return Model(f"return {wrapper} * 2 - x", head=(line,))
    return Model(f"v = {wrapper}\n{draw(st.sampled_from(AFTER))}", head=(line,))


@st.composite
def frozen(draw: st.DrawFn) -> Model:
    """`requires_grad = False` on something new, computed, or given."""
    result = draw(st.one_of(st.sampled_from(NEW), tensors(["x", "y"]), st.sampled_from(OTHER[:5])))
    name = draw(st.sampled_from(["v", "v", "v", "x"]))
    between = draw(st.sampled_from(["", "", "", "v.add_(1)\n", "w = v\n", "v[:1] = 0\n", "z = v * 2\n", "v = v * x\n"]))
    flags = ["False", "False", "False", "x.dim() > 2", "self.calls", "self.training", "None"]
    stores = [f"{name}.requires_grad = {draw(st.sampled_from(flags))}"] * 3
    store = draw(st.sampled_from([*stores, f"{name}.requires_grad_(False)"]))
    after = draw(st.sampled_from(AFTER))
    if draw(st.integers(0, 4)) == 0:
        store = f"if x.dim() > 1:\n    {store}"
    return Model(f"v = {result}\n{between}{store}\n{after}")


FUNCTION = """\
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad):
{reading}
        return {first}, None

"""


@st.composite
def saved(draw: st.DrawFn) -> Model:
    """A backward that reads what was saved under the old name."""
    smooth = draw(st.sampled_from(SMOOTH)).format("b").replace("self.gain", "2").replace("self.offset", "1")
    first = draw(st.sampled_from(["grad * b", "grad * a", "grad + a * 0", f"grad * ({smooth})", "grad"]))
    reading = draw(
        st.sampled_from(
            [
                "a, b = ctx.saved_variables",
                "(a, b) = ctx.saved_variables",
                "a = ctx.saved_variables[0]\nb = ctx.saved_variables[1]",
                "saved = ctx.saved_variables\na, b = saved",
                "a, b = [t * 1 for t in ctx.saved_variables]",
                "a, b = tuple(ctx . saved_variables)",
                "a, b = ctx.saved_tensors",
            ]
        )
    )
    lines = "\n".join(" " * 8 + line for line in reading.split("\n"))
    body = draw(
        st.sampled_from(
            [
                "return Scaled.apply(x, y)",
                "z = Scaled.apply(x * {n}, y)\nreturn z + x",
                "return Scaled.apply(x, y.detach()).sum()",
            ]
        )
    )
    return Model(body.replace("{n}", draw(NUMBERS)), head=(FUNCTION.format(reading=lines, first=first),))
