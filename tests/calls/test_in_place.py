"""Calls that are compiled while a program runs: beyond a share of the time, only new code is traced."""

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
import numpy
import torch

from breaklint.calls import in_place

in_place.install()
in_place.FREE = in_place.SHARE = -1.0


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
        return x


class Scaled(torch.nn.Module):
    alpha = numpy.tanh(1.0)

    def forward(self, x):
        alpha = self.alpha * 2
        y = torch.zeros_like(x)
        y[x > 0] = alpha * x[x > 0]
        return y


print(Deep(2)(torch.ones(1)).tolist(), Shallow(2)(torch.ones(1)).tolist(), Scaled()(torch.zeros(1)).tolist())
"""


def test_a_frame_of_known_lines_runs_as_it_is_and_the_frames_that_it_calls_are_traced(tmp_path: Path) -> None:
    out, script = tmp_path / "out", tmp_path / "script.py"
    out.mkdir()
    script.write_text(PROGRAM.format(project=str(PROJECT), out=str(out), root=str(tmp_path)))
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "deep\nshallow\n[10.0] [10.0] [0.0]\n"), run.stderr
    lines = [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_text().splitlines()]
    rows = {text.strip(): row for row, text in enumerate(script.read_text().splitlines(), 1)}
    traced = [line["traced"][str(script)] for line in lines if str(script) in line.get("traced", {})]
    first = next(place for place, some in enumerate(traced) if rows['print("shallow")'] in some)
    assert any(rows["return x * 2"] in some for some in traced[:first])
    assert not any(rows["return x * 2"] in some for some in traced[first:])
    reports = "".join(report for line in lines for report in line.get("broken", ()))
    assert 'print("deep")' in reports
    assert 'print("shallow")' in reports
