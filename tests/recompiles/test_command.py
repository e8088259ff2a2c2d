"""`breaklint recompiles`: the calls run under Dynamo, and remedies are tried by running."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from harness import RunBreaklint

pytest.importorskip("torch")

from breaklint.recompiles import counting
from breaklint.recompiles.calls import CallError, call_each
from breaklint.recompiles.report import as_data
from breaklint.recompiles.vary import read_variations
from breaklint.verify.targets.targets import find_target

NET = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.cut = 3

    def forward(self, x, scale=1.0, mask=None, mode="a"):
        if x.shape[0] == 5:
            x = x * 2
        if mask is not None:
            x = x * mask
        if mode == "a":
            x = x + 1
        return self.linear(x[: self.cut]) * scale


class Counter(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step

    def twice(self, x):
        return x * 2


def total(xs):
    return sum(x.sum() for x in xs)


class Names(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.names = ""

    def forward(self, x):
        self.names += "a"
        return x * 2


def make():
    return Net(8), [torch.randn(4, 8)]


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


def counted(target: str, vary: Sequence[str], **settings: Any) -> dict[str, Any]:
    """What the command reports as JSON; the calls run in this process."""
    result = counting.count_calls(find_target(target), read_variations(vary), counting.Settings(**settings), call_each)
    return as_data(result)


@pytest.mark.parametrize(
    ("target", "vary", "compiles", "remedy"),
    [
        ("::Net", ["x.0=4,6,7,8"], "yynn", "torch._dynamo.mark_dynamic(x, 0) before the call"),
        ("::Net.forward", ["x.0=4,5,6,5"], "yyyn", "torch._dynamo.maybe_mark_dynamic(x, 0) before the call"),
        (":make", ["scale=0.5,1.0,2.0"], "yyn", "pass torch.tensor(scale) for scale"),
        ("::Net", ["mode=a,b,c,a"], "yyyn", ""),
        ("::Net", ["mask=None,tensor,None"], "yyn", ""),
        ("::Net", ["self.cut=1,2,3"], "yyy", ""),
        ("::Net", ["x.dtype=float32,float32"], "yn", ""),
        ("::Counter", ["x.0=4,4,4"], "yyy", 'self.register_buffer("step", torch.tensor(self.step), persistent=False)'),
        ("::Names", ["x.0=4,4,4"], "yyy", ""),
        ("::Counter.twice", ["x.0=4,6"], "yy", "torch._dynamo.mark_dynamic(x, 0) before the call"),
        ("::total", ["xs.len=2,3,2"], "yyn", ""),
    ],
)
def test_each_kind_of_target_and_value(net: str, target: str, vary: list[str], compiles: str, remedy: str) -> None:
    result = counted(net + target, vary)
    assert "".join("y" if item["compiles"] else "n" for item in result["values"]) == compiles
    assert result["compilations"] == compiles.count("y")
    if remedy:
        assert result["remedies"][0]["text"] == remedy
        assert result["remedies"][0]["compilations"] < result["compilations"]


def test_the_table_names_guards_rows_and_two_remedies_that_help_together(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::Net", "--vary", "x.0=4,6,7", "--vary", "scale=0.5,0.6,0.7")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0].split() == "x.0 scale compiles guard that failed".split()
    assert lines[2].split()[:3] == ["6", "0.6", "yes"]
    assert lines[2].endswith("x.size(0) == 4")
    assert lines[-2] == "Net: 2 compilations in 3 calls"
    both = "torch._dynamo.mark_dynamic(x, 0) before the call; pass torch.tensor(scale) for scale"
    assert lines[-1] == f"remedy: {both}  (1 compilation)"


def test_the_row_of_a_number_of_the_module(net: str) -> None:
    second = counted(f"{net}::Counter", ["x.0=4,4"])["values"][1]
    assert (second["guard"], second["row"], second.get("filename")) == ("self.step == 0", 27, None)


def test_the_limit_ends_in_eager_and_in_exit_code_1(breaklint: RunBreaklint, net: str) -> None:
    done = breaklint("recompiles", f"{net}::total", "--vary", "xs.len=1,2,3,4", "--limit", "3")
    assert done.returncode == 1
    assert "4       eager" in done.stdout
    assert "the limit is reached" in done.stdout


def test_a_skipped_frame_is_named(breaklint: RunBreaklint, tmp_path: Path) -> None:
    loop = "def f(x):\n    for step in range(2):\n        print(step)\n        x = x + step\n    return x\n"
    (tmp_path / "loop.py").write_text(loop)
    done = breaklint("recompiles", "loop.py::f", "--input", "x=f32[4]", "--vary", "x.0=4,6", cwd=tmp_path)
    assert "skips a frame because of the break at loop.py:3: it runs in eager mode" in done.stdout


def test_inputs_in_words_stand_for_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def f(x, n):\n    return x * n\n")
    target = str(tmp_path / "plain.py::f")
    assert counted(target, ["n=2,3,4"], inputs={"x": "f32[4,8]"})["compilations"] == 2
    with pytest.raises(CallError, match="x has no value: add get_inputs"):
        counted(target, ["n=2,3,4"])


@pytest.mark.parametrize(
    ("target", "vary", "message"),
    [
        ("Nett", "x.0=4", "no 'Nett' in it; did you mean `Net`?"),
        ("Net", "y.0=4", "no argument y; it takes x, scale, mask, mode"),
        ("Net", "x.7=4", "x has 2 dimensions"),
        ("Net", "self.none=4", "no attribute 'none'"),
    ],
)
def test_what_the_target_does_not_take_is_named(net: str, target: str, vary: str, message: str) -> None:
    with pytest.raises(CallError, match=re.escape(message)):
        counted(f"{net}::{target}", [vary])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{net}::Net"], "pass the varying input, for example --vary x.0=4,5,6"),
        (["{net}::Net", "--vary", "x.0=a"], "'a' is not a size"),
        (["{net}::Net", "--vary", "x.0"], "write NAME=VALUE"),
        (["{net}::Net", "--vary", "x.0=4,5", "--vary", "scale=1.0"], "x.0 has 2, scale has 1"),
        (["missing.py::Net", "--vary", "x.0=4"], "no file missing.py"),
        (["{net}::Net", "--vary", "y.0=4"], "no argument y"),
        (["{net}::Net", "--vary", "x.1=3"], "every call raises: TorchRuntimeError"),
    ],
)
def test_usage_errors_name_the_remedy(breaklint: RunBreaklint, net: str, words: list[str], message: str) -> None:
    done = breaklint("recompiles", *(word.format(net=net) for word in words))
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "calls.py" not in done.stderr
