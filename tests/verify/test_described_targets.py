"""Targets that the configuration or two revisions describe, through the real command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.errors import ConfigError, TargetError
from breaklint.verify.targets.entries import load_entries
from breaklint.verify.targets.revisions import texts_at

QUICK = ("--devices", "cpu", "--quick", "--output-format", "json:out.json")
LAYERS = """\
import torch


def shifted(x, by):
    {line}
    return x + by
"""
MODEL = """\
import torch
from parts.layers import shifted


class Mixer(torch.nn.Module):
    def __init__(self, width, *, bias):
        super().__init__()
        self.linear = torch.nn.Linear(width, width, bias=bias)

    def forward(self, x, ids, options):
        assert x.dtype is torch.bfloat16 and ids.dtype is torch.int64 and not ids.shape[0] - x.shape[0]
        y = self.linear(x.float()) * options["scale"] + options["masks"][1].sum() + ids.sum()
        return shifted(y, options["offset"])


def make():
    options = {"scale": 1.0, "masks": [None, torch.ones(2)], "offset": 2}
    return Mixer(4, bias=False), (torch.rand(2, 4).bfloat16(), torch.ones(2, dtype=torch.int64), options)
"""
ENTRY = """
[[verify]]
name = "mixer"
target = "parts/model.py::Mixer"
init = {width = "D", bias = true}
sizes = [{B = 8, D = 16}, {B = 2, D = 16}]
inputs = {x = "bf16[B, D]", ids = "int[0, 5][B]", options = {scale = 0.5, masks = ["bool[3]", "bool[B]"], offset = 1}}
"""


def targets(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "out.json").read_text())["targets"]
    return found


@pytest.fixture
def project(write_files: WriteFiles) -> Path:
    parts = {"parts/__init__.py": "", "parts/model.py": MODEL, "parts/layers.py": LAYERS.format(line="pass")}
    return write_files({"breaklint.toml": ENTRY, **parts})


def test_without_a_target_the_entries_of_the_configuration_are_run(project: Path, breaklint: RunBreaklint) -> None:
    done = breaklint("verify", *QUICK)
    assert [(t["target"], t["verdict"]) for t in targets(project)] == [("mixer", "clean")], done.stderr + done.stdout


def test_two_revisions_differ_in_every_file_that_changed(project: Path, breaklint: RunBreaklint) -> None:
    git = ["git", "-C", str(project), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    layers = project / "parts/layers.py"
    (project / "parts/gone.py").write_text('def told(x):\n    print("hidden")\n')
    layers.write_text("from parts.gone import told\n" + LAYERS.format(line="told(x)"))
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Mixer"]):
        subprocess.run([*git, *command], check=True)
    layers.write_text(LAYERS.format(line="pass"))
    (project / "parts/gone.py").unlink()
    done = breaklint("verify", "parts/model.py:make", "--before", "HEAD", *QUICK)
    (target,) = targets(project)
    broken = [
        [(Path(b["filename"]).name, b["row"]) for b in target["arms"][arm]["breaks"]] for arm in ("before", "after")
    ]
    assert (target["target"], broken) == ("parts/model.py:make", [[("gone.py", 2)], []]), done.stdout


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('name = "a"\ntarget = "m.py"\ninput = []', "unknown key `input`; did you mean `inputs`?"),
        ('target = "m.py"', "number 1: `name` is missing"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["f33", "bf16[2, x y]"]', "`bf16[2, x y]` is not like bf16[8, 128]"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["f33[2]"]', "`f33[2]` is not like bf16[8, 128]"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["f32(4, B)"]', "`f32(4, B)` is not like bf16[8, 128]"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["torch.float32[B, 2]"]', "write f32 for float32"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["int[5, 5][2]"]', "the range is empty"),
        ('name = "a"\ntarget = "m.py"\ninputs = ["f32[0, 1][2]"]', "only integers have a range"),
        ('name = "a"\ntarget = "m.py"\nsizes = {B = 2}\ninputs = ["f32[N]"]', "the size N has no value"),
        ('name = "a"\ntarget = "m.py"\ntrain = 1', "`train` must be true or false, not 1"),
        ('name = ""\ntarget = "m.py"', "`name` must be a string, not ''"),
        ('name = "a"\ntarget = 1', "`target` must be a string, not 1"),
        ('name = "a"\ntarget = "m.py"\ninputs = "f32[2]"', "`inputs` must be a list of arguments or a table"),
        ('name = "a"\ntarget = "m.py"\nsizes = {B = 0}', "`sizes` must be a table such as { B = 8 }"),
        ('name = "a"\ntarget = "m.py"\nsizes = [8]', "`sizes` must be a table such as { B = 8 }"),
        ('name = "a"\ntarget = "m.py"\n[[verify]]\nname = "a"\ntarget = "n.py"', "two [[verify]] entries are named"),
    ],
)
def test_a_wrong_entry_is_told_with_its_key(write_files: WriteFiles, entry: str, words: str) -> None:
    folder = write_files({"breaklint.toml": f"[[verify]]\n{entry}\n"})
    with pytest.raises(ConfigError) as raised:
        load_entries(folder)
    assert words in str(raised.value)


def test_a_revision_without_git_is_told(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_files({"net.py": ""})
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(TargetError, match="--before HEAD: no such file, and git is not installed"):
        texts_at("HEAD", folder / "net.py")


def test_nothing_to_verify_is_told(breaklint: RunBreaklint) -> None:
    done = breaklint("verify")
    assert (done.returncode, "describe some as [[tool.breaklint.verify]]" in done.stderr) == (2, True)
