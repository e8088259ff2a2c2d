"""What is named as a target and is none: told with what to name instead."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from breaklint.verify.arm.importing import Location
from breaklint.verify.arm.loading import LoadError, choice, load

INPUTS = "def get_inputs():\n    return [torch.ones(2)]\n"
FILE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x


def make():
    return Net(), (torch.ones(2),)


def double(x):
    return x * 2


def five():
    return 5


def lone():
    return Net(), torch.ones(2, 2)


class Wide(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
"""
LONE, WIDTH = "def get_inputs():\n    return torch.ones(2)\n", "def get_init_inputs():\n    return 8\n"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        pytest.param("::Net", FILE, "no get_inputs(); add one that returns the list of forward's", id="no inputs"),
        pytest.param("::Nett", FILE, "no 'Nett' in it; its modules are Net", id="misspelled"),
        pytest.param("::make", FILE, "make is no module class; a function that returns", id="function as a class"),
        pytest.param("::five", FILE + INPUTS, "five is no module class; a function that returns", id="with inputs"),
        pytest.param(":Net", FILE, "Net is a class: name it net.py::Net, with two colons", id="class as a function"),
        pytest.param(":double", FILE, "double is called without arguments (missing a required", id="with arguments"),
        pytest.param(
            "::Net", FILE + LONE, "get_inputs() must return a list of arguments, not a Tensor", id="lone tensor"
        ),
        pytest.param(
            "::Wide",
            FILE + INPUTS,
            "Wide: missing a required argument: 'width'; its arguments come from get_init_inputs()",
            id="no width",
        ),
        pytest.param(
            "::Wide",
            FILE + INPUTS + WIDTH,
            "get_init_inputs() must return a list of arguments, not an int",
            id="lone width",
        ),
        pytest.param(":lone", FILE, "where args is a list or a tuple, not a Tensor", id="factory of a lone tensor"),
        pytest.param(":five", FILE, "five() must be a function that returns (model, args)", id="other result"),
    ],
)
def test_a_target_that_is_none_says_what_to_name(tmp_path: Path, name: str, text: str, told: str) -> None:
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    factory = not name.startswith("::")
    with pytest.raises(LoadError) as raised:
        load(Location(str(path), "", str(tmp_path), name.lstrip(":"), factory))
    assert told in str(raised.value)


def test_arguments_that_the_configuration_gives_a_constructor_have_to_fit(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(FILE, encoding="utf-8")
    recipe = {"init": {"wdth": 8}, "inputs": ["f32[2]"]}
    with pytest.raises(LoadError, match="Wide: missing a required argument: 'width'; its arguments come from"):
        load(Location(str(path), "", str(tmp_path), "Wide", False, recipe=recipe))


def test_parts_of_the_model_are_no_other_choices(tmp_path: Path) -> None:
    source = "from torch import nn, ones\n\nclass Part(nn.ReLU):\n    pass\n\nclass Whole(nn.Sequential):\n"
    source += "    def __init__(self):\n        super().__init__(Part())\n\ndef get_inputs():\n    return [ones(2)]\n"
    (tmp_path / "net.py").write_text(source, encoding="utf-8")
    location = Location(str(tmp_path / "net.py"), "", str(tmp_path), "", False)
    assert choice(location, load(location)[0]) == ""
