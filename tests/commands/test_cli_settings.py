"""Which rules, fixes and files the settings leave, from the configuration and from the command line."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

from breaklint.lint.config_values import KEYS

NET = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def forward(self, x):
        print("here")
        return torch.relu(Variable(x))
"""
PRINT, VARIABLE = "BRK101", "BRK601"


@pytest.fixture
def told(write_files: WriteFiles, breaklint: RunBreaklint) -> Any:
    """What is told of each rule in a file that two rules see, by what the configuration and the options say."""

    def check(configuration: str, *options: str) -> dict[str, dict[str, Any]]:
        write_files({"pkg/net.py": NET, "breaklint.toml": configuration})
        done = breaklint("check", "--no-cache", "--output-format", "json", *options, "pkg")
        assert done.returncode in (0, 1), done.stderr
        return {finding["code"]: finding for finding in json.loads(done.stdout)}

    return check


def fix_of(finding: dict[str, Any]) -> str:
    return finding["fix"]["applicability"] if finding["fix"] else "none"


@pytest.mark.parametrize(
    ("configuration", "options", "fixes"),
    [
        pytest.param("", [], ("safe", "safe"), id="as the rules have it"),
        pytest.param(f'fixable = ["{PRINT}"]', [], ("safe", "none"), id="fixable"),
        pytest.param('unfixable = ["BRK1"]', [], ("none", "safe"), id="unfixable"),
        pytest.param(f'fixable = ["ALL"]\nunfixable = ["{PRINT}"]', [], ("none", "safe"), id="the longer name counts"),
        pytest.param('fixable = ["BRK6"]\nunfixable = ["BRK6"]', [], ("none", "none"), id="off wins over on"),
        pytest.param('extend-safe-fixes = ["print-call"]', [], ("safe", "safe"), id="trusted"),
        pytest.param('extend-unsafe-fixes = ["ALL"]', [], ("unsafe", "unsafe"), id="distrusted"),
        pytest.param(
            'extend-safe-fixes = ["ALL"]\nextend-unsafe-fixes = ["BRK6"]', [], ("safe", "unsafe"), id="the longer one"
        ),
        pytest.param('unfixable = ["BRK1"]', ["--fixable", "BRK1"], ("safe", "none"), id="--fixable replaces"),
        pytest.param('unfixable = ["BRK1"]', ["--unfixable", VARIABLE], ("none", "none"), id="--unfixable adds"),
    ],
)
def test_settings_say_which_fixes_are_offered(
    told: Any, configuration: str, options: list[str], fixes: tuple[str, str]
) -> None:
    findings = told(configuration, *options)
    assert (fix_of(findings[PRINT]), fix_of(findings[VARIABLE])) == fixes


def test_settings_take_part_in_what_the_cache_remembers(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({"net.py": NET, "breaklint.toml": ""})
    first = breaklint("check", ".")
    (folder / "breaklint.toml").write_text('unfixable = ["ALL"]')
    assert "a safe fix (--fix)" in first.stdout
    assert "a safe fix (--fix)" not in breaklint("check", ".").stdout


def test_severity_of_a_rule_is_told_and_the_exit_code_stays(told: Any, breaklint: RunBreaklint) -> None:
    findings = told('[severity]\nALL = "warning"\nBRK6 = "error"\n')
    assert (findings[PRINT]["severity"], findings[VARIABLE]["severity"]) == ("warning", "error")
    assert breaklint("check", "pkg").returncode == 1


@pytest.mark.parametrize(
    ("configuration", "codes"),
    [
        pytest.param('ignore = ["ALL"]', set(), id="none"),
        pytest.param('ignore = ["ALL"]\nselect = ["BRK1"]', {PRINT}, id="none but those"),
        pytest.param('select = ["ALL"]\nignore = ["BRK1"]', {VARIABLE}, id="all but those"),
        pytest.param('select = ["BRK1"]\nignore = ["BRK1"]', set(), id="off wins over on"),
    ],
)
def test_the_longer_selector_counts(told: Any, configuration: str, codes: set[str]) -> None:
    assert set(told(configuration)) == codes


@pytest.mark.parametrize(
    ("configuration", "options", "codes"),
    [
        pytest.param('[per-file-ignores]\n"pkg/" = ["ALL"]', [], set(), id="all rules of a folder"),
        pytest.param('[per-file-ignores]\n"net.py" = ["print-call"]', [], {VARIABLE}, id="by name"),
        pytest.param("", ["--per-file-ignores", f"pkg/*:{PRINT},{VARIABLE}"], set(), id="on the command line"),
        pytest.param("", ["--per-file-ignores", f"other.py:BRK6,net.py:{PRINT}"], {VARIABLE}, id="two patterns"),
        pytest.param(
            '[per-file-ignores]\n"net.py" = ["BRK1"]', ["--per-file-ignores", "net.py:BRK6"], set(), id="both add"
        ),
    ],
)
def test_rules_can_be_off_in_some_files(told: Any, configuration: str, options: list[str], codes: set[str]) -> None:
    assert set(told(configuration, *options)) == codes


@pytest.mark.parametrize(
    ("configuration", "options", "line"),
    [
        pytest.param('[severity]\nBRK1 = "loud"', [], "must be error or warning, not 'loud'", id="severity"),
        pytest.param('[severity]\nBRK1 = "off"', [], "; `ignore` turns a rule off", id="severity off"),
        pytest.param('severity = "error"', [], "must be a table of severities", id="severity is no table"),
        pytest.param('[severity]\nBRK9999 = "error"', [], "no rule is called 'BRK9999'", id="severity of no rule"),
        pytest.param('unfixable = ["nothing"]', [], "no rule is called 'nothing'", id="unfixable names no rule"),
        pytest.param('[per-file-ignores]\n"a.py" = ["E501"]', [], "no rule is called 'E501'", id="another tool's"),
    ],
)
def test_what_no_setting_can_mean_is_an_error(
    write_files: WriteFiles, breaklint: RunBreaklint, configuration: str, options: list[str], line: str
) -> None:
    write_files({"net.py": NET, "breaklint.toml": configuration})
    done = breaklint("check", *options, ".")
    assert done.returncode == 2
    assert line in " ".join(done.stderr.replace("│", " ").split())


NESTED = {
    "breaklint.toml": 'ignore = ["BRK1"]\n',
    "net.py": NET,
    "sub/pyproject.toml": '[tool.breaklint]\nignore = ["BRK6"]\nexclude = ["generated/"]\n',
    "sub/deep/net.py": NET,
    "sub/generated/net.py": NET,
    "other/pyproject.toml": "[tool.ruff]\n",
    "other/net.py": NET,
}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            ["."], {"net.py:8 BRK601", "other/net.py:8 BRK601", "sub/deep/net.py:7 BRK101"}, id="nearest of each file"
        ),
        pytest.param(["sub/generated/net.py"], {"sub/generated/net.py:7 BRK101"}, id="named though excluded"),
        pytest.param(["--force-exclude", "net.py", "sub/generated/net.py"], {"net.py:8 BRK601"}, id="--force-exclude"),
        pytest.param(["--config", "breaklint.toml", "sub/deep"], {"sub/deep/net.py:8 BRK601"}, id="--config for all"),
        pytest.param(
            ["--isolated", "sub/deep"], {"sub/deep/net.py:7 BRK101", "sub/deep/net.py:8 BRK601"}, id="--isolated"
        ),
        pytest.param(["--ignore", "BRK6", "net.py", "sub/deep"], {"sub/deep/net.py:7 BRK101"}, id="options over all"),
    ],
)
def test_every_file_goes_by_the_nearest_configuration(
    write_files: WriteFiles, breaklint: RunBreaklint, arguments: list[str], expected: set[str]
) -> None:
    write_files(NESTED)
    for _ in range(2):  # the second run knows the results of the first
        done = breaklint("check", "--output-format", "concise", *arguments)
        result = re.findall(r"^(\S+:\d+):\d+: (BRK\d+)", done.stdout, re.MULTILINE)
        assert {" ".join(item) for item in result} == expected, done.stderr


def test_fixes_of_files_of_several_configurations_are_written(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files(NESTED | {"sub/pyproject.toml": '[tool.breaklint]\nunfixable = ["BRK6", "BRK1"]\n'})
    breaklint("check", "--fix", ".")
    assert "Variable(x)" not in (folder / "net.py").read_text()
    assert (folder / "sub/deep/net.py").read_text() == NET


def test_files_can_be_excluded_on_the_command_line_as_well(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"breaklint.toml": 'exclude = ["a.py"]', **dict.fromkeys(("a.py", "b.py", "old/c.py", "d_v1.py"), "")})
    assert breaklint("check", "--show-files", "--exclude", "old/,*_v1.py").stdout == "b.py\n"


def test_show_files_lists_what_would_be_checked(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files(NESTED)
    done = breaklint("check", "--show-files", ".")
    assert (done.returncode, done.stdout) == (0, "net.py\nother/net.py\nsub/deep/net.py\n")


def test_show_settings_prints_every_configuration_that_holds(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files(NESTED)
    done = breaklint("check", "--show-settings", "--select", "BRK2", ".")
    headings = [line for line in done.stdout.splitlines() if line.endswith(".toml")]
    assert headings == [f"# {folder / name}" for name in ("breaklint.toml", "sub/pyproject.toml")]
    assert done.stdout.count('\nselect = ["BRK2"]\n') == 2


def test_settings_that_are_shown_can_be_read_again(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = 'unfixable = ["BRK1"]\n[per-file-ignores]\n"a/*.py" = ["ALL"]\n[severity]\nBRK2 = "warning"\n'
    folder = write_files({"breaklint.toml": text})
    shown = breaklint("config").stdout
    (folder / "breaklint.toml").write_text(shown)
    assert breaklint("config").stdout == shown


def test_settings_without_a_value_are_shown_as_what_they_mean(breaklint: RunBreaklint) -> None:
    shown = breaklint("config", "--isolated").stdout.splitlines()
    assert shown[1:3] == ['select = ["ALL"]', 'fixable = ["ALL"]']
    assert shown[-1].startswith("# none: ignore, ")


def test_the_page_of_settings_tells_every_key_with_its_default(breaklint: RunBreaklint) -> None:
    page = (PROJECT / "docs/configuration.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", page, re.MULTILINE))
    assert set(rows) == set(KEYS)
    shown = dict(re.findall(r"^(\S+) = (.+)$", breaklint("config", "--isolated").stdout, re.M))
    output = {key: default.strip("`") for key, default in rows.items() if default.startswith("`")}
    assert output == {key: shown[key] for key in output}


def test_the_example_of_the_page_of_settings_is_read(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    page = (PROJECT / "docs/configuration.md").read_text("utf-8")
    example = page.partition("```toml\n")[2].partition("```")[0]
    write_files({"breaklint.toml": example, "net.py": NET})
    assert breaklint("check", "--no-cache", ".").returncode == 1


@pytest.mark.parametrize("table", ["tool.breakint", "tool.pylint.main", "project"])
def test_the_table_of_another_tool_is_not_read(write_files: WriteFiles, breaklint: RunBreaklint, table: str) -> None:
    write_files({"net.py": NET, "pyproject.toml": f"# like [tool.breaklint]\n[{table}]\nselect = []\n"})
    assert breaklint("check", ".").stderr == ""


@pytest.mark.parametrize("table", ["tool.breaklint", 'tool."breaklint"', " tool . breaklint "])
def test_a_table_is_read_however_toml_lets_its_name_be_written(told: Any, write_files: WriteFiles, table: str) -> None:
    write_files({"pkg/pyproject.toml": f'[tool.breakint]\n[{table}]\nselect = ["BRK6"]\n'})
    assert set(told("")) == {VARIABLE}
