"""What a run holds on to: of the file before, nothing; of followed files, as many trees as it may."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT, WriteFiles

from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.project import memory
from breaklint.project.project import Project

FIXTURES = [(str(path), path.read_text("utf-8")) for path in sorted((PROJECT / "fixtures").glob("*/before.py"))]
CHOSEN = """
class Add(nn.Module):
    def forward(self, x):
        return x + 1
class Twice(nn.Module):
    def forward(self, x):
        return x * 2
class Net(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.layer = Add() if wide else Twice()
    def forward(self, x):
        return self.layer(x) if self.layer is not None else x
"""
MASKED = """
class Net(nn.Module):
    def forward(self, x, y, m):
        mask = m > 0
        return nn.functional.mse_loss(x[mask], y[mask])
"""
BRANCH = """
class Net(nn.Module):
    def forward(self, x):
        if (x > 0).any():
            x[x > 0] = self.other(x)
        return x
"""
COUNTS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def forward(self, x, mode):
        self.steps += self.one(mode)
        return x
    def one(self, mode):
        if mode == "train":
            return 1
        elif mode == "eval":
            raise ValueError(mode)
        else:
            return 2
"""
DRIVEN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
    def forward(self, x, scale):
        self.steps += 1
        return x * scale
net = torch.compile(Net())
for step in range(20):
    net(torch.ones(step, 8), step)
"""
KEPT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = {}
        self.attach(nn.ReLU())
    def attach(self, layer):
        def forward(x):
            return layer(x)
        self.forward_of = forward
        self.seen["forward"] = forward
    def forward(self, x):
        return self.forward_of(x)
"""
BASE = "import torch\nclass Base(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
DERIVED = "import torch\nfrom base import Base\nclass Net(Base):\n    def helper(self, x):\n        return x\n"


@pytest.fixture
def garbage() -> Iterator[list[object]]:
    """What only the collector of garbage would free, once `gc.collect` was called."""
    gc.collect()
    gc.freeze()  # so that collections look at what the test makes alone
    enabled = gc.isenabled()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        if enabled:
            gc.enable()


def trees_left(files: list[tuple[str, str]], garbage: list[object]) -> int:
    engine = Engine(Settings())
    gc.collect()
    garbage.clear()
    for path, text in files:
        assert not engine.check(path, text).errors
    engine.check("last.py", "")  # until another file is looked at, the last one may be asked for
    engine.forget()
    gc.collect()
    return sum(isinstance(item, ast.AST) for item in garbage)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(FIXTURES, id="of fixtures"),
        *(
            pytest.param([("net.py", f"import torch\nfrom torch import nn\n{text}")], id=name)
            for name, text in {
                "of a layer that is one of two": CHOSEN,
                "of a mask without a known shape": MASKED,
                "of a branch that no fix rewrites": BRANCH,
                "of calls that are followed in turn": COUNTS,
                "of calls by driver code that are followed in turn": DRIVEN,
                "of a function that an object keeps": KEPT,
            }.items()
        ),
    ],
)
def test_no_tree_waits_for_the_collector_of_garbage(files: list[tuple[str, str]], garbage: list[object]) -> None:
    assert trees_left(files, garbage) == 0


def test_a_followed_file_that_is_checked_next_is_held_once(write_files: WriteFiles, garbage: list[object]) -> None:
    folder = write_files({"base.py": BASE, "derived.py": DERIVED})
    assert trees_left([(str(folder / "derived.py"), DERIVED), (str(folder / "base.py"), BASE)], garbage) == 0


def test_room_is_made_for_a_followed_file_by_those_that_this_check_did_not_ask_for(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MAX_PARSED", 150)
    folder = write_files({f"m{number}.py": f"x = {'1' * 60}\n" for number in range(5)})
    read: list[str] = []

    def noted(path: str) -> str:
        read.append(Path(path).stem)
        return Path(path).read_text("utf-8")

    def reads_of(*names: str) -> list[str]:
        read.clear()
        assert all(project.module(name) for name in names)
        return [*read]

    project = Project([str(folder)], noted)
    assert reads_of("m0", "m1", "m2", "m3", "m0") == ["m0", "m1", "m2", "m3"]  # what is in use stays
    project.begin()
    assert reads_of("m3", "m4", "m1", "m3") == ["m4", "m1"]
    assert reads_of("m2") == ["m2"]  # it made room for m1


def test_a_file_that_most_files_lead_to_stays_though_the_last_ones_did_not_ask_for_it(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MAX_PARSED", 150)
    folder = write_files(dict.fromkeys(("core.py", *(f"m{n}.py" for n in range(40))), f"x = {'1' * 60}\n"))
    read: list[str] = []

    def noted(path: str) -> str:
        read.append(Path(path).stem)
        return Path(path).read_text("utf-8")

    project = Project([str(folder)], noted)
    for _ in range(4):
        project.begin()
        assert project.module("core")
    for number in range(6):
        project.begin()
        assert project.module(f"m{number}")
    project.begin()
    assert project.module("core")
    assert read.count("core") == 1
    for number in range(6, 40):
        project.begin()
        assert project.module(f"m{number}")  # by then nothing has needed it for long
    project.begin()
    assert project.module("core")
    assert read.count("core") == 2
