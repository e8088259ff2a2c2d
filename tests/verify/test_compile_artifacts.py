"""The graphs that the compiler made, and the files that keep them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from breaklint.verify.arm.compile_artifacts import read_graph
from breaklint.verify.judge.results import TargetReport

GRAPH = """\
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4, 8][8, 1]cpu"):
        l_x_ = L_x_

        # File: /a/model.py:17 in forward, code: y = self.l(x).relu() * 2
        relu: "f32[4, 8][8, 1]cpu" = l_x_.relu();  l_x_ = None
        mul: "f32[4, 8][8, 1]cpu" = relu * 2;  relu = None

        # File: /a/model.py:19 in forward, code: return y.sum()
        sum_1: "f32[][]cpu" = mul.sum();  mul = None
        return (sum_1,)
"""


def test_a_graph_tells_its_operations_and_the_lines_they_come_from() -> None:
    assert read_graph(GRAPH) == {"ops": 3, "lines": [["/a/model.py", 17], ["/a/model.py", 19]]}


def test_artifacts_keep_trace_and_graphs_of_every_compiled_arm(
    folder: Callable[..., Path], examine: Callable[..., TargetReport], tmp_path: Path
) -> None:
    report = examine(
        folder("y = x * self.scale\nprint('hidden')\nreturn y + 1"), artifacts=str(tmp_path / "kept"), quick=True
    )
    kept = {path.parent.name: path for path in (tmp_path / "kept").rglob("*.log")}
    assert {*kept} == {"before", "fix-0"}
    lines = [line for line in kept["before"].read_text().splitlines() if line.startswith("V")]
    assert all(json.loads(line.partition("{")[1] + line.partition("{")[2]) for line in lines)
    assert any("dynamo_graph_break_reason" in line for line in lines)
    assert len(list(kept["before"].parent.glob("graph-*.py"))) == 2
    made = report.arms["before"].made
    assert made is not None
    assert [graph["ops"] for graph in made.graphs] == [1, 1]
    tlparse, pages = Path(sys.executable).with_name("tlparse"), tmp_path / "pages"
    subprocess.run([tlparse, kept["before"], "--no-browser", "-o", pages], check=True, capture_output=True)
    assert len(list(pages.glob("*/dynamo_output_graph_*.txt"))) == 2
