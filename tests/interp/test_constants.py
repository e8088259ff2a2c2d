"""Tensors of one number that Dynamo knows: operators read them, Dynamo itself does not.

The forms that make and read a number were measured on torch 2.11 and 2.13, the others on 2.13: the marked rows break,
the others do not.
"""

from __future__ import annotations

import pytest
from harness import findings, marked, model

MADE = ("torch.tensor(2)", "torch.as_tensor(2)", "torch.tensor([2])[0]", "2 ** torch.ceil(torch.tensor(0.7)).int()")
CAST = ("torch.tensor(2.0).to(torch.long)", "torch.tensor(2).to(x.device)", "torch.tensor(2.0).type(torch.int64)")
DATA = ("torch.tensor([5, 2])[1]", "torch.arange(3)[2]", "x.long().sum()", "torch.tensor(2) + x.long().sum()")
READ = ("torch.zeros({}, 8)", "x.narrow(0, 0, {})", "torch.fft.rfft(x, {})", "x[0, {}]", "x.view({}, -1)", "[1] * {}")


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("made", [*MADE, *CAST])
def test_operators_read_a_known_number(made: str, read: str) -> None:
    assert findings(model(f"\n        n = {made}\n        return x, {read.format('n')}\n")) == []


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("made", DATA)
def test_operators_do_not_read_data(made: str, read: str) -> None:
    assert len(findings(model(f"\n        n = {made}\n        return x, {read.format('n')}\n"))) == 1


CASES = {
    "what Dynamo reads itself": """
        n = torch.tensor(2)
        y = x[:n]  # BRK404
        for _ in range(n):  # BRK404
            y = y + 1
        y = y * n.item()  # BRK201
        y = y * float(n)  # BRK202
        if n > 1:  # BRK301
            y = y + 1
        return y
    """,
    "held by a module": """
        self.n = torch.tensor(2)
        self.helper()
        return torch.zeros(self.n, 8)
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    assert findings(model(forward)) == marked(model(forward))
