"""How many dimensions a value has: what is told of it is what torch gives."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from harness import findings, marked

from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value
from breaklint.interp.values import Tensor
from breaklint.lint.engine import check_source
from breaklint.model import Settings

MADE = {
    "a": "torch.rand(2, 3, 4)", "b": "torch.rand(2, 3, 4)", "m": "torch.rand(3, 4)", "v": "torch.rand(4)",
    "q": "torch.rand(2, 4, 3, 3)", "i": "torch.zeros(2, dtype=torch.long)", "k": "torch.zeros(2, 3, dtype=torch.bool)",
    "s": "torch.zeros((), dtype=torch.long)",
}  # fmt: skip
EXPRESSIONS = """
a.flatten() a.flatten(1) a.flatten(2) a.flatten(0,1) q.flatten(1,2) torch.flatten(a,1) q.flatten(-2)
q.flatten(start_dim=2)
a@b.transpose(1,2) a@v m@v v@v q@q a@m.t() torch.bmm(a,b.transpose(1,2))
torch.mm(m,m.t()) torch.outer(v,v) torch.dot(v,v) F.one_hot(i,3) F.embedding(i,m)
F.linear(a,m) a.gather(1,a.long()) a.index_select(0,i) a.scatter(0,a.long(),a) a.unsqueeze(1)
a.repeat_interleave(2,1) a.repeat_interleave(2) torch.repeat_interleave(a,2,dim=0)
a.unique() i.unique() a.unique(dim=0) a.new_zeros(3,4) a.new_zeros((3,4,5)) a.new_full((3,),1) a.new_ones(3)
a.view_as(b) v.expand_as(a) torch.broadcast_to(v,(2,3,4)) torch.eye(3) torch.bincount(i) a.masked_select(a>0)
torch.tril_indices(3,3) F.layer_norm(a,(4,)) F.conv2d(q,q) q.reshape(a.shape[0],-1) a[0] a[:,0] a[...,0] a[None]
a[:,None,0] a[i] a[k] a[i,0] a[:,i] a[k,0] m[i,i] a[:,k.any(0)] a[s] m[s,s] q[i][:,i] v[i] a[i,1:] a[i,None]
a.max(1)[0] a.max(1).values[i] (a[i]-b[i]).sum(-1) torch.stack([a,b])[s] torch.cat([a,b])[i,s]
"""


LOSSES = """
F.mse_loss(a,b) F.mse_loss(a,b,False,False) F.mse_loss(a,b,None,None,"none") F.mse_loss(a,b,reduce=False)
F.l1_loss(*(a,b,None,None,"none")) F.huber_loss(a,b,"none") F.huber_loss(a,b) F.kl_div(a,b,None,None,"none")
F.binary_cross_entropy_with_logits(a,b,None,None,None,"none") F.poisson_nll_loss(a,b,True,False,None,1e-8,None,"none")
F.gaussian_nll_loss(a,b,a,False,1e-6,"none") F.smooth_l1_loss(a,b,reduction="none") torch.det(torch.rand(2,3,3))
"""


def told_of(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Value, torch.Tensor]:
    """What is inferred of an expression, and what it gives."""
    seen: list[Value] = []
    evaluate = Frame.eval

    def watched(frame: Frame, node: object) -> Value:
        value = evaluate(frame, node)  # type: ignore[arg-type]
        if getattr(node, "lineno", 0) == row:
            seen.append(value)
        return value

    made = "".join(f"        {name} = {value}\n" for name, value in MADE.items())
    head = "import torch\nimport torch.nn.functional as F\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    source = f"{head}{made}        out = {text}\n        return out\n"
    row = source.count("\n") - 1
    monkeypatch.setattr(Frame, "eval", watched)
    check_source(source, "model.py", Settings())
    names = {name: eval(value) for name, value in MADE.items()}
    return seen[-1], eval(text, {"torch": torch, "F": F}, names)


@pytest.mark.parametrize("text", EXPRESSIONS.split())
def test_a_rank_that_is_told_is_that_of_torch(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told, real = told_of(text, monkeypatch)
    assert isinstance(told, Tensor)
    assert told.ndim == real.ndim


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("text", LOSSES.split())
def test_the_rank_of_a_loss_is_that_of_torch_or_not_told(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told, real = told_of(text, monkeypatch)
    assert not isinstance(told, Tensor) or told.ndim in (None, real.ndim)


UNPACKED = {
    "a shape": "b, n, d = x.shape",
    "size()": "b, n, d = x.size()",
    "a list": "[b, n, d] = x.shape",
}


@pytest.mark.parametrize("statement", UNPACKED.values(), ids=UNPACKED)
def test_a_shape_that_is_unpacked_tells_the_rank(statement: str) -> None:
    source = f"""\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {statement}
        places = x.long()[0, 0]
        first, rest = places[0], x[0][places[1:]]
        return rest + x[first] + x[places]  # BRK405
"""
    assert findings(source) == marked(source)


def test_rows_that_a_mask_or_a_vector_picks_are_as_many_dimensions() -> None:
    source = """\
import torch


def suppress(boxes, scores, limit: float):
    order = scores.argsort(descending=True)
    kept = []
    while order.numel() > 0:
        first = order[0]
        kept.append(first)
        overlap = (boxes[order[1:]] - boxes[first]).abs().sum(-1)  # BRK405
        order = order[1:][overlap > limit]  # BRK401
    return torch.stack(kept)


class Net(torch.nn.Module):
    def forward(self, boxes: torch.Tensor, scores: torch.Tensor):
        batch, number, four = boxes.shape
        batch, number = scores.shape
        sure = scores[0] > 0.5
        return suppress(boxes[0][sure], scores[0][sure], 0.5)  # BRK401 BRK401
"""
    assert findings(source) == marked(source)
