"""Settings: where they are read from, what wins, and how mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import WriteFiles

from breaklint.errors import ConfigError
from breaklint.lint.config import load_settings
from breaklint.lint.config_files import find_config
from breaklint.model import Settings


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
log-fix = "delete"
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
        log_fix="delete",
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
        pytest.param({"select": ("BRK2",)}, (("BRK2",), (), ()), id="select asks anew"),
        pytest.param({"ignore": ("BRK4",)}, (("BRK1",), ("BRK2", "BRK4"), ("BRK3",)), id="ignore adds"),
        pytest.param({"extend_select": ("BRK4",)}, (("BRK1",), ("BRK2",), ("BRK3", "BRK4")), id="extend-select adds"),
    ],
)
def test_the_command_line_goes_over_the_configuration(
    write_files: WriteFiles, overrides: dict[str, tuple[str, ...]], expected: tuple[tuple[str, ...], ...]
) -> None:
    settings = load_settings(write_files(CONFIGURED), overrides=overrides)
    assert (settings.select, settings.ignore, settings.extend_select) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('selct = ["BRK1"]', "unknown key `selct`; did you mean `select`?", id="misspelt key"),
        pytest.param('target_torch = "2.13"', "did you mean `target-torch`?", id="underscore for hyphen"),
        pytest.param(
            "zzz = 1", "known are capture-options, conditional, entry-points, exclude, ", id="nothing like it"
        ),
        pytest.param('select = "BRK1"', "`select` must be a list of strings, not 'BRK1'", id="string for a list"),
        pytest.param("ignore = [1]", "`ignore` must be a list of strings, not [1]", id="list of numbers"),
        pytest.param("target-torch = 2.13", "`target-torch` must be a torch version", id="number for a version"),
        pytest.param('log-fix = "keep"', "`log-fix` must be one of guard, delete, in-graph, not", id="unknown choice"),
        pytest.param('[per-file-ignores]\n"a" = "b"', "`per-file-ignores` of 'a' must be", id="value in a table"),
        pytest.param("select = [", "is not TOML:", id="not TOML"),
    ],
)
def test_a_wrong_configuration_is_told_in_one_line_with_its_place(
    write_files: WriteFiles, text: str, message: str
) -> None:
    folder = write_files({"breaklint.toml": text})
    with pytest.raises(ConfigError) as raised:
        load_settings(folder)
    assert message in str(raised.value)
    assert str(raised.value).startswith(str(folder / "breaklint.toml"))
    assert "\n" not in str(raised.value)


def test_a_configuration_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        load_settings(tmp_path, config=tmp_path / "gone.toml")


@pytest.mark.parametrize("given", ["2.11.0", "2.11.0+cu126", "2.11.0+cpu.cxx11.abi"])
def test_a_target_torch_may_be_what_torch_calls_itself(tmp_path: Path, given: str) -> None:
    assert load_settings(tmp_path, isolated=True, overrides={"target_torch": given}).target_torch == "2.11.0"


def test_a_target_torch_that_is_no_version_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--target-torch must be a torch version"):
        load_settings(tmp_path, isolated=True, overrides={"target_torch": "newest"})
