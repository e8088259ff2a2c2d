"""The command line as users and CI meet it: exit codes, formats, settings, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

CLEAN = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n"
BREAKS = CLEAN.replace("torch.relu(x)", "x * x.mean().item()")
BROKEN = "import torch\n\ndef forward(:\n"


def codes(stdout: str) -> list[str]:
    return [finding["code"] for finding in json.loads(stdout)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(CLEAN, 0, id="clean"),
        pytest.param(BREAKS, 1, id="a finding"),
        pytest.param(BROKEN, 2, id="syntax error"),
        pytest.param("def f(:\n", 2, id="syntax error in a file without torch"),
        pytest.param("", 0, id="empty"),
    ],
)
def test_exit_code_of_check(write_files: WriteFiles, breaklint: RunBreaklint, text: str, code: int) -> None:
    write_files({"model.py": text})
    done = breaklint("check", "model.py")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_that_finds_no_files_says_why(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"notes.txt": "torch"})
    done = breaklint("check", ".")
    assert done.returncode == 0
    assert done.stdout.startswith("No findings in 0 files: nothing here is a Python file or a notebook")


def test_help_pages_are_drawn_and_a_wrong_option_is_one_line(breaklint: RunBreaklint) -> None:
    assert "─" in breaklint("check", "--help").stdout
    assert breaklint("check", "--fixx").stderr == (
        "breaklint: error: No such option '--fixx'. (Did you mean one of: '--fix', '--fixable'?)"
        " See `breaklint check --help`\n"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chek"], "No such command 'chek'; did you mean `check`? See `breaklint --help`"),
        (["new-rule"], "Missing argument 'NAME'. See `breaklint new-rule --help`"),
        (["check", "--select", "BRK9999"], "no rule is called 'BRK9999'; `breaklint rule` lists them"),
        (["why", "model.py:99"], "model.py: has no line 99; its last one is 6"),
        (["why", "model.py:0"], "model.py: has no line 0; its last one is 6"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line_with_what_helps(
    write_files: WriteFiles, breaklint: RunBreaklint, arguments: list[str], says: str
) -> None:
    write_files({"model.py": BREAKS})
    done = breaklint(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("breaklint: error: ")
    assert done.stderr.endswith(f"{says}\n")


def test_exit_zero_says_zero_although_findings_remain(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"model.py": BREAKS})
    assert breaklint("check", "--exit-zero").returncode == 0


def test_piped_output_has_no_colour(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"model.py": BREAKS})
    done = breaklint("check", FORCE_COLOR="1", TERM="xterm-256color")
    assert "BRK201" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_a_format_for_a_file_leaves_the_full_one_on_the_screen(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"model.py": BREAKS})
    done = breaklint("check", "--output-format", "github:annotations.txt")
    assert "  = " in done.stdout
    assert (tmp_path / "annotations.txt").read_text().startswith("::error ")


def test_statistics_take_the_place_of_the_findings(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"a.py": BREAKS, "b.py": BREAKS})
    done = breaklint("check", "--statistics")
    assert done.stdout.split()[:3] == ["2", "BRK201", "tensor-item"]
    assert "a.py" not in done.stdout


def test_standard_input_is_checked_under_the_name_it_is_given(breaklint: RunBreaklint) -> None:
    done = breaklint("check", "-", "--stdin-filename", "pkg/model.py", "--output-format", "concise", stdin=BREAKS)
    assert done.returncode == 1
    assert done.stdout.startswith("pkg/model.py:6:20: BRK201 ")


def test_standard_input_that_does_not_parse_ends_in_2(breaklint: RunBreaklint) -> None:
    done = breaklint("check", "-", stdin=BROKEN)
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: <stdin>:3:")


def test_many_files_in_several_processes_give_what_one_process_gives(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({f"pkg/model_{number:02}.py": BREAKS for number in range(40)} | {"pkg/bad.py": BROKEN})
    alone, pooled = (breaklint("check", "-j", jobs, "--output-format", "json") for jobs in ("1", "3"))
    assert len(codes(alone.stdout)) == 40
    assert (pooled.stdout, pooled.stderr, pooled.returncode) == (alone.stdout, alone.stderr, 2)


def test_a_helper_reached_from_two_models_is_reported_once(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    model = CLEAN.replace("torch.relu(x)", "scaled(x)")
    write_files(
        {
            "pkg/__init__.py": "",
            "pkg/helper.py": "def scaled(x):\n    return x * x.mean().item()\n",
            "pkg/a.py": "from pkg.helper import scaled\n" + model,
            "pkg/b.py": "from pkg.helper import scaled\n" + model,
        }
    )
    done = breaklint("check", "--output-format", "json", ".")
    assert [(finding["filename"], finding["code"]) for finding in json.loads(done.stdout)] == [
        ("pkg/helper.py", "BRK201")
    ]
    assert codes(breaklint("check", "--output-format", "json", "pkg/a.py").stdout) == []


def test_rule_lists_and_explains(breaklint: RunBreaklint) -> None:
    assert "BRK201  tensor-item:" in breaklint("rule").stdout
    assert "tensor-item" in breaklint("rule", "brk201").stdout
    assert breaklint("rule", "tensor-item", "--output-format", "markdown").stdout.startswith("# BRK201 tensor-item\n")
    assert json.loads(breaklint("rule", "BRK201", "--output-format", "json").stdout)["code"] == "BRK201"


def test_a_rule_page_that_is_piped_is_plain_text(breaklint: RunBreaklint) -> None:
    page = breaklint("rule", "data-dependent-shape").stdout
    assert "    total = torch.where(mask, x, 0).sum()    # instead of x.masked_select(mask).sum()\n" in page
    assert not any(line.endswith(" ") for line in page.splitlines())


def test_rule_lists_those_that_begin_so(breaklint: RunBreaklint) -> None:
    lines = breaklint("rule", "brk70").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["BRK701", "BRK702", "BRK703"]
    assert codes(breaklint("rule", "BRK70", "--output-format", "json").stdout) == ["BRK701", "BRK702", "BRK703"]


@pytest.mark.parametrize(
    ("target", "note"),
    [
        pytest.param("2.13.1", "", id="known"),
        pytest.param("2.11", "", id="older, known"),
        pytest.param("2.6", "torch 2.6 was not measured: the facts of 2.11 are used", id="too old"),
        pytest.param("2.12", "torch 2.12 was not measured: the facts of 2.11 are used", id="between"),
    ],
)
def test_a_torch_version_that_was_not_measured_is_told(
    write_files: WriteFiles, breaklint: RunBreaklint, target: str, note: str
) -> None:
    write_files({"model.py": BREAKS})
    output = breaklint("check", "--target-torch", target).stderr
    assert output.startswith(f"breaklint: note: {note}") if note else output == ""


@pytest.mark.parametrize("arguments", [["--help"], ["verify", "-h"]])
def test_help(breaklint: RunBreaklint, arguments: list[str]) -> None:
    done = breaklint(*arguments)
    assert done.returncode == 0
    assert "Usage: breaklint" in done.stdout


def test_rule_takes_the_name_that_dynamo_gives_a_graph_break(breaklint: RunBreaklint) -> None:
    assert breaklint("rule", "gb0014").stdout == breaklint("rule", "BRK602").stdout
    assert codes(breaklint("rule", "GB0264", "--output-format", "json").stdout) == ["BRK605", "BRK660"]
    title, empty, *rules = breaklint("rule", "GB0264").stdout.splitlines()
    assert title.startswith("GB0264  ")
    assert title.endswith("gb0264.html")
    assert (empty, [rule.split()[0] for rule in rules]) == ("", ["BRK605", "BRK660"])
    uncovered = breaklint("rule", "GB0018")
    assert uncovered.returncode == 2
    assert "(Attempted to wrap unbacked SymInt): no rule is about" in uncovered.stderr
    assert "gb0018.html" in uncovered.stderr
    assert "has no such graph break" in breaklint("rule", "GB9999").stderr


def test_a_rule_page_links_torchs_pages(breaklint: RunBreaklint) -> None:
    page = breaklint("rule", "BRK201").stdout
    assert "[GB0124](https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0124.html)" in page


def test_verbose_gives_the_whole_help(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"model.py": BREAKS})
    short, whole = (breaklint("check", *more).stdout for more in ((), ("--verbose",)))
    assert len(short.splitlines()) < len(whole.splitlines())
    assert "torch: https://" in whole
    assert whole == breaklint("check", "--output-format", "verbose").stdout
    refused = breaklint("check", "--verbose", "--output-format", "json")
    assert refused.returncode == 2
    assert "--verbose sets the format" in refused.stderr
