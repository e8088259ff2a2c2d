"""What is heard of Dynamo while it compiles."""

from __future__ import annotations

import importlib.util
import logging
from pathlib import Path
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")

from breaklint.dynamo.guards import place_of  # noqa: E402 - needs torch
from breaklint.dynamo.listener import Listener  # noqa: E402
from breaklint.testing import graph_breaks  # noqa: E402

NET = """\
import torch
from torch import nn


class Loss(nn.Module):
    def forward(self, x):
        one, steps = torch.tensor([1]), torch.tensor([2])
        return nn.CTCLoss(blank=3)(x.log_softmax(-1).unsqueeze(1), one.view(1, 1), steps, one)  # calls


class Mask(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval(), 1)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(2)
        return self.encoder(x * 2, mask)  # calls


class Counter(nn.Module):
    count = 0

    def forward(self, x):
        self.count += 1  # guarded
        print(x.shape)  # breaks
        return x * self.count
"""


def row_of(comment: str) -> int:
    return 1 + [line.endswith(comment) for line in NET.splitlines()].index(True)


@pytest.fixture
def net(tmp_path: Path) -> ModuleType:
    path = tmp_path / "net.py"
    path.write_text(NET, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("net", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch._dynamo.reset()
    return module


@pytest.mark.parametrize(("name", "calls"), [("Loss", 8), ("Mask", 18)])
def test_a_break_in_a_module_of_torchs_names_the_line_that_calls_it(net: ModuleType, name: str, calls: int) -> None:
    assert NET.splitlines()[calls - 1].endswith("# calls")
    result = graph_breaks(getattr(net, name)().eval(), torch.rand(2, 4))
    assert result
    assert {item.called_from for item in result if not item.own} == {(net.__file__, calls)}


def test_each_break_and_recompilation_with_its_line(net: ModuleType) -> None:
    compiled = torch.compile(net.Counter(), backend="eager")
    with Listener() as heard:
        for _ in range(10):
            compiled(torch.rand(3))
    assert [(item.filename, item.row, item.gb) for item in heard.breaks()] == [
        (net.__file__, row_of("# breaks"), "GB0059")
    ]
    of_forward = [recompilation for recompilation in heard.recompilations if recompilation.function == "forward"]
    assert [item.limit_reached for item in of_forward] == [False] * 7 + [True]
    assert {place_of(item, item.guards[0]) for item in of_forward} == {(net.__file__, row_of("# guarded"))}
    with Listener() as later:
        compiled(torch.rand(3))
    assert later.recompilations == []
    assert later.compilations == 0


def test_a_handler_that_is_added_later_gets_no_records(net: ModuleType) -> None:
    records: list[logging.LogRecord] = []
    other, trace = logging.Handler(), logging.getLogger("torch.__trace")
    other.emit = records.append  # type: ignore[method-assign]
    with Listener() as heard:
        for _ in range(2):  # torch's own handler leaves at the first record
            torch.compile(net.Counter(), backend="eager")(torch.rand(3))
            torch._dynamo.reset()
            trace.addHandler(other)
    trace.removeHandler(other)
    assert heard.reports
    assert records == []
