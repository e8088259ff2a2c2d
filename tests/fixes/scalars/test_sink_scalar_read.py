"""Numbers that only one branch needs are read in that branch."""

from __future__ import annotations

from pathlib import Path

import pytest
from writing import body_of

from breaklint.lint.engine import Engine, check_source, fix_source
from breaklint.model import Settings

MODEL = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, rates=(0.5,), deep=False):
        super().__init__()
        self.rate = len(rates)
        self.deep = bool(deep)
        self.given = deep
        self.norm = torch.nn.BatchNorm1d(8)
        self.bare = torch.nn.BatchNorm1d(8, track_running_stats=False)
        self.weight = torch.nn.Parameter(torch.ones(8))
        self.register_buffer("speed", torch.zeros(1))
        self.register_buffer("pair", torch.zeros(2))

    def deepen(self):
        self.changing = True

    def forward(self, x: torch.Tensor):
{body}
"""
NEXT = "if self.training:\n    x = x * {n}\nreturn x"
COPIES = {
    "in the branch that comes next": ("self.speed.item()", NEXT),
    "in a later branch": (
        "int(self.norm.num_batches_tracked)",
        "x = self.norm(x)\nif self.rate > 0 and self.deep:\n    x = x * {n}\nreturn x",
    ),
    "in a branch within a branch": (
        "self.speed.item()",
        "x = x + 1\nif self.training:\n    if not self.deep:\n        x = x * {n}\n    x = -x\nreturn x",
    ),
    "in the other side of a branch": (
        "self.speed.item()",
        "if self.deep:\n    x = -x\nelse:\n    x = x * {n}\nreturn x",
    ),
    "before its name goes": ("self.speed.item()", "if self.training:\n    x = x * {n}\ndel n\nreturn x"),
    "of what needs no gradient": ("float(self.speed.data)", NEXT),
}
COPIED = {
    "a setting that changes": "self.changing",
    "a name that changes": "k",
    "a setting that may be no bool": "self.given",
    "a setting that may be no number": "self.given > 0",
    "a condition that may raise": "self.deep > 'a'",
    "a condition that calls something": "self.decide()",
}
KEPT = {
    "a name of the file": "global n\nn = self.speed.item()\nif self.training:\n    x = x * n\nreturn x",
    "used behind the branch": f"n = self.speed.item()\n{NEXT[:-8].format(n='n')}return x + n",
    "more than one element may raise": f"n = self.pair.item()\n{NEXT.format(n='n')}",
    "a batch norm that counts nothing": f"n = int(self.bare.num_batches_tracked)\n{NEXT.format(n='n')}",
    "a condition that reads data": "n = self.speed.item()\nif x.sum() > 0:\n    x = x * n\nreturn x",
    "a conversion that warns of a gradient": f"n = float(self.weight.norm())\n{NEXT.format(n='n')}",
    "two values": f"n = self.speed.item()\nn = n + 1\n{NEXT.format(n='n')}",
    "text": "n = self.speed.item()\nx = x + 1\nif self.changing:\n    x = x * len(f'{n}')\nreturn x",
}


def safely_fixed(body: str) -> str:
    text = MODEL.format(body="\n".join(f"        {line}" for line in body.split("\n")))
    result = fix_source(text, "model.py", Settings(), unsafe=False)
    assert result.errors == ()
    return body_of((result.text or text).partition("def deepen")[2])


@pytest.mark.parametrize(("read", "body"), COPIES.values(), ids=COPIES)
def test_the_number_is_read_where_it_is_used(read: str, body: str) -> None:
    source = read.partition(".item")[0] if read.endswith(".item()") else read.partition("(")[2][:-1]
    again = "n.item()" if read.endswith(".item()") else f"{read.partition('(')[0]}(n)"
    before, after = body.format(n="n"), body.format(n=again)
    assert safely_fixed(f"n = {read}\n{before}") == f"n = {source}.detach().clone()\n{after}"


SEVERAL = {
    "twice": "if self.training:\n    {n}x = x * n\n    x = x + n\nreturn x",
    "in a loop": "if self.training:\n    {n}for _ in range(3):\n        x = x * n\nreturn x",
    "in a function": "if self.training:\n    {n}x = x.clone().apply_(lambda each: each * n)\nreturn x",
}


@pytest.mark.parametrize("body", SEVERAL.values(), ids=SEVERAL)
def test_what_is_used_several_times_is_read_at_the_head_of_the_branch(body: str) -> None:
    before, after = body.format(n=""), body.format(n="n = n.item()\n    ")
    assert safely_fixed(f"n = self.speed.item()\n{before}") == f"n = self.speed.detach().clone()\n{after}"


@pytest.mark.parametrize("test", COPIED.values(), ids=COPIED)
def test_the_number_is_read_from_a_copy(test: str) -> None:
    body = f"k = self.deep\nn = {{}}\nk = not k\nif {test}:\n    x = x * {{}}\nreturn x"
    assert safely_fixed(body.format("self.speed.item()", "n")) == body.format("self.speed.detach().clone()", "n.item()")


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_the_number_is_read_where_it_was(body: str) -> None:
    assert safely_fixed(body) == body


def test_the_branch_still_breaks_where_it_is_taken() -> None:
    text = MODEL.format(body="        if self.training:\n            x = x * self.speed.item()\n        return x")
    assert [found.code for found in check_source(text, "model.py", Settings()).findings] == ["BRK201"]


RESIZING = {
    "in the dictionary of buffers": "b = net._buffers\nb['speed'] = torch.zeros(2)\n",
    "as a buffer of starred arguments": "o = {'name': 'speed', 'tensor': torch.zeros(2)}\nnet.register_buffer(**o)\n",
    "as where a function writes": "o = {'out': net.speed}\ntorch.add(torch.zeros(2), 1, **o)\n",
    "by a parametrization": "import torch.nn.utils.parametrize as p\np.register_parametrization(net, 'speed', f)\n",
}


@pytest.mark.parametrize("way", RESIZING)
def test_a_tensor_that_another_file_gives_another_size_is_read_where_it_was(tmp_path: Path, way: str) -> None:
    text = MODEL.format(body="".join(f"        {each}\n" for each in f"n = self.speed.item()\n{NEXT}".splitlines()))
    text = text.replace("{n}", "n")

    def is_fixed(other: str) -> bool:
        for name, content in (
            ("model.py", text),
            ("use.py", f"import torch\nfrom model import Net\nnet = Net()\n{other}"),
        ):
            (tmp_path / name).write_text(content, encoding="utf-8")
        given = [str(tmp_path / name) for name in ("model.py", "use.py")]
        return Engine(Settings(), given=given).fix(given[0], text, False).text is not None

    assert is_fixed("print(net.speed, {'out': 1}, net.register_buffer('other', torch.zeros(2)))\n")
    assert not is_fixed(RESIZING[way])
