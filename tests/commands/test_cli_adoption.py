"""Taking breaklint up step by step: a baseline, changed lines only, comments for what is there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        print(x)
        return x * x.mean().item()
"""


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def found(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The place of each finding of a run with --output-format concise."""
    return [line.partition(" BRK")[0] for line in done.stdout.splitlines() if ": BRK" in line]


def test_a_baseline_hides_what_it_holds_also_when_lines_move(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    folder = write_files({"net.py": NET})
    done = breaklint("check", "net.py", "--write-baseline", "base.json")
    assert (done.returncode, done.stdout) == (0, "Wrote 2 findings to base.json.\n")
    done = breaklint("check", "net.py", "--select", "BRK101", "--write-baseline", "one.json")
    assert done.stdout == "Wrote 1 finding to one.json.\n"
    (folder / "net.py").write_text("# a new line\n\n" + NET)
    done = breaklint("check", "net.py", "--baseline", "base.json")
    summary = "No findings in 1 file (1 entry: 1 forward); 2 excluded by --baseline.\n"
    assert (done.returncode, done.stdout) == (0, summary)


def test_the_configuration_names_the_baseline(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    write_files({"src/net.py": NET, "breaklint.toml": 'baseline = "known.json"\n'})
    assert breaklint("check", "src", "--write-baseline", "known.json").returncode == 0
    done = breaklint("check", "src")
    assert (done.returncode, "2 excluded by --baseline" in done.stdout) == (0, True)


def test_a_baseline_of_another_version_is_an_error(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    write_files({"net.py": NET, "base.json": '{"kind": "breaklint baseline", "version": 99, "findings": {}}'})
    done = breaklint("check", "net.py", "--baseline", "base.json")
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: base.json: ")


def test_a_baseline_names_the_findings_for_people(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    folder = write_files({"net.py": NET})
    breaklint("check", "net.py", "--write-baseline", "base.json")
    shown = json.loads((folder / "base.json").read_text())["findings"]
    assert "net.py: BRK101 `print` breaks the graph" in shown.values()


def test_since_tells_findings_on_changed_lines_and_in_new_files(
    breaklint: RunBreaklint, write_files: WriteFiles
) -> None:
    folder = write_files({"net.py": NET, "old ä.py": NET})
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    (folder / "net.py").write_text(NET.replace(".item()", ".item() + 1"))
    (folder / "old ä.py").write_text(NET.replace("print(x)", "print(x, 1)"))
    (folder / "new.py").write_text(NET)
    done = breaklint("check", ".", "--since", "HEAD", "--output-format", "concise")
    assert found(done) == ["net.py:7:20:", "new.py:6:9:", "new.py:7:20:", "old ä.py:6:9:"]


@pytest.mark.parametrize(("revision", "reason"), [("nowhere", "no such revision"), ("--output=x", "not a revision")])
def test_since_an_unknown_revision(
    revision: str, reason: str, breaklint: RunBreaklint, write_files: WriteFiles
) -> None:
    folder = write_files({"net.py": NET})
    git(folder, "init", "-q")
    done = breaklint("check", ".", f"--since={revision}")
    assert (done.returncode, reason in done.stderr) == (2, True)
    assert not (folder / "x").exists()


def test_add_ignore_silences_all_and_changes_nothing_else(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    folder = write_files({"net.py": NET.replace("print(x)", "print(x)  # debug")})
    assert breaklint("check", "net.py", "--add-ignore").returncode == 0
    assert (folder / "net.py").read_text() == NET.replace(
        "print(x)", "print(x)  # debug  # breaklint: ignore[BRK101]"
    ).replace(".item()", ".item()  # breaklint: ignore[BRK201]")
    assert breaklint("check", "net.py").stdout == "No findings in 1 file (1 entry: 1 forward).\n"


def test_add_ignore_adds_to_the_comment_that_is_there(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    line = "        print(x.mean().item())"
    folder = write_files({"net.py": NET.replace("        print(x)", f"{line}  # breaklint: ignore[BRK101] known")})
    breaklint("check", "net.py", "--add-ignore")
    assert f"{line}  # breaklint: ignore[BRK101, BRK201] known\n" in (folder / "net.py").read_text()


def test_add_ignore_stands_where_a_line_can_have_a_comment(breaklint: RunBreaklint, write_files: WriteFiles) -> None:
    folder = write_files({"net.py": NET.replace("print(x)", 'print(x, """a\n            b""", \\\n            x)')})
    breaklint("check", "net.py", "--add-ignore")
    assert breaklint("check", "net.py").stdout == "No findings in 1 file (1 entry: 1 forward).\n"
    assert "            x)  # breaklint: ignore[BRK101]\n" in (folder / "net.py").read_text()


@pytest.mark.parametrize("narrow", ["--since=HEAD", "--baseline=b.json"])
@pytest.mark.parametrize("write", ["--fix", "--diff"])
def test_what_narrows_the_report_does_not_go_with_fixes(narrow: str, write: str, breaklint: RunBreaklint) -> None:
    assert breaklint("check", ".", narrow, write).returncode == 2


@pytest.mark.parametrize("other", ["--fix", "--diff", "--write-baseline=b.json"])
def test_add_ignore_goes_with_nothing_else_that_writes(other: str, breaklint: RunBreaklint) -> None:
    assert breaklint("check", ".", "--add-ignore", other).returncode == 2
