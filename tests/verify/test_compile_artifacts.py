"""What the compiler made: graphs, kernels, and why it recompiled; and the files that keep it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from breaklint.verify.arm.compile_artifacts import read_graph, read_kernels, read_reasons
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
CODE = """\
triton_red_fused_abs_max_0 = async_compile.triton('triton_red_fused_abs_max_0', '''
''', device_str='cuda')
cpp_fused_add_mul_relu_1 = async_compile.cpp_pybinding(['float*'], r'''
''')
    def call(self, args):
        # Topologically Sorted Source Nodes: [linear], Original ATen: [aten.t, aten.addmm]
        extern_kernels.addmm(arg1_1, arg2_1, alpha=1, beta=1, out=buf0)
        # Topologically Sorted Source Nodes: [abs_1, max_1], Original ATen: [aten.abs, aten.max]
        triton_red_fused_abs_max_0.run(buf0, buf1, 1, 32, stream=stream0)
        triton_red_fused_abs_max_0.run(buf2, buf1, 1, 32, stream=stream0)
        cpp_fused_add_mul_relu_1(buf1)
        buf3 = torch.ops.aten._scaled_dot_product_flash_attention.default(buf1, buf1, buf1)
def benchmark_compiled_module(args):
    extern_kernels.mm(args)
"""


def test_a_graph_tells_its_operations_and_the_lines_they_come_from() -> None:
    assert read_graph(GRAPH) == {"ops": 3, "lines": [["/a/model.py", 17], ["/a/model.py", 19]]}


def test_kernels_are_told_in_the_order_of_their_calls_with_what_was_fused() -> None:
    told = [(k["name"], k["language"], k["ops"], k["calls"]) for k in read_kernels(CODE)]
    assert told == [
        ("addmm", "library", ["t", "addmm"], 1),
        ("triton_red_fused_abs_max_0", "triton", ["abs", "max"], 2),
        ("cpp_fused_add_mul_relu_1", "C++", ["add_mul_relu"], 1),
        ("torch.ops.aten._scaled_dot_product_flash_attention", "library", [], 1),
    ]


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (
            json.dumps(
                ["0/0: self.n == 0    # self.n += 1  # a/model.py:16 in forward (HINT: make it a tensor.)\nUser"]
            ),
            ["it was compiled for `self.n == 0`, which no longer holds (a/model.py:16)"],
        ),
        ("0/1: tensor 'x' size mismatch", ["it was compiled for `tensor 'x' size mismatch`, which no longer holds"]),
    ],
    ids=["an attribute", "no place"],
)
def test_reasons_to_recompile_are_sentences(payload: str, expected: list[str]) -> None:
    assert read_reasons(payload) == expected


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
