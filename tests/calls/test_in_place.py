"""Calls that are compiled while a program runs: tracing that costs too much ends at known lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from harness import PROJECT

pytest.importorskip("torch")

PROGRAM = """\
import os
import sys

sys.path.insert(0, {project!r})
from breaklint.calls.lines import Plan

os.environ.update(Plan({out!r}, {root!r}).environment())
import torch

from breaklint.calls import in_place

in_place.install()
from breaklint.calls import compiling

in_place.FREE = in_place.SHARE = -1.0
compiling.KNOWN_ROWS = 20


class Layer(torch.nn.Module):
    def forward(self, x):
        x = x + 1
        return x * 2


class Net(torch.nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.end(x)


class Deep(Net):
    def end(self, x):
        print("deep")
        return x


class Shallow(Net):
    def end(self, x):
        print("shallow")
        for layer in self.layers:
            x = layer(x)
        return x


print(Deep(10)(torch.ones(1)).tolist(), Shallow(2)(torch.ones(1)).tolist())
"""


def test_known_lines_in_sequence_end_the_trace_of_a_frame_without_a_break(tmp_path: Path) -> None:
    out, script = tmp_path / "out", tmp_path / "script.py"
    out.mkdir()
    script.write_text(PROGRAM.format(project=str(PROJECT), out=str(out), root=str(tmp_path)))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "deep\nshallow\n[3070.0] [46.0]\n"), run.stderr
    lines = [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_text().splitlines()]
    traced = {row for line in lines for row in line.get("traced", {}).get(str(script), ())}
    rows = {text.strip(): row for row, text in enumerate(script.read_text().splitlines(), 1)}
    assert rows["return x * 2"] in traced
    assert rows['print("deep")'] not in traced
    assert rows['print("shallow")'] in traced
    reports = [report for line in lines for report in line.get("broken", ())]
    assert reports
    assert all('print("shallow")' in report for report in reports)
