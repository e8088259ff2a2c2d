"""The graphs that Dynamo made."""

from __future__ import annotations

from breaklint.verify.arm.graphs import read_graph

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
