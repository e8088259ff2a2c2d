"""Masks, indexes and rows: code whose shapes or loops depend on data."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import NUMBERS, SIGNS
from differential.source import Model

POINTWISE = [
    "{}",
    "{} * 2",
    "{} + 1",
    "-{}",
    "torch.relu({})",
    "{}.tanh()",
    "torch.sigmoid({}) * 3",
    "{}.abs()",
    "{}.square()",
    "torch.sin({}) - 1",
    "({} + 2) * 0.5",
    "1 - {}",
    "torch.exp({})",
    "{} / 2",
    "{} ** 2",
    "2 / {}",
    "torch.sqrt({})",
]


MASKS = ["x > 0", "h >= 0", "m", "x != x", "torch.isnan(x)", "y < 1", "(x > 0) & (x < 1)", "m.bool()"]
MADE = ["x * 2", "torch.tanh(x)", "x.clone()", "-x", "x", "x + y", "torch.zeros_like(x)", "x.view_as(x)", "x.float()"]
TAME, TAME_VALUES = 4, 12  # of these so many are often rewritten


@st.composite
def masked(draw: st.DrawFn) -> Model:
    """Stores and reductions under a mask."""
    tame = draw(st.booleans())
    mask = draw(st.sampled_from(MASKS[:TAME] if tame else MASKS))
    value, number = draw(st.sampled_from(POINTWISE[:TAME_VALUES] if tame else POINTWISE)), draw(NUMBERS)
    source = draw(st.sampled_from(["x", "x", "x", "h"] if tame else ["x", "h", "y"]))
    picked = value.format(f"{source}[{mask}]")
    result = draw(st.sampled_from(MADE[:TAME] if tame else MADE))
    form = draw(
        st.sampled_from(
            [
                "h[{m}] = {v}\nreturn h",
                "h[{m}] *= {n}\nreturn h",
                "h[{m}] = {v}\nreturn h, x",
                "return ({v}).sum()",
                "return ({v}).mean()",
                "h[{m}] += {n}\nh = h * 2\nreturn h",
                "return ({v}).sum() * x",
                "return {v}",
                "k = h\nh[{m}] = {v}\nreturn k, h",
                "k = h[:1]\nh[{m}] -= {n}\nreturn k, h",
                "return ({v}).mean(), x",
                "return torch.sum({v}) + torch.mean({v})",
                "h[{m}] /= {n}\nreturn h",
                "h[{m}] = {n}\nreturn h",
                "k = [h]\nh[{m}] = {v}\nreturn k",
                "g = ({v}).sum()\nreturn g + h",
                "self.last = h\nh[{m}] = {v}\nreturn h",
                "return (({v}) * 2 - 1).sum()",
                "s = ({v}).sum() / {n}\nreturn s",
                "d = {v}\nreturn (d - 1).abs().mean() + d.sum()",
                "d = {v}\ne = torch.exp(-d)\nreturn (e * d).mean()",
                "a = x[m]\nb = h[m]\nreturn ((a - b) ** 2).mean()",
                "a = x[m]\nb = y[m]\nreturn (a / b).sum() + (x[m] * y[m]).sum()",
                "return torch.nn.functional.mse_loss(x[m], h[m])",
                "return torch.nn.functional.l1_loss({v}, x[{m}] * 2, reduction='sum')",
                "return (x[{m}].clamp(min=1e-3).log() * x[{m}]).mean()",
                "k = x >= x.amax(1, keepdim=True)\ng = torch.stack([h, x], 2)\n"
                "return g[k].view(g.size(0), -1, g.size(-1))[:, -1] * 2",
                "n = x.shape[0]\nk = (x >= 0) | (x < 0)\ng = torch.stack([x, h], 2)\n"
                "z = g[k, :].reshape(g.size(0), -1, g.shape[2])[:, 0, :]\nreturn z.mul_(2), n",
            ]
        )
    )
    body = form.replace("{m}", mask).replace("{v}", picked).replace("{n}", number)
    threshold = f"m = x {draw(SIGNS)} {draw(NUMBERS)}"
    return Model(f"{threshold}\nh = {result}\n{body}")


SELECTED = [
    "return x.masked_select(x > 0).sum()",
    "m = h > 0\nreturn torch.masked_select(h, m).mean() * 2",
    "m = x >= 0\na, b = x, h\nreturn (torch.masked_select(x, m) - torch.masked_select(h, m)).abs().sum()",
    "return x.masked_select(y > 0).sum()",
    "return x.masked_select(x > 0)",
    "return x.masked_select(x > 0).sqrt().sum()",
]


CONDITIONS = ["x > 0", "(x > 0).flatten(1).any(1)", "x.sum(-1) > 0", "y.flatten()", "h.abs() - 1", "x[:, 0] >= 0"]
INDICES = ["torch.where({})[0]", "({}).nonzero(as_tuple=True)[0]"]
ROW_STORES = [
    "z[k] = torch.tanh(x[k]) + 1",
    "v = x[k]\nz[k] = v * 2 - z[k]",
    "if len(k) > 0:\n    v = x[k].relu()\n    z[k] = -v",
    "if k.numel() > 0:\n    z[k, :] = y[k, :].to(x.dtype)",
    "v = x[k, 1:]\nz[k] = torch.nn.functional.pad(v, (1, 0))",
    "v = x[k].relu_()\nz[k] = v",
    "v = x[k]\nz[k] = v.sum(0)",
]


def selected(draw: st.DrawFn) -> Model:
    """Rows at the places where a condition holds, computed with and stored back."""
    index = draw(st.sampled_from(INDICES)).format(draw(st.sampled_from(CONDITIONS)))
    new = draw(st.sampled_from(["x * 2", "x.clone()", "y + 1", "x.unsqueeze(0).squeeze(0)"]))
    lines = [f"h = {draw(st.sampled_from(MADE))}", f"k = {index}", f"z = {new}", draw(st.sampled_from(ROW_STORES))]
    return Model("\n".join([*lines, draw(st.sampled_from(["return z", "return z, x, h", "return z.sum(), x"]))]))


@st.composite
def found(draw: st.DrawFn) -> Model:
    """Elements or rows that an operator finds, reduced or stored back."""
    if draw(st.booleans()):
        return selected(draw)
    return Model(f"h = {draw(st.sampled_from(MADE))}\n{draw(st.sampled_from(SELECTED))}")
