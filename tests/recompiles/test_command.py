"""`breaklint recompiles`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import RunBreaklint

NET = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x, scale=1.0, mask=None, mode="a"):
        if x.shape[0] == 5:
            x = x * 2
        if mask is not None:
            x = x * mask
        if mode == "a":
            x = x + 1
        return self.linear(x) * scale


def total(xs):
    return sum(x.sum() for x in xs)


def get_init_inputs():
    return [8]


def get_inputs():
    return [torch.randn(4, 8)]
"""


@pytest.fixture
def net(tmp_path: Path) -> str:
    path = tmp_path / "net.py"
    path.write_text(NET)
    return str(path)


def values(breaklint: RunBreaklint, target: str, *vary: str) -> list[bool]:
    """Whether each call compiles, as JSON says."""
    options = [word for each in vary for word in ("--vary", each)]
    done = breaklint("recompiles", target, *options, "--output-format", "json")
    return [each["compiles"] for each in json.loads(done.stdout)["values"]]


@pytest.mark.parametrize(
    ("vary", "expected"),
    [
        (["x.0=4,6,7,8"], [True, True, False, False]),
        (["x.0=4,5,6,5"], [True, True, True, False]),
        (["x.0=1,2,8,9"], [True, True, False, False]),
        (["scale=0.5,1.0,2.0"], [True, True, False]),
        (["mode=a,b,c,a"], [True, True, True, False]),
        (["mask=None,tensor,None"], [True, True, False]),
        (["x.0=4,6,7", "scale=0.5,0.5,0.75"], [True, True, True]),
        (["x.dtype=float32,float16,float32"], [True, True, False]),
        (["self.training=true,false"], [True, False]),
    ],
    ids=lambda each: " ".join(map(str, each)) if isinstance(each[0], str) else "",
)
def test_each_kind_of_value(breaklint: RunBreaklint, net: str, vary: list[str], expected: list[bool]) -> None:
    assert values(breaklint, f"{net}::Net", *vary) == expected


def test_the_length_of_a_list(breaklint: RunBreaklint, net: str) -> None:
    assert values(breaklint, f"{net}::total", "xs.len=2,3,2,4") == [True, True, False, True]


def test_json_names_the_entry_the_guard_and_the_row(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::Net.forward", "--vary", "x.0=4,5,6", "--output-format", "json")
    remedy = "torch._dynamo.maybe_mark_dynamic(x, 0) before the call"
    assert json.loads(done.stdout) == {
        "entry": "Net.forward",
        "compilations": 3,
        "values": [
            {"x.0": 4, "compiles": True, "guard": None},
            {"x.0": 5, "compiles": True, "guard": "x.size(0) == 4", "row": 11, "remedy": remedy},
            {"x.0": 6, "compiles": True, "guard": "x.size(0) == 5", "row": 11, "remedy": remedy},
        ],
        "remedies": [{"text": remedy, "compilations": 2}],
    }


def test_the_table_says_what_fails_and_how_often(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::Net", "--vary", "x.0=4,6,7")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "x.0  compiles  guard that fails",
        "4    yes",
        "6    yes       x.size(0) == 4  (net.py:11)",
        "7    no",
        "Net.forward: 2 compilations in 3 calls",
        "remedy: torch._dynamo.mark_dynamic(x, 0) before the call  (1 compilation)",
    ]


def test_a_mark_that_the_code_fixes_is_named_with_its_row(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::Net", "--vary", "x.0=5,6", "--mark", "x.0")
    assert "ConstraintViolationError: x.size(0) is marked as dynamic, and row 11 fixes it" in done.stdout


def test_the_limit_ends_in_eager_and_in_exit_code_1(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::total", "--vary", "xs.len=1,2,3,4", "--limit", "3")
    assert done.returncode == 1
    assert "4       eager     len(xs) == 3" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{net}::Net"], "say what varies, as --vary x.0=4,5,6"),
        (["{net}::Nett", "--vary", "x.0=4"], "no 'Nett' in it; did you mean `Net`?"),
        (["{net}::Net", "--vary", "y.0=4"], "no argument y; it takes x, scale, mask, mode"),
        (["{net}::Net", "--vary", "x.7=4"], "x has 2 dimensions"),
        (["{net}::Net", "--vary", "x.0=a"], "'a' is not a size"),
        (["{net}::Net", "--vary", "x.0"], "write NAME=VALUE"),
        (["{net}::Net", "--vary", "x.0=4", "--mark", "x"], "write NAME.DIM or NAME.DIM=MIN:MAX"),
        (["{net}::Net", "--vary", "x.0=4,5", "--vary", "scale=1.0"], "x.0 has 2, scale has 1"),
        (["missing.py::Net", "--vary", "x.0=4"], "missing.py: no such file"),
    ],
)
def test_usage_errors_name_the_remedy(breaklint: RunBreaklint, net: str, words: list[str], told: str) -> None:
    done = breaklint("recompiles", *(word.format(net=net) for word in words))
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())


def test_torch_is_not_imported(net: str) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from breaklint.recompiles.predict import predict;"
        "from breaklint.recompiles.options import Options;"
        "from breaklint.recompiles.vary import read_variations;"
        f"predict({net!r}, 'Net', read_variations(['x.0=4,5']), Options()); assert 'torch' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
