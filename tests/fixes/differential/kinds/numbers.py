"""Numbers that are read from tensors, and what becomes of them."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import NUMBERS, scalars, tensors
from differential.source import Model

READS = [
    "{}.item()",
    "{}.item()",
    "float({})",
    "int({})",
    "{}.detach().item()",
    "math.sqrt({}.abs())",
    "math.exp({})",
    "bool({})",
]
USES = [
    "return x * {r}",
    "s = {r}\nreturn x / (s + 1)",
    "s = {r}\nreturn x * s + {t} * s",
    "return torch.clamp(x, max={r})",
    "return x > {r}",
    "s = {r}\nreturn torch.where(x > s, x, {t})",
    "s = {r}\nif s > {n}:\n    return x * 2\nreturn x * 3",
    "s = {r}\nz = x * 2 if s < {n} else x * 3\nreturn z",
    "s = {r}\ns2 = s * {n} + 1\nreturn x * s2",
    "return x.masked_fill(x > 0, {r})",
    "a, b = {r}, {q}\nreturn (x - a) / (b - a + 1)",
    "s = 0.0\nfor _ in range(2):\n    s += {r}\nreturn x * s",
    "s = {r}\nx.mul_(2)\nreturn x * s",
    "return x ** {r}",
    "return x // {r}",
    "return x % {r}",
    "return x * {n} / {r}",
    "return {r}",
    "return x * max({r}, 1)",
    "s = {r}\nreturn x * s, s",
    "return x, dict(n={r})",
    "d = []\nd.append({r})\nreturn x, d",
    "self.kept = {r} * {n}\nreturn x",
    "return -{r} * x",
    "return x.add({r})",
    "return torch.maximum(x, x * {r})",
    "return x + {n} / {r}",
    "t = {t}\nt += {r}\nreturn t",
    "s = {r}\nz = x\nif s == {n}:\n    z = x + 1\nreturn z",
    "return x - ({r} - {q})",
    "return torch.full_like(x, {r})",
    "return x * ({r} > {n})",
    "return x * torch.tensor([{r}, {q}]).sum()",
    "s = {r}\nreturn torch.tensor([s, {n}], dtype=torch.float32), x",
    "s: float = {r}\nreturn s * x",
    "return x.where(x < {r}, {t})",
    "return x * math.log({r})",
    "return x[:{r}]",
    "return x * torch.tensor([{r} for _ in range(2)]).sum()",
    "v = []\nfor r in (x, {t}):\n    v.append(r.sum().item())\nreturn torch.tensor(v)",
    "v = [r.mean().item() for r in (x, {t})]\nreturn x * (sum(v) / len(v))",
    "v = [{r}]\nv.append({q})\nv.append({n})\nx.mul_(2)\nreturn torch.tensor(v, dtype=torch.float64), x",
    "v = []\nfor r in (x, y):\n    v.append(r.amax().item())\nreturn v",
    "return x / sum(r.sum().item() for r in (x, y))",
    "low, high = [r.item() for r in (x.min(), ({t}).max())]\nx.add_(1)\nreturn (x - low) / (high - low + 1)",
    "return max([r.sum().item() for r in (x, y)]) * x",
    "b = torch.zeros(3)\nfor i in range(3):\n    b[i] = {r}\nreturn b",
    "b = torch.zeros(2, 3)\nb[0] = (x == 0).sum().item()\nb[1] = {r}\nreturn b * x.sum()",
]


HANDED_OUT = [
    "return x * 2, {r}",
    "s = {{'a': {r}, 'b': -1}}\nreturn x * 2, s",
    "s = {{}}\ns['a'] = {r} / 4\nreturn x, s",
    "v = []\nfor i in range(2):\n    v.append({r})\n    x = x + 1\nreturn x, v",
    "a, b = list(), {r}\na.append(b)\nreturn {{'a': a, 'b': round(b * {n})}}, x",
    "v = [{r}, {r}]\nreturn x, sum(v) / len(v), max(v)",
    "return x * 2, (x > 0).sum(0).tolist()",
    "n = (x > 0).sum().item()\nreturn torch.ones(n), x",
    "return x[x > 0], x * {r}",
    "k = (x > 0).nonzero()\nreturn k * 2, {r}",
]


@st.composite
def handed_out(draw: st.DrawFn) -> Model:
    """One or two numbers or selections, and the ways in which a caller gets them."""
    whole = draw(st.sampled_from(["x.sum()", "(x > 0).sum()", "x.mean() * 2", "x.abs().amax()", "self.gain"]))
    number = draw(st.sampled_from(["{}.item()", "float({})", "int({})"])).format(whole)
    use = draw(st.sampled_from(HANDED_OUT))
    text = use.replace("{{", "{").replace("}}", "}").replace("{r}", number).replace("{n}", draw(NUMBERS))
    return Model(text)


@st.composite
def read(draw: st.DrawFn) -> Model:
    """One or two numbers and one use of each form."""
    names = ["x", "y"]

    def number() -> str:
        whole = draw(
            st.one_of(
                scalars(names),
                scalars(names),
                st.sampled_from(
                    ["x.flatten()[0]", "(x > 0).sum()", "self.gain", "self.offset", "x.sum(-1).max()", "y[0]"]
                ),
            )
        )
        return draw(st.sampled_from(READS)).format(whole)

    use = draw(st.sampled_from(USES))
    parts = {"{r}": number(), "{q}": number(), "{n}": draw(NUMBERS), "{t}": draw(tensors(names, wild=False))}
    for key, part in parts.items():
        use = use.replace(key, part)
    return Model(use, head=("import math",))
