"""Wrong invocations of every command: one line that tells what is wrong, exit code 2, and nothing is touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles

MODEL = "import torch\n\n\n@torch.compile\ndef f(x):\n    return x.item()\n"
FILES = {
    "a.py": MODEL, "other.json": '{"a": 1}', "bad.json": "nonsense", "bad.toml": "x = [", "folder/x.txt": "",
    "tool.toml": "[tool.breaklint]", "other/pyproject.toml": "[tool.black]",
    "odd/pyproject.toml": "tool = 1",
    "half.json": '{"environment": {}, "targets": [{"target": 1}]}',
}  # fmt: skip
CALLS = {
    "check nowhere": "nowhere: no such file or folder",
    "check ''": "'': no such file or folder",
    "check --select NOPE a.py": "no rule is called 'NOPE'",
    "check --select print a.py": "no rule is called 'print'; did you mean `print-call`?",
    "check --select BRK1 BRK2": "BRK2: no such file or folder; separate several rules with commas: BRK1,BRK2",
    "check a.py::Net": "a.py::Net: no such file or folder; check reads whole files: a.py",
    "check --stdin-filename a.py": "--stdin-filename needs the path `-`",
    "check --output-format xml a.py": "'xml' is not one of full",
    "check --output-format json:folder a.py": "folder: cannot be written: Is a directory",
    "check --output-format json --output-format sarif a.py": "only one format can go to standard output",
    "check --config nowhere.toml a.py": "nowhere.toml: cannot be read: No such file",
    "check --config bad.toml a.py": "bad.toml: is not TOML",
    "check --config tool.toml a.py": "tool.toml: `[tool]`: in this file, write the keys without [tool.breaklint]",
    "check --config other/pyproject.toml a.py": "other/pyproject.toml: has no [tool.breaklint]",
    "check --config odd/pyproject.toml a.py": "odd/pyproject.toml: has no [tool.breaklint]",
    "check --target-torch two a.py": "--target-torch must be a torch version",
    "check -j 0 a.py": "0 is not in the range x>=1",
    "check --diff --output-format json a.py": "--diff prints the diff only",
    "check --unsafe-fixes a.py": "--unsafe-fixes needs --fix or --diff",
    "check --baseline bad.json a.py": "bad.json: is not a baseline",
    "check --baseline other.json a.py": "other.json: is not a baseline; --write-baseline writes one",
    "check --write-baseline nowhere/b a.py": "nowhere/b: cannot be written",
    "check --baseline b.json --write-baseline b.json a.py": "--write-baseline writes all findings: leave --baseline",
    "check --since HEAD --write-baseline b.json a.py": "--write-baseline writes all findings: leave --since",
    "check --per-file-ignores a.py a.py": "give a file pattern and codes",
    "check - a.py": "- reads standard input and cannot be combined with other paths",
    "check --nope": "No such option",
    "verify": "nothing to verify: name a TARGET",
    "verify a.py --devices gpu0": "gpu0 is not a device",
    "verify a.py --output-format json:nowhere/x": "nowhere/x: cannot be written: no such folder",
    "verify a.py --output-format json:folder": "folder: cannot be written: is a folder",
    "verify a.py --shard 3/2": "write 1/4 for the first of four parts",
    "verify a.py --quick --min-speedup 0.1": "--min-speedup needs timings",
    "verify a.py --python nowhere": "--python nowhere: the program does not exist",
    "verify a.py --executor dask": "--executor dask needs --scheduler ADDRESS",
    "verify a.py --rounds 1": "1 is not in the range 3<=x<=1000",
    "verify a.py --results nowhere/r": "nowhere/r: cannot be written",
    "capture": "Missing argument '-- COMMAND...'",
    "capture --isolated --config select=BRK9 -- true": "no class below the current folder has findings",
    "capture --module Net -- nowhere": "nowhere: cannot be started",
    "capture --module Net --out folder -- true": "folder: is not empty",
    "observe --profil p.json -- true": "No such option '--profil'",
    "observe --out p.json -- a.py": "a.py: cannot be started: No such file or directory; run python a.py",
    "report merge": "Missing argument 'REPORT...'",
    "report merge gone.json": "gone.json: cannot be read: No such file",
    "report merge half.json": "half.json: no report of breaklint verify: TargetReport",
    "report merge bad.json": "bad.json: no report of breaklint verify",
    "report merge other.json": "other.json: no report of breaklint verify: VerifyReport",
    "rule NOPE": "NOPE: no such rule",
    "fix a.py": "No such command 'fix'; did you mean `breaklint check --fix`?",
    "a.py": "No such command 'a.py'; did you mean `breaklint check a.py`?",
    "chekc": "No such command 'chekc'; did you mean `check`?",
    "new-rule ../evil": "'../evil' is not a name for a rule",
    "test nowhere": "nowhere: no rule card",
    "test folder": "no rules (*.yaml, *.py) there",
    "config nowhere": "nowhere: no such file or folder",
    "clean nowhere": "nowhere: no such file or folder",
    "server --nope": "No such option",
}


@pytest.mark.parametrize(("call", "told"), CALLS.items(), ids=CALLS)
def test_a_wrong_call_is_told_in_a_line(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path, call: str, told: str
) -> None:
    write_files(FILES)
    done = breaklint(*("" if word == "''" else word for word in call.split()))
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if "rror: " in line]
    assert len(errors) == 1
    assert told in errors[0]
    assert "Traceback" not in done.stderr
    assert {name: (tmp_path / name).read_text() for name in FILES} == FILES


def test_clean_of_what_is_not_there_removes_nothing(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files(FILES)
    breaklint("check")
    assert breaklint("clean", "nowhere").returncode == 2
    assert (tmp_path / ".breaklint_cache").exists()


def test_a_target_that_is_not_there_is_told_without_shares_of_no_time(breaklint: RunBreaklint) -> None:
    done = breaklint("verify", "gone.py")
    assert done.returncode == 2
    assert done.stdout == (
        "error gone.py\n"
        "  gone.py: no file gone.py; give a fixture folder, FILE.py::Class, FILE.py:factory or package.module:factory\n"
    )
