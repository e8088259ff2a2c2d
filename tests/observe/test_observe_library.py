"""`breaklint observe --library` on a small package that stands for transformers: one run, read by many tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import cli_server
import pytest
from harness import PROJECT

CONFIGURATION = """\
class TinyConfig:
    model_type = "tiny"

    def __init__(self, **told):
        usual = dict(
            num_hidden_layers=24, hidden_size=4096, intermediate_size=16384, num_attention_heads=32, vocab_size=50000,
            layer_types=["full"] * 23 + ["linear"], eos_token_id=49999, use_cache=True,
        )
        vars(self).update({**usual, **told})
        if len(self.layer_types) != self.num_hidden_layers:
            raise ValueError("as many kinds as layers")

    def to_dict(self):
        return dict(vars(self))
"""
MODELING = """\
import os
import time

import torch
from torch import nn

from .configuration_tiny import TinyConfig

__all__ = ["TinyModel", "TinyPrints", "TinyLayer", "TinyOdd", "TinyHangs", "TinyEnds", "TinyLarge"]


class TinyPreTrainedModel(nn.Module):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.drop = nn.Dropout(0.5)

    def forward(self, input_ids=None, attention_mask=None):
        assert self.config.layer_types == ["full", "linear"], self.config.layer_types
        assert self.config.eos_token_id < self.config.vocab_size
        return self.drop(self.words(input_ids))


class TinyModel(TinyPreTrainedModel):
    pass


class TinyPrints(TinyPreTrainedModel):
    def forward(self, input_ids=None):
        if self.training:
            print("seen")
        return self.words(input_ids)


class TinyLayer(nn.Module):
    pass


class TinyOdd(TinyPreTrainedModel):
    def forward(self, hyperedges):
        return hyperedges


class TinyHangs(TinyPreTrainedModel):
    def forward(self, input_ids=None):
        if torch.compiler.is_dynamo_compiling():
            time.sleep(1000)
        return self.words(input_ids)


class TinyEnds(TinyPreTrainedModel):
    def __init__(self, config):
        os._exit(3)


class TinyLarge(TinyPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.more = nn.Linear(100_000, 100_000, bias=False)


class NotPublic(TinyPreTrainedModel):
    pass
"""


class Run(NamedTuple):
    """The folder, what was printed, and the results."""

    folder: Path
    out: str
    err: str
    results: dict[tuple[str, str], dict[str, Any]]


def breaklint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    if arguments[0] == "check":
        return cli_server.breaklint(folder, *arguments)
    paths = os.pathsep.join([str(PROJECT), str(folder)])
    command = [sys.executable, "-m", "breaklint", *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("library")
    files = {
        "transformers/__init__.py": 'print("a library that prints")\n',
        "transformers/models/__init__.py": "",
        "transformers/models/lacks/__init__.py": "",
        "transformers/models/lacks/modeling_lacks.py": "import no_such_library\n\n\nclass TinyLacks:\n    pass\n",
        "transformers/models/tiny/__init__.py": "",
        "transformers/models/tiny/configuration_tiny.py": CONFIGURATION,
        "transformers/models/tiny/modeling_tiny.py": MODELING,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    options = ["--isolated", "--library", "transformers", "--models", "tiny*", "--budget", "1.5"]
    done = breaklint(folder, "observe", *options)
    assert done.returncode == 0, done.stderr
    lines = (folder / ".breaklint/library-transformers.jsonl").read_text().splitlines()
    results = {(told["model"], told["mode"]): told for told in map(json.loads, lines)}
    return Run(folder, done.stdout, done.stderr, results)


@pytest.mark.parametrize(
    ("model", "states"),
    [
        ("TinyModel", {"eval": "whole", "train": "whole"}),
        ("TinyPrints", {"eval": "whole", "train": "broken"}),
        ("TinyLayer", {"": "no model"}),
        ("TinyOdd", {"": "not built"}),
        ("TinyLarge", {"": "not built"}),
        ("TinyLacks", {"": "not built"}),
        ("TinyHangs", {"eval": "ended", "train": "ended"}),
        ("TinyEnds", {"eval": "ended", "train": "ended"}),
    ],
)
def test_each_mode_of_a_model_has_a_state(run: Run, model: str, states: dict[str, str]) -> None:
    assert {mode: told["state"] for (name, mode), told in run.results.items() if name == model} == states


def test_only_public_models_are_observed(run: Run) -> None:
    assert "NotPublic" not in run.err
    assert "8/8 " in run.err


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("TinyOdd", "forward needs hyperedges, of which breaklint knows no example"),
        ("TinyLarge", "it has 10000 million parameters in the smallest configuration that was tried"),
        ("TinyLacks", "ModuleNotFoundError: No module named 'no_such_library'"),
    ],
)
def test_what_is_not_built_says_why(run: Run, model: str, why: str) -> None:
    assert run.results[model, ""]["why"] == why
    assert f"{model}: not built: {why}" in run.out


@pytest.mark.parametrize(
    ("model", "why"), [("TinyHangs", "it did not end within 6 s"), ("TinyEnds", "its process ended")]
)
def test_what_has_ended_says_why(run: Run, model: str, why: str) -> None:
    assert all(run.results[model, mode]["why"].startswith(why) for mode in ("eval", "train"))


def test_a_break_names_its_row(run: Run) -> None:
    row = MODELING[: MODELING.index('print("seen")')].count("\n") + 1
    told = run.results["TinyPrints", "train"]["breaks"]
    assert [each[:2] for each in told] == [["transformers/models/tiny/modeling_tiny.py", row]]


def test_compiled_models_compute_the_same(run: Run) -> None:
    assert run.results["TinyModel", "train"]["wrong"] is False
    assert "compiled, 0 compute something else" in run.out


def test_check_joins_it(run: Run) -> None:
    done = breaklint(run.folder, "check", "--isolated", "--output-format", "json", "transformers")
    told = [each["observed"] for each in json.loads(done.stdout) if each["code"] == "BRK101"]
    assert [(each["state"], each["by"]) for each in told] == [("confirmed", ["transformers:TinyPrints (train)"])]


def test_what_has_results_is_not_observed_again(run: Run) -> None:
    done = breaklint(run.folder, "observe", "--isolated", "--library", "transformers", "--models", "tinymodel")
    assert done.stderr.endswith(", 1 known\n")
    assert done.stdout.startswith("eval: 1 of 1 models in one graph (100.0 %): 1 whole\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a command, profiles to --merge, or a --library"),
        (("--library", "timm"), "timm: not installed for"),
        (("--library", "transformers", "--models", "tinny*"), "transformers: no model is called tinny*"),
    ],
)
def test_what_cannot_be_observed_is_a_usage_error(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = breaklint(run.folder, "observe", "--isolated", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_random_numbers_are_the_same_in_every_run() -> None:
    """NumPy's too: models take masks from there."""
    pytest.importorskip("torch")
    code = (
        "import random, numpy, torch\n"
        "from breaklint.observe.process.library.build import seed\n"
        "for _ in range(2):\n"
        "    seed()\n"
        "    print(random.random(), numpy.random.random(), torch.rand(()).item())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first == second
