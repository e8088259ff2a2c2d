"""The number of graphs that check counts is the number that Dynamo makes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
import torch
import torch._dynamo
import torch._dynamo.testing

from breaklint.lint.engine import check_source
from breaklint.model import Settings

HELPERS = """\
import torch


def helper(x):
    x = x + 1
    print(x)
    return x * 2


def middle(x):
    x = x + 5
    x = helper(x)
    return x * 7


def looping(x):
    x = x.sin()
    for _ in range(2):
        x = x + 1
        print(x)
    return x * 2


def trying(x):
    x = x.sin()
    try:
        print(x)
    except ValueError:
        pass
    return x.cos()


@torch.compile
def entry(x):
    x = x.cos()
"""
BODIES = {
    "a break": "print(x)",
    "two breaks": "print(x)\nx = x + 1\nprint(x)",
    "two breaks with nothing between them": "print(x)\nprint(x)",
    "a loop": "for _ in range(2):\n    x = x + 1\n    print(x)",
    "a while loop": "i = 0\nwhile i < 2:\n    i += 1\n    print(x)",
    "try": "try:\n    print(x)\nexcept ValueError:\n    pass",
    "the else of a try": "try:\n    x = x + 1\nexcept ValueError:\n    pass\nelse:\n    print(x)",
    "finally": "try:\n    x = x + 1\nfinally:\n    print(x)",
    "a helper": "x = helper(x)",
    "a helper twice": "x = helper(x)\nx = x + 3\nx = helper(x)",
    "two helpers deep": "x = middle(x)",
    "a helper in a loop": "for _ in range(2):\n    x = helper(x)",
    "two helpers deep in a loop": "for _ in range(2):\n    x = middle(x)",
    "a helper in a try": "try:\n    x = helper(x)\nexcept ValueError:\n    pass",
    "a helper with a loop": "x = looping(x)",
    "a helper with a loop in a loop": "for _ in range(2):\n    x = looping(x)",
    "a helper with a try": "x = trying(x)",
    "a break before a loop": "print(x)\nfor _ in range(2):\n    x = x + 1",
    "a break after a loop": "for _ in range(2):\n    x = x + 1\nprint(x)",
    "a break before a loop with one": "print(x)\nfor _ in range(2):\n    x = x + 1\n    print(x)",
    "a slice up to a tensor": "x = x * 2\ny = x[: x.argmax()]\nx = x + y.sum()",
    "a text of a tensor": "x = x * 2\ny = '%s' % x\nx = x + len(y)",
    "no_grad": "with torch.no_grad():\n    x = x + 1\n    print(x)\n    x = x * 2",
}


def source(body: str) -> str:
    """A file with a compiled function, whose last line computes something more."""
    return HELPERS + indent(dedent(body), " " * 4) + "\n    return x.sin()\n"


def graphs_run(function: Any, *inputs: Any) -> int:
    """The graphs that the second call of a compiled function runs."""
    ran: list[torch.fx.GraphModule] = []

    def backend(graph: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> Any:
        def run(*arguments: Any) -> Any:
            ran.append(graph)
            return graph.forward(*arguments)

        return run

    torch._dynamo.reset()
    compiled = torch.compile(function, backend=backend)
    compiled(*inputs)
    ran.clear()
    compiled(*inputs)
    return len(ran)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_counts_equal_those_of_dynamo(body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = source(body)
    (forward,) = check_source(text, "net.py", Settings(target_torch="2.13")).forwards
    scope: dict[str, Any] = {"__name__": "net"}
    path = tmp_path / "net.py"
    path.write_text(text.replace("@torch.compile\n", ""), "utf-8")
    exec(compile(text.replace("@torch.compile\n", ""), str(path), "exec"), scope)
    graphs = graphs_run(scope["entry"], torch.randn(4))
    assert (forward.certain, forward.most) == (graphs, graphs)


LAYERS = """\
import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x):
        print(x)
        return x.sin() * 2


class Net(nn.Module):
    def __init__(self, depth: int = 3):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(depth)])
        widths = [3] + [4] * depth
        self.pair = nn.ModuleList([Layer() for _ in zip(widths[:-2], widths[1:])])

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            x = layer(x)
        for first, _ in zip(self.pair, range(2)):
            for _ in range(1, 3): x = first(x)
        return torch.stack([self.pair[0](x) for _ in range(2)])
"""


def test_a_loop_over_layers_counts_each_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    (forward,) = check_source(LAYERS, "net.py", Settings()).forwards
    scope: dict[str, Any] = {"__name__": "net"}
    exec(compile(LAYERS, "net.py", "exec"), scope)
    assert forward.certain == graphs_run(scope["Net"](), torch.randn(4)) == 9


def test_conditions_that_defaults_decide_count_as_certain() -> None:
    text = HELPERS.replace("entry(x)", "entry(x, mask=None, debug=False)") + indent(
        dedent(
            """
            if mask is None:
                print(x)
            x = x + 1
            if debug:
                print(x)
            return x.sin()
            """
        ),
        " " * 4,
    )
    (forward,) = check_source(text, "net.py", Settings()).forwards
    assert (forward.certain, forward.most) == (2, 3)


def test_a_break_names_the_callers_that_run_in_eager_mode_and_the_breaks_that_they_hide() -> None:
    text = source("for _ in range(2):\n    x = helper(x)\nprint(x)")
    inner, after = check_source(text, "net.py", Settings()).findings
    assert inner.cost.skipped == ("entry",)
    assert inner.cost.hides == 1
    assert after.cost.skipped == ()


@pytest.mark.parametrize(("body", "part"), [("slice", "the rest of entry"), ("loop", "entry")])
def test_the_note_states_which_part_of_the_function_runs_in_eager_mode(body: str, part: str) -> None:
    code = "x = x[: x.argmax()]" if body == "slice" else "for _ in range(2):\n    x = x[: x.argmax()]"
    found = check_source(source(code), "net.py", Settings()).findings
    assert [finding.note.partition(": ")[2] for finding in found] == [f"Dynamo runs {part} in eager mode"]


def test_a_break_that_is_the_only_one_of_its_function_is_the_last() -> None:
    (alone,) = check_source(source("print(x)"), "net.py", Settings()).findings
    first, second = check_source(source("print(x)\nprint(x.sum())"), "net.py", Settings()).findings
    assert (alone.cost.last, first.cost.last, second.cost.last) == (True, False, False)


GRID = """\
import torch


def grid(sizes):
    height = int(sizes.max())
    width = sizes.min().item()
    return torch.zeros(height, width)


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, sizes: torch.Tensor):
        return x.sin() + grid(sizes).sum()
"""


def test_a_helper_with_several_breaks_and_no_fix_is_better_disabled() -> None:
    (call,) = check_source(GRID, "net.py", Settings()).eager_calls
    assert (call.name, call.row, call.breaks) == ("grid", 4, 2)
    scope: dict[str, Any] = {"__name__": "net"}
    exec(compile(GRID, "net.py", "exec"), scope)
    x, sizes = torch.randn(4), torch.tensor([2, 3])
    expected = scope["Net"]()(x, sizes)
    for disabled, graphs in ((False, call.before), (True, call.after)):
        if disabled:
            scope["grid"] = torch.compiler.disable(scope["grid"])
        torch._dynamo.reset()
        counter = torch._dynamo.testing.CompileCounter()
        result = torch.compile(scope["Net"](), backend=counter)(x, sizes)
        assert torch.equal(result, expected)
        assert counter.frame_count == graphs


def test_a_helper_with_one_break_is_not_better_disabled() -> None:
    text = GRID.replace("int(sizes.max())", "4")
    assert check_source(text, "net.py", Settings()).eager_calls == ()
