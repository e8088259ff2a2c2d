"""`breaklint upgrade`, and `check` for several torch versions at once."""

from __future__ import annotations

import json

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.output import FORMATS

MODEL = """\
import torch

torch._dynamo.config.enable_faithful_generator_behavior = True


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x):
        x = pow(x, 2)
        names = self.linear.state_dict()
        print(x)
        return x
"""


def test_it_prints_the_differences_alone(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": MODEL})
    done = breaklint("upgrade", "--from", "2.13", "--to", "2.15", "net.py", "--output-format", "concise")
    assert done.returncode == 1, done.stderr
    rows = [line.split(": ", 1) for line in done.stdout.splitlines()[:-1]]
    assert [(place, text.split(" ")[0]) for place, text in rows] == [
        ("net.py:3:1", "UPG103"), ("net.py:12:13", "BRK622"), ("net.py:13:17", "BRK625"),
    ]  # fmt: skip
    assert rows[1][1].endswith("(breaks until 2.13)")
    assert rows[2][1].endswith("(breaks from 2.15)")


def test_without_a_difference_it_ends_with_0(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": MODEL.replace("pow(x, 2)", "x")})
    done = breaklint("upgrade", "--from", "2.14", "net.py")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_where_a_finding_holds(form: str, write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": MODEL})
    done = breaklint("check", "--target-torch", "2.13,2.15", "net.py", "--output-format", form)
    assert done.returncode == 1, done.stderr
    for words in ("until 2.13", "from 2.15", "on each"):
        assert words in done.stdout.replace("\\", "")  # Markdown escapes


def test_json_names_the_versions(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": MODEL})
    done = breaklint("check", "--target-torch", "2.11,2.13,2.15", "net.py", "--output-format", "json")
    held = {load["code"]: (load["torch"], load["holds"]) for load in json.loads(done.stdout)}
    assert held == {
        "BRK622": (["2.11", "2.13"], "until 2.13"),
        "BRK625": (["2.11", "2.15"], "on 2.11, 2.15"),
        "BRK101": (["2.11", "2.13", "2.15"], "on each"),
    }


def test_for_one_version_json_has_no_more_keys(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"net.py": MODEL})
    done = breaklint("check", "net.py", "--output-format", "json")
    assert all("torch" not in load for load in json.loads(done.stdout))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("check", "--fix", "--target-torch", "2.13,2.15", "net.py"), "fixes need one torch version"),
        (("upgrade", "--from", "2.15", "--to", "2.13", "net.py"), "the older one first"),
        (("upgrade", "--from", "2.13", "--target-torch", "2.15", "net.py"), "take the place of --target-torch"),
        (("check", "--target-torch", "2.13,new", "net.py"), "must be a torch version"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: tuple[str, ...], says: str, write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"net.py": MODEL})
    done = breaklint(*arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_what_comes_from_standard_input_is_checked_for_several_versions(breaklint: RunBreaklint) -> None:
    done = breaklint("check", "-", "--target-torch", "2.13,2.15", "--output-format", "concise", stdin=MODEL)
    assert "(breaks until 2.13)" in done.stdout
