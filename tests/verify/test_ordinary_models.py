"""Models of ordinary makes whose only fault is a print: the fix is correct, whatever they hold, keep and return."""

from __future__ import annotations

from textwrap import indent

import pytest
from nightly import one_in, selected

pytest.importorskip("torch")

from breaklint.verify.command import verify
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.options import VerifyOptions

pytestmark = pytest.mark.slow
HEAD = """\
import collections, enum
import torch
from torch import nn


class Row(collections.OrderedDict):
    pass


class Node:
    def __init__(self, value):
        self.value, self.me = value, self


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class Mode(str, enum.Enum):
    FAST = "fast"


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
"""
FORWARD = """
    def forward(self, x):
        y = self.layer(x)
        print(y.shape)
"""
TAIL = """

def get_inputs():
    return [torch.linspace(-1, 1, 8).view(2, 4)]
"""
MODELS = {
    "a number that decides": ("self.n = 0", "self.n += 1\nreturn y * self.n"),
    "a buffer that decides": ("self.register_buffer('n', torch.zeros(()))", "self.n += 1\nreturn y / self.n"),
    "a state kept in an attribute": ("self.h = torch.zeros(2, 4)", "self.h = torch.tanh(y + self.h)\nreturn self.h"),
    "what the first call makes": (
        "self.c = None",
        "if self.c is None:\n    self.c = torch.arange(4.0)\nreturn y + self.c",
    ),
    "a lazy layer": ("self.wide = nn.LazyLinear(3)", "return self.wide(y)"),
    "an enum of strings": ("self.mode = Mode.FAST", "return y * 2 if self.mode == Mode.FAST else y"),
    "a dict of its own class": ("", "return Row(a=y, b=[y.sum(), None, 'x'])"),
    "an object that holds itself": ("", "return Node(y)"),
    "an object with slots": ("", "return Slotted(y)"),
    "a tensor without elements": ("", "return y, y[:0]"),
    "random numbers": ("self.drop = nn.Dropout()", "return self.drop(y) + torch.rand_like(y)"),
    "complex numbers": ("", "return torch.fft.fft(y)"),
    "the input changed": ("", "x.add_(1)\nreturn y + x"),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, TargetReport]:
    """One quick run over those whose tests are run."""
    folder = tmp_path_factory.mktemp("ordinary")
    files = {name: folder / f"{name.replace(' ', '_')}.py" for name in selected(request, "name")}
    for name, file in files.items():
        made, body = MODELS[name]
        file.write_text(HEAD + indent(made, " " * 8) + "\n" + FORWARD + indent(body, " " * 8) + "\n" + TAIL)
    options = VerifyOptions(devices=("cpu",), backend="eager", quick=True, timeout_s=300.0)
    report = verify([str(file) for file in files.values()], options, lambda line: None)
    return dict(zip(files, report.targets, strict=True))


@pytest.mark.parametrize("name", one_in(5, MODELS))
def test_the_fix_of_an_ordinary_model_is_correct(reports: dict[str, TargetReport], name: str) -> None:
    assert (reports[name].verdict.value, len(reports[name].fixes)) == ("correct", 1), reports[name].why
