"""Entries that depend on other files: an installed library adds to what is known, and takes no entry away."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import WriteFiles

from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.model import FileResult, Settings
from breaklint.output import FORMATS, render

STEPS = """\
import {library} as L
import torch


class Lit({base}):
    def encode(self, x):
        return x * x.sum().item()

    def training_step(self, batch, batch_idx):
        self.last = batch.mean().item()
        return batch.mean()
"""
LIGHTNING = {
    "site-packages/lightning/__init__.py": "from lightning.pytorch.module import LightningModule\n",
    "site-packages/lightning/pytorch/__init__.py": "from lightning.pytorch.module import LightningModule\n",
    "site-packages/lightning/pytorch/module.py": """\
import torch


class Hooks:
    def on_fit_start(self): ...


class LightningModule(Hooks, torch.nn.Module):
    def forward(self, *args, **kwargs):
        return super().forward(*args, **kwargs)
""",
    "site-packages/lightning/pytorch/demos.py": """\
from lightning.pytorch.module import LightningModule


class BoringModel(LightningModule):
    def training_step(self, batch, batch_idx):
        return batch.sum()
""",
}
HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
STUB = {"lightning/__init__.py": "import torch\n\n\nclass LightningModule(torch.nn.Module):\n    pass\n"}


def checked(folder: Path, environment: str) -> FileResult:
    path = str(folder / "model.py")
    engine = Engine(Settings(environment=environment), roots=[folder])
    return engine.check(path, Path(path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("library", [{}, LIGHTNING, STUB], ids=["missing", "installed", "stub"])
def test_steps_of_lightning_are_entries(write_files: WriteFiles, library: dict[str, str]) -> None:
    text = STEPS.format(library="lightning", base="L.LightningModule")
    folder = write_files({"model.py": text, **library})
    result = checked(folder, str(folder / "site-packages") if library is LIGHTNING else "")
    assert [(found.span.start.row, found.code) for found in result.findings] == [(7, "BRK201"), (10, "BRK201")]
    assert {"Lit.encode", "Lit.training_step"} <= {entry.name for entry in result.entries}


@pytest.mark.parametrize("library", [{}, LIGHTNING], ids=["missing", "installed"])
def test_steps_of_what_derives_from_a_class_of_lightning(write_files: WriteFiles, library: dict[str, str]) -> None:
    text = STEPS.format(library="lightning.pytorch.demos", base="L.BoringModel")
    folder = write_files({"model.py": text, **library})
    result = checked(folder, str(folder / "site-packages") if library else "")
    assert (10, "BRK201") in [(found.span.start.row, found.code) for found in result.findings]


def test_a_forward_that_is_inherited_from_a_library_is_an_entry_of_the_file(write_files: WriteFiles) -> None:
    text = "import lightning as L\nimport torch\n\n\nclass Lit(L.LightningModule):\n    def configure(self): ...\n"
    folder = write_files({"model.py": text, **LIGHTNING})
    entries = checked(folder, str(folder / "site-packages")).entries
    assert [(entry.filename, entry.row, entry.name) for entry in entries] == [
        (str(folder / "model.py"), 5, "Lit.forward")
    ]


@pytest.mark.parametrize("name", [name for name in FORMATS if name in ("full", "verbose", "concise", "github")])
def test_a_run_without_an_entry_says_so(write_files: WriteFiles, name: str) -> None:
    folder = write_files({"model.py": "import torch\n\n\ndef double(x):\n    return x * 2\n"})
    assert "0 entry points" in render(name, run([str(folder)], Settings()))


def test_a_file_that_compiles_with_fullgraph_tells_of_the_file_of_the_model(write_files: WriteFiles) -> None:
    net = f"{HEAD}        print(x)\n        return x * x.max().item()\n"
    train = "import torch\nfrom net import Net\n\nmodel = torch.compile(Net(), fullgraph=True)\n"
    gate = "import torch\n\n\n@torch.compile\ndef gate(x):\n"
    gate += "    return torch.cond(x.sum() > 0, lambda t: t * t.item(), torch.neg, (x,))\n"
    folder = write_files({"gate.py": gate, "net.py": net, "train.py": train})
    result = run([str(folder)], Settings())
    assert [(found.code, found.message, found.cost.raises) for found in result.findings] == [
        ("BRK201", "`t.item()` takes a number out of the graph: an error within `cond`", True),
        ("BRK101", "`print` breaks the graph: an error with fullgraph=True", True),
    ]
