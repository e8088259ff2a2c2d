"""What is written is whole: after a kill at any instant, on a full disk, and beside another run."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles

OLD = """\
import torch
from torch.autograd import Variable


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.relu(Variable(x))
"""
NEW = OLD.replace("Variable(x)", "x.detach()")

# Kills its own process with SIGKILL before the n-th call into the system that concerns the file it writes.
KILLER = """\
import os, signal, sys
left = int(sys.argv.pop(1))

def audit(event, arguments):
    global left
    if event in CALLS and any("model.py" in os.fsdecode(a) for a in arguments if isinstance(a, (str, bytes))):
        count()

def count():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

CALLS = {"open", "os.chmod", "os.rename", "os.remove", "tempfile.mkstemp", "os.chown"}
fsync, real_write = os.fsync, os.write
os.fsync = lambda descriptor: (count(), fsync(descriptor), count())[1]
sys.addaudithook(audit)
from breaklint.cli import main
main()
"""


def fixing(folder: Path, *before: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *before, "check", "--fix", "--no-cache", "model.py"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, encoding="utf-8", check=False,
        **options,  # type: ignore[call-overload]
    )  # fmt: skip


def test_a_kill_before_any_call_into_the_system_leaves_the_old_or_the_new_file(
    write_files: WriteFiles, tmp_path: Path
) -> None:
    seen, kills = [], 0
    (tmp_path / "model.py").write_text(OLD)
    (tmp_path / "model.py").chmod(0o640)
    while True:
        (tmp_path / "model.py").write_text(OLD)
        done = fixing(tmp_path, "-c", KILLER, str(kills))
        text = (tmp_path / "model.py").read_text()
        assert text in (OLD, NEW), f"after {kills} calls: {text!r}"
        assert (tmp_path / "model.py").stat().st_mode & 0o777 == 0o640
        seen.append(text == NEW)
        if done.returncode >= 0:
            break
        kills += 1
    assert kills >= 6
    assert seen[0] is False
    assert done.returncode == 0, done.stderr
    assert seen[-1] is True


def test_what_a_killed_run_leaves_is_no_python_file_and_the_next_run_is_as_ever(
    write_files: WriteFiles, tmp_path: Path, breaklint: RunBreaklint
) -> None:
    for kills in range(2, 7):
        write_files({"model.py": OLD})
        fixing(tmp_path, "-c", KILLER, str(kills))
    left = {path.name for path in tmp_path.iterdir()} - {"model.py"}
    assert left
    assert all(name.startswith(".model.py.") and name.endswith(".tmp") for name in left)
    write_files({"model.py": OLD})
    done = breaklint("check", "--fix")
    assert (done.returncode, done.stdout) == (0, "Fixed 1 finding in 1 file.\nNo more findings in 1 file.\n")
    assert (tmp_path / "model.py").read_text() == NEW


def test_temporary_files_are_private_while_they_are_written(tmp_path: Path, write_files: WriteFiles) -> None:
    (write_files({"model.py": OLD}) / "model.py").chmod(0o600)
    for kills in range(1, 8):
        fixing(tmp_path, "-c", KILLER, str(kills), umask=0)
        left = list(tmp_path.glob(".model.py.*.tmp"))
        assert {path.stat().st_mode & 0o777 for path in left} <= {0o600}
    assert left


def test_the_new_text_is_on_the_disk_before_it_takes_the_place_of_the_old(
    write_files: WriteFiles, tmp_path: Path
) -> None:
    write_files({"model.py": OLD})
    noting = (
        "import os, sys\nfsync, asked = os.fsync, []\n"
        "def synced(descriptor):\n    asked.append(open(f'/proc/self/fd/{descriptor}').read())\n    fsync(descriptor)\n"
        "os.fsync = synced\n"
        "sys.addaudithook(lambda event, _: event == 'os.rename' and print(asked))\n"
        "from breaklint.cli import main\nmain()\n"
    )
    done = fixing(tmp_path, "-c", noting)
    assert repr([NEW]) in done.stdout.splitlines(), done.stdout + done.stderr


@pytest.mark.unmeasured
def test_a_full_disk_is_told_and_the_file_stays_as_it_was(write_files: WriteFiles, tmp_path: Path) -> None:
    write_files({"model.py": OLD})

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    done = fixing(tmp_path, "-m", "breaklint", preexec_fn=no_space)
    assert done.returncode == 2
    assert done.stderr == "breaklint: error: model.py: cannot be written: File too large\n"
    assert (tmp_path / "model.py").read_text() == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["model.py"]


def test_two_runs_at_once_leave_what_one_leaves(write_files: WriteFiles, tmp_path: Path) -> None:
    files = {f"m{number}.py": OLD for number in range(12)}
    write_files(files)
    command = [sys.executable, "-m", "breaklint", "check", "--fix", "."]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    runs = [subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) for _ in range(3)]
    for run in runs:
        _, errors = run.communicate()
        assert run.returncode in (0, 2), errors
        assert all(b"changed while it was being fixed" in line for line in errors.splitlines())
    assert {(tmp_path / name).read_text() for name in files} == {NEW}
    assert not list(tmp_path.glob(".*.tmp"))
