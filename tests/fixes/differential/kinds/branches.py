"""Branches on tensors: every form in which two values are chosen between, and some in which more happens."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.expressions import NUMBERS, comparisons, conditions, linear, tensors
from differential.source import Model

TAME = 14  # so many forms come first that often become torch.where; of the lines before, eight
FORMS = [
    "return {a} if {c} else {b}",
    "z = {a} if {c} else {b}\nUSE",
    "if {c}:\n    return {a}\nelse:\n    return {b}",
    "if {c}:\n    return {a}\nreturn {b}",
    "if {c}:\n    z = {a}\nelse:\n    z = {b}\nUSE",
    "z = {b}\nif {c}:\n    z = {a}\nUSE",
    "z = h\nif {c}:\n    z = {a}\nUSE",
    "if {c}:\n    z = {a}\n    w = {b}\nelse:\n    w = {a}\n    z = {b}\nz = z + w\nUSE",
    "z, w = h, h * 2\nif {c}:\n    z = {a}\n    w = {b}\nz = z - w\nUSE",
    "if {c}:\n    top = {n} + 1\n    h = torch.clamp({a}, min=-top, max=top)\nz = h\nUSE",
    "z = h\nif h.dtype == torch.float32 and {c}:\n    z = {a}\nUSE",
    "if {c} and x.dim() > 1 and {d}:\n    z = {a}\nelse:\n    z = {b}\nUSE",
    "if not self.training and {c}:\n    return {a}\nreturn {b}",
    "return {a} if x.shape[0] > 1 and {c} else {b}",
    "if x.dim() == 1:\n    z = {a}\nelif x.size(0) > 2 and {c}:\n    z = {b}\nelse:\n    z = {e}\nUSE",
    "if {c}:\n    v = {a}\n    z = v * 2\nelse:\n    z = {b}\nUSE",
    "if {c}:\n    return {a}\nelif {d}:\n    return {b}\nelse:\n    return {e}",
    "if {c}:\n    z = {a}\nelif {d}:\n    z = {b}\nelse:\n    z = {e}\nUSE",
    "if {c}:\n    return {a}\nif {d}:\n    return {b}\nreturn {e}",
    "return {a} if {c} else {b} if {d} else {e}",
    "return ({a} if {c} else {b}) * ({e} if {d} else {a})",
    "if {c}:\n    z = {a}\nelse:\n    if {d}:\n        z = {b}\n    else:\n        z = {e}\nUSE",
    "z = h\nfor _ in range(2):\n    if {c}:\n        z = {a}\n    else:\n        z = z * 2\nUSE",
    "z = h\nfor _ in range(2):\n    z = z * 2 if {c} else z\nUSE",
    "z = h * ({n} if {c} else {m})\nUSE",
    "if {c}:\n    s = {n}\nelse:\n    s = {m}\nz = h * s\nUSE",
    "if {c}:\n    raise ValueError('no: ' + str(1))\nreturn {a}",
    "if {c}:\n    raise ValueError(f'got {x.shape}')\nz = {a}\nUSE",
    "if {c}:\n    z = {a}\n    z = z + 1\nelse:\n    z = {b}\nUSE",
    "z = h\nif {c}:\n    z += 1\nUSE",
    "if {c}:\n    h = {a}\nz = h\nUSE",
    "if {c}: return {a}\nreturn {b}",
    "k = h > {n}\nif k.any():\n    h[k] = {n}\nz = h\nUSE",
    "if (h > {n}).any():\n    h[h > {n}] = {m}\nz = h\nUSE",
    "k = torch.isnan(h)\nif torch.any(k):\n    h.masked_fill_(k, {n})\n    x[k] = {m}\nz = h\nUSE",
    "k = h == 0\nif k.sum() > 0:\n    h = h.masked_fill(k, {n})\nz = h\nUSE",
    "if h.max() > {n}:\n    h[h > {n}] = {n}\nz = h\nUSE",
    "if {c}:\n    self.kept = {a}\nelse:\n    self.kept = {b}\nz = self.kept\nUSE",
    "k = dict()\nif {c}:\n    k['a'] = {a}\n    k['b'] = {b}\n"
    "else:\n    k['a'] = {b}\n    k['b'] = {e}\nz = k['a'] * k['b']\nUSE",
    "z = torch.relu(\n    {a} if {c} else {b}\n)\nUSE",
    "u, v, w = {a}, {b}, {c}\nif w:\n    self.register_buffer('kept', u)\nelse:\n    self.register_buffer('kept', v)\n"
    "z = self.kept\nUSE",
    "self.u, self.v, w = {a}, {b}, (h > {n}).any()\nif w:\n    if not hasattr(self, 'late'):\n"
    "        self.late = h * 2\n    self.register_buffer('kept', self.u, persistent=False)\nelse:\n"
    "    self.v = self.v.to(x.device)\n    self.register_buffer('kept', self.v, persistent=False)\nz = self.kept\nUSE",
]
USES = [
    "return z",
    "return z * x",
    "return z, h",
    "z.add_(1)\nreturn z, h",
    "return z, z is h",
    "return z.sum() + h",
    "h.mul_(3)\nreturn z",
    "return [z, x]",
    "return {'z': z}",
]
LINES_BEFORE = [
    "{} = torch.tanh(x)",
    "{} = torch.sigmoid(x) - 0.5",
    "{} = x * 0.5",
    "{} = torch.exp(y)",
    "{} = x.clone()",
    "{} = x.float()",
    "{} = x + y",
    "{} = x.double() * 2",
    "{} = x",
    "{} = torch.zeros_like(x)",
    "{} = x.view_as(x)",
]


@st.composite
def branching(draw: st.DrawFn) -> Model:
    """A model with a branch, half of them in a form and with values that torch.where may take the place of."""
    tame = draw(st.booleans())
    form = draw(st.sampled_from(FORMS[:TAME] if tame else FORMS))
    before = draw(st.sampled_from(LINES_BEFORE[:8] if tame else LINES_BEFORE)).format("h")
    values = linear(["h"]) if tame else tensors(["x", "h", "h", "y"])
    tests = comparisons(["h"]) if tame else conditions(["x", "y", "h"])
    text = form.replace("USE", draw(st.sampled_from(USES)))
    parts = (
        {name: draw(values) for name in "abe"}
        | {name: draw(tests) for name in "cd"}
        | {name: draw(NUMBERS) for name in "nm"}
    )
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return Model(f"{before}\n{text}")
