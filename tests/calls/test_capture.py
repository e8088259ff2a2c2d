"""Calls recorded while a script of one's own runs, and verified afterwards, through the real command line."""

from __future__ import annotations

import enum
import functools
import json
import logging
import os
import pickle
import shutil
import stat
import subprocess
import sys
from collections import OrderedDict, namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli_server import breaklint

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from breaklint.calls.freeze import Freezer, TooLarge  # noqa: E402 - needs torch
from breaklint.calls.portable import NotPortable  # noqa: E402
from breaklint.calls.thaw import Thawer, further_captured_calls, load_captured  # noqa: E402
from breaklint.verify.targets.targets import Surroundings  # noqa: E402

Pair = namedtuple("Pair", "left right")
BLOCKS = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.act = torch.relu
        self.told = lambda x: x

    def forward(self, x: torch.Tensor, *, mask=None):
        assert torch.is_autocast_enabled("cpu")
        print("block", x.shape)
        return self.act(self.linear(x)) * mask


class Idle(Block):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(8)

    def forward(self, x):
        return self.block(x, mask=x.new_ones(8))
"""
TRAIN = """\
import torch
from nets.blocks import Net

if __name__ == "__main__":
    net = torch.compile(torch.nn.DataParallel(Net()))
    for step in range(2):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            net(torch.randn(4 + step, 8)).sum().backward()
"""
Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "nets").mkdir()
    (folder / "nets/__init__.py").touch()
    (folder / "nets/blocks.py").write_text(BLOCKS)
    (folder / "train.py").write_text(TRAIN)
    (folder / "captures").mkdir(mode=0o755)
    return folder, breaklint(folder, "capture", "--parents", "--calls", "2", "--", sys.executable, "train.py")


def test_flagged_modules_and_those_around_them_are_recorded(recorded: tuple[Path, Done]) -> None:
    folder, done = recorded
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (folder / "captures").iterdir()) == ["Block", "Net"]
    output = json.loads((folder / "captures/Block/target.json").read_text())
    assert (output["module"], output["qualname"], output["training"], output["grad"]) == (
        "nets.blocks",
        "Block",
        True,
        True,
    )
    assert output["autocast"] == {"cpu": "bfloat16"}
    assert "breaklint verify captures/Block" in done.stdout


def test_what_cannot_be_stored_or_was_not_called_is_told(recorded: tuple[Path, Done]) -> None:
    _, done = recorded
    assert "Block: not stored: Block.told: Block.__init__.<locals>.<lambda>" in done.stderr


def test_only_its_owner_may_read_what_was_recorded(recorded: tuple[Path, Done]) -> None:
    captures = recorded[0] / "captures"
    modes = {stat.S_IMODE(path.stat().st_mode) for path in captures.rglob("*") if path.is_file()}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (captures, *captures.iterdir())}
    assert (modes, folders) == ({0o600}, {0o700})


def test_a_second_run_does_not_mix_with_the_first(recorded: tuple[Path, Done]) -> None:
    done = breaklint(recorded[0], "capture", "--", sys.executable, "train.py")
    assert (done.returncode, "captures: is not empty" in done.stderr) == (2, True)


def test_a_flagged_module_is_verified_inside_its_parent(recorded: tuple[Path, Done]) -> None:
    folder, _ = recorded
    quick = ("--devices", "cpu", "--backend", "eager", "--rounds", "3", "--output-format", "json:out.json")
    done = breaklint(folder, "verify", "captures/Net", *quick)
    (target,) = json.loads((folder / "out.json").read_text())["targets"]
    arms = target["arms"]
    assert [len(arms[name]["breaks"]) for name in ("before", "after")] == [1, 0], done.stdout
    assert [call["name"] for call in arms["after"]["further_calls"]] == ["recorded call 1"]
    assert (arms["after"]["differences"], arms["after"]["rewrite_differences"]) == ([], [])


@pytest.mark.parametrize("field", ["file", "root", "files"])
def test_a_recording_cannot_bring_code_of_its_own(recorded: tuple[Path, Done], tmp_path: Path, field: str) -> None:
    folder, _ = recorded
    sent = tmp_path / "sent"
    shutil.copytree(folder / "captures/Net", sent / "Net")
    (sent / "Net/evil.py").write_text("open('ran', 'w')")
    note = json.loads((sent / "Net/target.json").read_text())
    brought = {"file": str(sent / "Net/evil.py"), "root": str(sent / "Net"), "files": [str(sent / "Net/evil.py")]}
    (sent / "Net/target.json").write_text(json.dumps(note | {field: brought[field]}))
    done = breaklint(folder, "verify", str(sent / "Net"), "--devices", "cpu", "--backend", "eager")
    assert (done.returncode, "is not in this project" in done.stdout) == (2, True), done
    assert not (folder / "ran").exists()


def test_the_folder_of_a_recording_is_never_importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "captures/Net").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    trusted = Surroundings.of(Path("captures/Net"))
    assert trusted.has(str(tmp_path / "src/net.py"))
    assert not trusted.has(str(tmp_path / "captures/Net"))
    assert not trusted.has(str(tmp_path / "captures/Net/../Net/nets"))
    assert not trusted.has("/elsewhere")


class Kind(enum.Enum):
    ONE = 1


class Holder(torch.nn.Module):
    """Holds, besides parameters, what models hold: their own parents, settings, functions, tensors that are views."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
        self.tied = self.inner.weight
        self.settings = SimpleNamespace(kind=Kind.ONE, sizes=(1, [2]), names={"a": {3}})
        self.activation = functools.partial(torch.nn.functional.leaky_relu, negative_slope=0.2)
        self.__dict__["parent"] = self


class Finalized:
    def __del__(self) -> None:
        pass


def there_and_back(value: Any, tmp_path: Path) -> Any:
    torch.save(Freezer(10**6).freeze(value, "value"), tmp_path / "value.pt")
    return Thawer("cpu", "__main__").thaw(torch.load(tmp_path / "value.pt", weights_only=True))


def test_a_module_comes_back_with_its_ties(tmp_path: Path) -> None:
    holder = Holder().eval()
    back = there_and_back(holder, tmp_path)
    assert type(back) is Holder
    assert (back.parent is back, back.tied is back.inner.weight, back.training) == (True, True, False)
    assert back.settings == holder.settings
    assert back.activation(torch.tensor(-1.0)) == holder.activation(torch.tensor(-1.0))
    assert torch.equal(back.inner(torch.ones(2)), holder.inner(torch.ones(2)))


class Evil:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("name", ["module.pt", "call-0.pt", "call-1.pt"])
def test_nothing_pickled_in_a_recording_is_run(name: str, tmp_path: Path) -> None:
    plain = {"module": 1, "args": {"$": "list", "items": []}, "kwargs": {"$": "dict", "items": []}}
    for file in ("module.pt", "call-0.pt", "call-1.pt"):
        torch.save(plain | ({"evil": Evil(tmp_path / "ran")} if file == name else {}), tmp_path / file)
    with pytest.raises(pickle.UnpicklingError):
        _ = [load(tmp_path, "cpu", "main") for load in (load_captured, further_captured_calls)]
    assert not (tmp_path / "ran").exists()


VALUES = {
    "an array": numpy.arange(3.0),
    "a device": torch.device("cpu"),
    "a logger": logging.getLogger("nets"),
    "a slice": slice(1, None, 2),
    "a range": range(3),
    "a frozen set": frozenset({1, 2}),
    "an ordered dict": OrderedDict(b=1, a=2),
    "a named tuple": Pair(1, [2]),
    "a list of its own kind": torch.Size([1, 2]),
    "a module of Python": torch.nn.functional,
    "numbers": (True, 2**80, -0.0, 1j, "ä", b"\0"),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_what_models_hold_comes_back_as_it_was(value: Any, tmp_path: Path) -> None:
    back = there_and_back(value, tmp_path)
    assert type(back) is type(value)
    assert repr(back) == repr(value)


def test_a_script_goes_on_whatever_its_modules_hold_and_each_is_told(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(BROKEN)
    (tmp_path / "run.py").write_text(
        "import one, two, torch\n"
        "for module in (one, two):\n"
        "    print(float(module.Block()(torch.ones(2))), module.Big()(torch.ones(2)).shape)\n"
        "    module.Block()(torch.ones(2), lambda: 0)\n"
        "    module.Odd()(torch.ones(2), lambda: 0)\nprint('end')\n"
    )
    done = breaklint(tmp_path, "capture", "--budget", "1", "--", sys.executable, "run.py")
    assert (done.returncode, "end" in done.stdout) == (0, True), done.stderr
    assert {path.name for path in (tmp_path / "captures").iterdir() if path.is_dir()} == {"Block", "Block-2"}
    assert stat.S_IMODE((tmp_path / "captures").stat().st_mode) == 0o700
    assert "Big: not recorded: it takes more than" in done.stderr
    assert "Odd: not recorded: args[1]: <lambda> of __main__ is created at run time" in done.stderr


BROKEN = """\
import torch


class Block(torch.nn.Module):
    def forward(self, x, told=None):
        return x.sum().item()


class Big(Block):
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(400_000)

    def forward(self, x):
        print("big")
        return x


class Odd(Block):
    def forward(self, x, told):
        print("odd")
        return x
"""


def test_a_field_that_cannot_be_stored_is_left_out_and_told() -> None:
    freezer = Freezer(10**6)
    holder = SimpleNamespace(fine=1, lock=Finalized(), opened=open)
    assert freezer.freeze(holder, "holder")["fields"] == {"fine": 1}
    assert [line.partition(":")[0] for line in freezer.missing] == ["holder.lock", "holder.opened"]


def test_tensors_beyond_the_budget_are_refused() -> None:
    with pytest.raises(TooLarge):
        Freezer(100).freeze([torch.zeros(13), torch.zeros(13)], "value")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"$": "name", "name": "os:system"}, id="a function that starts programs"),
        pytest.param({"$": "name", "name": "builtins:exec"}, id="a function that runs text"),
        pytest.param({"$": "object", "class": f"{__name__}:Finalized", "number": 0, "fields": {}}, id="a finalizer"),
        pytest.param({"$": "object", "class": "torch:nothing", "number": 0, "fields": {}}, id="no such class"),
        pytest.param({"$": "name", "name": "torch:load"}, id="a function of torch that unpickles"),
        pytest.param({"$": "name", "name": "torch.hub:load"}, id="a function of torch that fetches"),
        pytest.param({"$": "name", "name": "torch.nn.functional:torch.load"}, id="the same by another way"),
        pytest.param({"$": "name", "name": "numpy:load"}, id="a function of another package"),
        pytest.param({"$": "name", "name": "types:FunctionType"}, id="what makes functions"),
        pytest.param({"$": "name", "name": "operator:methodcaller"}, id="what calls methods"),
        pytest.param({"$": "name", "name": "torch:relu.__class__"}, id="what lies behind a function"),
        pytest.param({"$": "enum", "class": "torch:Tensor", "name": "load"}, id="a class that is not an enumeration"),
        pytest.param({"$": "_init__"}, id="a method of what reads it"),
        pytest.param(
            {"$": "partial", "func": {"$": "name", "name": "torch:load"}, "args": (), "keywords": {}},
            id="a call that is not complete",
        ),
    ],
)
def test_data_cannot_name_what_does_harm(data: Any) -> None:
    with pytest.raises(NotPortable):
        Thawer("cpu", "__main__").thaw(data)
