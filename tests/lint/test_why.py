"""`breaklint why`: what is inferred on a line, and how tracing gets there."""

from __future__ import annotations

import json

import pytest
from harness import RunBreaklint, WriteFiles

NET = """\
import torch
from layers import scale
import library

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, mode):
        y = self.linear(x).item()
        made = library.make(x)
        z = made.weight
        if self.training:
            z = self.inner(x)
        return scale(z, mode)

    def inner(self, t):
        return t[t > 0]

    def never(self, t):
        return t
"""
LAYERS = "def scale(t, mode):\n    return t * 2 if mode else t\n"


@pytest.fixture
def told(write_files: WriteFiles, breaklint: RunBreaklint):  # type: ignore[no-untyped-def]
    write_files({"net.py": NET, "layers.py": LAYERS})

    def run(*arguments: str) -> list[str]:
        done = breaklint("why", "--isolated", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


def test_each_expression_of_a_line_has_its_value(told) -> None:  # type: ignore[no-untyped-def]
    assert told("net.py:11") == [
        "net.py:11",
        "  traced from Net.forward (net.py:10)",
        "  self.linear(x).item(): number read from a tensor",
        "  self.linear(x).item: method item of tensor",
        "  self.linear(x): tensor",
        "  self.linear: object of torch.nn.Linear",
        "  self: object of Net",
        "  x: tensor, input",
        "  BRK201 `self.linear(x).item()` takes a number out of the graph",
    ]


def test_what_made_a_value_unknown_is_told_step_by_step(told) -> None:  # type: ignore[no-untyped-def]
    lines = told("net.py:13")
    assert lines[lines.index("  made.weight: unknown") :][:4] == [
        "  made.weight: unknown",
        "    `made.weight`: the object `made` is unknown",
        "    `made` is bound on line 12: `library.make(x)`",
        "    `library.make(x)`: `library.make`: outside of the project",
    ]


def test_the_calls_that_lead_to_a_line_and_their_condition(told) -> None:  # type: ignore[no-untyped-def]
    assert told("net.py:19")[1:3] == [
        "  traced from Net.forward (net.py:10) (when: self.training)",
        "    by net.py:15: self.inner(x)",
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        pytest.param(
            10,
            [
                "not traced: no entry point reaches Net.loss",
                "its callers are not reached either: Net.fit",
                "entry points of this file: Net.forward",
                'if it is compiled, add entry-points = ["Net.loss"]; if another file calls it, check that file as well',
            ],
            id="a method that no entry leads to",
        ),
        pytest.param(7, ['not traced: `self.kind == "b"` on line 6 is always False here'], id="a test that is known"),
        pytest.param(
            1, ["not traced: the line is outside of functions, and runs before compilation"], id="the top level"
        ),
    ],
)
def test_a_line_that_nothing_traces_says_why(
    write_files: WriteFiles, breaklint: RunBreaklint, row: int, said: list[str]
) -> None:
    text = (
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        self.kind = 'a'\n"
        '    def forward(self, x):\n        if self.kind == "b":\n            return x.sum().item()\n'
        "        return x\n    def loss(self, x):\n        return x.sum().item()\n"
        "    def fit(self, x):\n        return self.loss(x)\n"
    )
    write_files({"net.py": text})
    done = breaklint("why", "--isolated", f"net.py:{row}")
    assert done.stdout.splitlines() == [f"net.py:{row}", *(f"  {line}" for line in said)]
    data = json.loads(breaklint("why", "--isolated", f"net.py:{row}", "--output-format", "json").stdout)
    assert (data["reached"], data["unreached"]) == ([], said)


def test_a_folder_is_a_usage_error_in_one_line(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"src/net.py": NET})
    done = breaklint("why", "src")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "breaklint: error: src: is a folder; give a file and a line, as src/net.py:42\n"


def test_a_line_that_another_file_calls(told) -> None:  # type: ignore[no-untyped-def]
    lines = told("layers.py:2", "net.py")
    assert lines[1:3] == ["  traced from Net.forward (net.py:10)", "    by net.py:16: scale(z, mode)"]
    assert "  mode: unknown" in lines  # what it is handed to asks for its truth


def test_the_same_as_json(told) -> None:  # type: ignore[no-untyped-def]
    data = json.loads("\n".join(told("net.py:11:9", "--output-format", "json")))
    assert data["reached"] == [{"region": "Net.forward", "filename": "net.py", "row": 10, "calls": [], "when": ""}]
    assert data["inferred"][0] == {
        "location": {"row": 11, "column": 13},
        "end_location": {"row": 11, "column": 34},
        "source": "self.linear(x).item()",
        "value": "number read from a tensor",
        "because": [],
    }
    assert [result["code"] for result in data["findings"]] == ["BRK201"]


@pytest.mark.parametrize("place", ["net.py", "net.py:x", ":3"])
def test_what_is_no_place_is_an_error(breaklint: RunBreaklint, place: str) -> None:
    done = breaklint("why", place)
    assert (done.returncode, done.stderr) == (2, f"breaklint: error: {place}: give a file and a line, as net.py:42\n")


def test_a_name_in_an_index_of_what_is_stored_is_not_bound_there(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    body = "        row = library.rows(x)\n        x[row] += 1\n        return x\n"
    head = "import library\nimport torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
    write_files({"net.py": head + body})
    lines = [line.strip() for line in breaklint("why", "--isolated", "net.py:8").stdout.splitlines()]
    assert "`row` is bound on line 7: `library.rows(x)`" in lines
