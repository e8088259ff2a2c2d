"""What an arm hears of Dynamo while it compiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_files import model

torch = pytest.importorskip("torch")

from breaklint.testing import graph_breaks  # noqa: E402 - needs torch
from breaklint.verify.arm.importing import Location  # noqa: E402
from breaklint.verify.arm.loading import load  # noqa: E402

LOSS = """\
x = x * self.scale
one, steps = torch.tensor([1]), torch.tensor([2])
loss = nn.CTCLoss(blank=3)(x.log_softmax(-1).unsqueeze(1), one.view(1, 1), steps, one)  # calls
return loss
"""
MASK = """\
mask = nn.Transformer.generate_square_subsequent_mask(2)
return nn.TransformerEncoder(LAYER, 1)(x * 2, mask)  # calls
"""
LAYER = "\nLAYER = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval()\n"


@pytest.mark.parametrize("forward", [LOSS, MASK], ids=["a loss", "an encoder"])
def test_a_break_in_a_module_of_torchs_names_the_line_that_calls_it(tmp_path: Path, forward: str) -> None:
    path, text = tmp_path / "net.py", model(forward) + LAYER
    path.write_text(text, encoding="utf-8")
    net, (args, kwargs) = load(Location(str(path), "", str(tmp_path), "Model", False))
    found = graph_breaks(net.eval(), *args, **kwargs)
    calls = 1 + [line.endswith("# calls") for line in text.splitlines()].index(True)
    assert found
    assert {each.called_from for each in found if not each.own} == {(str(path), calls)}
