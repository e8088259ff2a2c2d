"""Settings: where they are read from, what wins, and how mistakes are told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

from breaklint.errors import ConfigError
from breaklint.lint.config import load_settings
from breaklint.lint.config_files import find_config
from breaklint.lint.config_values import KEYS
from breaklint.model import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_without_configuration_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path, isolated=True) == Settings()


def test_every_key_is_read(write_files: WriteFiles) -> None:
    folder = write_files(
        {
            "breaklint.toml": """
select = ["BRK2"]
ignore = ["BRK201"]
extend-select = ["BRK5"]
exclude = ["generated/"]
target-torch = "2.11"
rules = ["my_rules"]
[per-file-ignores]
"tests/*" = ["BRK1"]
"""
        }
    )
    assert load_settings(folder) == Settings(
        select=("BRK2",),
        ignore=("BRK201",),
        extend_select=("BRK5",),
        per_file_ignores=(("tests/*", ("BRK1",)),),
        exclude=("generated/",),
        target_torch="2.11",
        rules=(str(folder / "my_rules"),),
        root=str(folder),
    )


def test_the_nearest_configuration_wins_and_others_pyprojects_are_passed_by(write_files: WriteFiles) -> None:
    folder = write_files(
        {
            "breaklint.toml": "",
            "near/pyproject.toml": "[tool.breaklint]\n",
            "near/other/pyproject.toml": "[tool.ruff]\n",
            "near/other/model.py": "",
            "far/model.py": "",
        }
    )
    assert find_config(folder / "near/other/model.py") == folder / "near/pyproject.toml"
    assert find_config(folder / "far/model.py") == folder / "breaklint.toml"


CONFIGURED = {"breaklint.toml": 'select = ["BRK1"]\nignore = ["BRK2"]\nextend-select = ["BRK3"]\n'}


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        pytest.param({}, (("BRK1",), ("BRK2",), ("BRK3",)), id="nothing given"),
        pytest.param({"select": ("BRK2",)}, (("BRK2",), (), ()), id="select replaces"),
        pytest.param({"ignore": ("BRK4",)}, (("BRK1",), ("BRK2", "BRK4"), ("BRK3",)), id="ignore adds"),
        pytest.param({"extend_select": ("BRK4",)}, (("BRK1",), ("BRK2",), ("BRK3", "BRK4")), id="extend-select adds"),
    ],
)
def test_the_command_line_goes_over_the_configuration(
    write_files: WriteFiles, overrides: dict[str, tuple[str, ...]], expected: tuple[tuple[str, ...], ...]
) -> None:
    settings = load_settings(write_files(CONFIGURED), overrides=overrides)
    assert (settings.select, settings.ignore, settings.extend_select) == expected


WRONG = [
    pytest.param('selct = ["BRK1"]', "unknown key `selct`; did you mean `select`?", id="misspelt key"),
    pytest.param('target_torch = "2.13"', "did you mean `target-torch`?", id="underscore for hyphen"),
    pytest.param("zzz = 1", "valid are baseline, conditional, entry-points, ", id="nothing like it"),
    pytest.param('select = "BRK1"', "`select` must be a list of strings, not 'BRK1'", id="string for a list"),
    pytest.param("ignore = [1]", "`ignore` must be a list of strings, not [1]", id="list of numbers"),
    pytest.param("target-torch = 2.13", "`target-torch` must be a torch version", id="number for a version"),
    pytest.param('[per-file-ignores]\n"a" = "b"', "`per-file-ignores` of 'a' must be", id="value in a table"),
    pytest.param("select = [", "is not TOML:", id="not TOML"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_configuration_is_told_in_one_line_with_its_place(
    write_files: WriteFiles, text: str, message: str
) -> None:
    folder = write_files({"breaklint.toml": text})
    with pytest.raises(ConfigError) as raised:
        load_settings(folder)
    assert message in str(raised.value)
    assert str(raised.value).startswith(str(folder / "breaklint.toml"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("given", ["2.11.0", "2.11.0+cu126", "2.11.0+cpu.cxx11.abi"])
def test_a_target_torch_may_be_what_torch_calls_itself(tmp_path: Path, given: str) -> None:
    assert load_settings(tmp_path, isolated=True, overrides={"target_torch": given}).target_torch == "2.11.0"


ACCEPTED = """\
select = ["BRK1"]
show-callers = true
target-torch = "2.13,2.15"
python = ".venv"

[per-file-ignores]
"tests/*" = ["BRK2"]

[severity]
BRK101 = "warning"

[[verify]]
target = "net.py::Net"
"""


def validate(text: str) -> None:
    """ValidationError where the published schema refuses a configuration."""
    jsonschema.validate(tomllib.loads(text), json.loads((PROJECT / "docs/settings.schema.json").read_text("utf-8")))


def test_the_schema_accepts_what_is_read(write_files: WriteFiles) -> None:
    load_settings(write_files({"breaklint.toml": ACCEPTED}))
    validate(ACCEPTED)


@pytest.mark.parametrize("text", [item.values[0] for item in WRONG if item.id != "not TOML"])
def test_the_schema_refuses_what_is_not_read(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validate(text)


def test_the_command_prints_the_schema(breaklint: RunBreaklint) -> None:
    printed = json.loads(breaklint("config", "--schema").stdout)
    assert printed == json.loads((PROJECT / "docs/settings.schema.json").read_text("utf-8"))
    assert printed["properties"].keys() == KEYS.keys()


def test_a_configuration_extends_another_one_key_by_key(write_files: WriteFiles) -> None:
    files = {
        "base.toml": 'select = ["BRK1"]\nignore = ["BRK2"]\nrules = ["cards"]\n',
        "sub/pyproject.toml": '[tool.breaklint]\nextend = "../middle.toml"\nignore = []\n',
        "middle.toml": 'extend = "base.toml"\nselect = ["BRK3"]\n',
    }
    folder = write_files(files)
    settings = load_settings(folder / "sub")
    assert (settings.select, settings.ignore) == (("BRK3",), ())
    assert settings.rules == (str(folder / "cards"),)
    assert settings.root == str(folder / "sub")


@pytest.mark.parametrize(
    ("base", "message"),
    [
        pytest.param('extend = "breaklint.toml"', "base.toml: `extend`: breaklint.toml extends this file", id="circle"),
        pytest.param('extend = "gone.toml"', "base.toml: `extend`: gone.toml: no such file", id="gone"),
        pytest.param("selct = []", "base.toml: unknown key `selct`", id="wrong key"),
    ],
)
def test_what_cannot_be_extended_is_an_error(write_files: WriteFiles, base: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_settings(write_files({"breaklint.toml": 'extend = "base.toml"', "base.toml": base}))
    assert message in str(raised.value)


def test_keys_on_the_command_line_take_the_place_of_those_of_every_configuration(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    code = "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    print(x)\n    return x.item()\n"
    write_files({"breaklint.toml": 'ignore = ["BRK2"]', "sub/breaklint.toml": 'ignore = ["BRK1"]', "sub/a.py": code})
    shown = breaklint("check", "--config", "ignore = []", "--output-format", "concise").stdout
    assert "BRK101" in shown
    assert "BRK201" in shown
    wrong = breaklint("check", "--config", "ignor = []")
    assert (wrong.returncode, "--config: unknown key `ignor`" in wrong.stderr) == (2, True)
    two = breaklint("check", "--config", "a.toml", "--config", "b.toml")
    assert (two.returncode, "only one configuration file" in two.stderr) == (2, True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("ignore=BRK1", 'ignore = ["BRK1"]'),
        ("ignore=print-call, BRK2", 'ignore = ["print-call", "BRK2"]'),
        ('ignore = ["BRK1"]', 'ignore = ["BRK1"]'),
        ("target-torch=2.13", 'target-torch = "2.13"'),
        ('target-torch="2.13"', 'target-torch = "2.13"'),
        ("conditional=false", "conditional = false"),
    ],
)
def test_a_key_on_the_command_line_takes_a_text_without_quotes(given: str, words: str, breaklint: RunBreaklint) -> None:
    assert words in breaklint("config", "--isolated", "--config", given).stdout.splitlines()


@pytest.mark.parametrize("given", ["ignore=[BRK1]", "ignore=", "conditional=maybe"])
def test_a_key_with_a_value_that_is_none_is_refused_in_a_line(given: str, breaklint: RunBreaklint) -> None:
    done = breaklint("config", "--isolated", "--config", given)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--config" in done.stderr
