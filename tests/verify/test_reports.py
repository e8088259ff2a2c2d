"""What a run leaves behind: results as they come, reports read back, merged and shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_server import breaklint
from harness import PROJECT
from markdown_it import MarkdownIt
from model_files import EVIL, model

from breaklint.verify.judge.results import (
    ArmReport,
    BranchReport,
    FurtherCall,
    Operations,
    TargetReport,
    Verdict,
    VerifyReport,
)
from breaklint.verify.report import WRITERS
from breaklint.verify.report import json as as_json
from breaklint.verify.report.json import read
from breaklint.verify.report.wording import gate_lines

FORWARDS = {
    "prints": f"y = x * self.scale\nprint({EVIL!r})\nreturn y + 1",
    "whole": "return x * self.scale",
    "slow": "time.sleep(2.0)\nreturn x * self.scale",
}


QUICK = ("--devices", "cpu", "--backend", "eager", "--rounds", "3")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return breaklint(folder, *arguments, *(QUICK if arguments[0] == "verify" else ()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three targets, one of which does not exist, in every format."""
    path = tmp_path_factory.mktemp("run")
    for name, forward in FORWARDS.items():
        (path / f"{name}.py").write_text(model(forward), encoding="utf-8")
    formats = [f"--output-format={name}:report.{name}" for name in ("json", "markdown")]
    done = run(path, "verify", "prints.py", "whole.py", "gone.py", "--results", "lines.jsonl", "--jobs", "2", *formats)
    assert done.returncode == 2, done.stderr
    return path


def test_a_saved_report_reads_back_as_it_was(folder: Path) -> None:
    saved = json.loads((folder / "report.json").read_text())
    assert json.loads(as_json.write(read(str(folder / "report.json")))) == saved


def test_results_are_kept_as_they_come_and_hold_what_the_report_holds(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "lines.jsonl").read_text().splitlines()]
    targets = {target["target"]: target for line in lines for target in line["targets"]}
    assert targets == {t["target"]: t for t in json.loads((folder / "report.json").read_text())["targets"]}


def test_the_run_tells_how_long_it_took_and_where(folder: Path) -> None:
    spent = json.loads((folder / "report.json").read_text())["run"]
    assert spent["wall"] > 0
    assert (spent["jobs"], spent["places"]) == (2, ["cpu"])


def test_only_what_is_missing_in_the_results_is_run(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "lines.jsonl").read_text().splitlines(keepends=True)
    first, *rest = sorted(lines, key=lambda line: "gone.py" in line)  # targets end in any order
    (tmp_path / "lines.jsonl").write_text(first + rest[0][:50])  # the second line was cut off
    kept = json.loads(first)["targets"][0]["target"]
    done = run(folder, "verify", kept, "gone.py", "--results", str(tmp_path / "lines.jsonl"))
    assert "running" not in done.stderr
    assert [t.target for t in read(str(tmp_path / "lines.jsonl")).targets] == [kept, "gone.py"]


def test_results_of_other_options_are_refused(folder: Path) -> None:
    done = run(folder, "verify", "whole.py", "--results", "lines.jsonl", "--train")
    assert (done.returncode, "made with other options (train)" in done.stderr) == (2, True)


def test_shards_merge_into_the_whole(folder: Path, tmp_path: Path) -> None:
    for part in ("1", "2"):
        result = str(tmp_path / f"{part}.jsonl")
        run(folder, "verify", "gone.py", "away.py", "lost.py", "--shard", f"{part}/2", "--results", result)
    merged = run(tmp_path, "report", "merge", "1.jsonl", "2.jsonl", "--output-format", "json")
    assert merged.returncode == 2
    assert sorted(t["target"] for t in json.loads(merged.stdout)["targets"]) == ["away.py", "gone.py", "lost.py"]


@pytest.mark.parametrize("part", ["0/2", "3/2", "half"])
def test_a_shard_that_cannot_be_is_refused(folder: Path, part: str) -> None:
    done = run(folder, "verify", "gone.py", "--shard", part)
    assert (done.returncode, "write 1/4" in done.stderr) == (2, True)


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
def test_interrupting_leaves_a_report_of_what_is_finished_and_no_arm(
    folder: Path, tmp_path: Path, ended_by: signal.Signals
) -> None:
    formats = ("--output-format", f"json:{tmp_path / 'r.json'}")
    arguments = ("verify", "whole.py", "slow.py", "--jobs", "1", "--quick", *formats)  # untimed: noise puts nothing off
    command = [sys.executable, "-m", "breaklint", *arguments, *QUICK]
    # By the last of these its processes are found among all.
    env = {**os.environ, "PYTHONPATH": str(PROJECT), "BREAKLINT_TEST": str(tmp_path)}
    process = subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "whole.py: clean" in line:
            break
    time.sleep(1.0)
    process.send_signal(ended_by)
    assert process.wait(timeout=300) == 3
    assert not [name for name in Path("/proc").glob("[0-9]*/environ") if str(tmp_path).encode() in _bytes(name)]
    verdicts = {target.target: target.verdict for target in read(str(tmp_path / "r.json")).targets}
    assert verdicts == {"whole.py": Verdict.CLEAN, "slow.py": Verdict.INCONCLUSIVE}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # a process that has ended, or another user's
        return b""


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_every_report_for_people_tells_what_the_gates_found(name: str) -> None:
    arm = ArmReport(
        operations=Operations(3, 2),
        further_calls=(FurtherCall("batch size 8", True, 1, ()), FurtherCall("seed 1", False, 0, ())),
    )
    branches = (BranchReport("net.py", 7, "the given inputs", None),)
    target = TargetReport("net", Verdict.CLEAN, "nothing to fix", {"before": arm}, branches=branches)
    shown = WRITERS[name](VerifyReport({}, (target,)))
    if name == "markdown":
        shown = MarkdownIt("commonmark").render(shown)
    assert [line for line in gate_lines(target) if line not in shown] == []
    assert len(list(gate_lines(target))) == 4


def test_a_file_that_is_no_report_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"a": 1}')
    done = run(tmp_path, "report", "merge", "other.json")
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: other.json: no report of breaklint verify")
    assert done.stderr.count("\n") == 1
