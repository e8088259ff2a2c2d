"""one_hot() of labels whose number of classes the code around tells, or does not."""

from __future__ import annotations

from hypothesis import strategies as st

from differential.source import Model

LABELS = [
    "torch.arange(4)",
    "x.flatten().long().abs() % 6",
    "torch.randint(0, 4, (3,))",
    "torch.randint(6, (2, 2))",
    "y.argmax(-1)",
    "y.argmax(dim=0)",
    "y.argmax()",
    "x.long()",
    "(x > 0).long()",
]
USES = [
    "return F.one_hot({k})",
    "k = {k}\nreturn F.one_hot(k)",
    "k = {k}\nreturn F.one_hot(k).sum() * x",
    "k = {k}\nreturn self.words(k), F.one_hot(k)",
    "k = {k}\nreturn F.one_hot(k.long()).float() @ self.words.weight",
    "z = F.one_hot({k}).float()\nreturn self.narrow(z)",
    "k = {k}\ny = y[:0]\nreturn F.one_hot(k)",
    "k = {k}\nz = F.one_hot(k)\nz.mul_(2)\nreturn z, k",
]
MADE = "self.words = torch.nn.Embedding(6, 3); self.narrow = torch.nn.Linear(6, 2)"


@st.composite
def labelled(draw: st.DrawFn) -> Model:
    """Labels of several makes, in several uses."""
    body = draw(st.sampled_from(USES)).replace("{k}", draw(st.sampled_from(LABELS)))
    return Model(body, head=("import torch.nn.functional as F",), made=MADE)
