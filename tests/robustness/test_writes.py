"""What is written is whole: after a kill at any instant, on a full disk, and beside another run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cli_server
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
left = CALLS_BEFORE

def audit(event, arguments):
    global left
    named = [os.fsdecode(a) for a in arguments if isinstance(a, (str, bytes))]
    if event in CALLS and any("model.py" in name or ".breaklint-" in name for name in named):
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
"""
RUN = "\nfrom breaklint.cli import main\nmain()\n"


def fixing(folder: Path, prelude: str, pipes: bool = False) -> subprocess.CompletedProcess[str]:
    """Fix a file in a process that executes `prelude` first; it may limit files, if its streams are pipes."""
    arguments = ["check", "--fix", "--no-cache", "model.py"]
    if not pipes and (server := cli_server.forking()):
        return server.run(arguments, folder, prelude=prelude)
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", prelude + RUN, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


def killed(folder: Path, calls: int, prelude: str = "") -> subprocess.CompletedProcess[str]:
    """Fix a file in a process that ends after so many calls, or as usual where there are fewer."""
    return fixing(folder, KILLER.replace("CALLS_BEFORE", str(calls)) + prelude)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_kill_before_any_call_into_the_system_leaves_the_old_or_the_new_file(tmp_path: Path, step: int) -> None:
    seen, kills = [], 0
    (tmp_path / "model.py").write_text(OLD)
    (tmp_path / "model.py").chmod(0o640)
    while True:
        (tmp_path / "model.py").write_text(OLD)
        done = killed(tmp_path, kills)
        text = (tmp_path / "model.py").read_text()
        assert text in (OLD, NEW), f"after {kills} calls: {text!r}"
        assert (tmp_path / "model.py").stat().st_mode & 0o777 == 0o640
        seen.append(text == NEW)
        if done.returncode >= 0:
            break
        kills += step
    assert kills >= 6
    assert seen[0] is False
    assert done.returncode == 0, done.stderr
    assert seen[-1] is True


def test_what_a_killed_run_leaves_is_no_python_file_and_the_next_run_is_as_ever(
    write_files: WriteFiles, tmp_path: Path, breaklint: RunBreaklint
) -> None:
    for kills in range(2, 7):
        write_files({"model.py": OLD})
        killed(tmp_path, kills)
    left = {path.name for path in tmp_path.iterdir()} - {"model.py"}
    assert left
    assert all(name.startswith(".breaklint-") and name.endswith(".tmp") for name in left)
    write_files({"model.py": OLD})
    done = breaklint("check", "--fix")
    output = "Fixed 1 finding in 1 file.\nNo more findings in 1 file (1 entry: 1 forward).\n"
    assert (done.returncode, done.stdout) == (0, output)
    assert (tmp_path / "model.py").read_text() == NEW


def test_the_new_text_is_on_the_disk_before_it_takes_the_place_of_the_old(
    write_files: WriteFiles, tmp_path: Path
) -> None:
    write_files({"model.py": OLD})
    noting = (
        "import os, sys\nfsync, asked = os.fsync, []\n"
        "def synced(descriptor):\n    asked.append(open(f'/proc/self/fd/{descriptor}').read())\n    fsync(descriptor)\n"
        "os.fsync = synced\n"
        "sys.addaudithook(lambda event, _: event == 'os.rename' and print(asked))\n"
    )
    done = fixing(tmp_path, noting)
    assert repr([NEW]) in done.stdout.splitlines(), done.stdout + done.stderr


def test_a_full_disk_is_told_and_the_file_stays_as_it_was(write_files: WriteFiles, tmp_path: Path) -> None:
    write_files({"model.py": OLD})
    done = fixing(tmp_path, "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))\n", pipes=True)
    assert done.returncode == 2
    assert done.stderr == "breaklint: error: model.py: cannot be written: File too large\n"
    assert (tmp_path / "model.py").read_text() == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["model.py"]


ENCODINGS = {
    # name: (bytes before the class, whether the file is fixed)
    "idna": (b"# coding: idna\n# " + b"a" * 64 + b"\n", False),
    "punycode": (b"# coding: punycode\n", False),
    "unicode_escape": (b"# coding: unicode_escape\n# \\x61 \\u00e9\n", False),
    "raw_unicode_escape": (b"# coding: raw_unicode_escape\n# \\u00e9\n", False),
    "utf-7": (b"# coding: utf-7\n# +AGE-\n", False),
    "utf-8-sig without a mark": (b"# coding: utf-8-sig\n", True),
    "utf-8-sig with a mark": (b"\xef\xbb\xbf# coding: utf-8-sig\n", True),
    "latin-1": (b"# coding: latin-1\n# \xe9\n", True),
    "shift_jis": ("# coding: shift_jis\n# 日本\n".encode("shift_jis"), True),
}


@pytest.mark.parametrize(("head", "fixed"), ENCODINGS.values(), ids=ENCODINGS)
def test_lines_that_no_fix_touches_keep_their_bytes(
    breaklint: RunBreaklint, tmp_path: Path, head: bytes, fixed: bool
) -> None:
    (tmp_path / "a.py").write_bytes(head + OLD.encode())
    (tmp_path / "b.py").write_text(OLD)
    done = breaklint("check", "--fix", ".")
    after = (NEW if fixed else OLD).encode()
    assert (tmp_path / "a.py").read_bytes() == head + after
    assert (tmp_path / "b.py").read_text() == NEW, "a file that cannot be fixed keeps no other one from it"
    assert "Traceback" not in done.stderr
    if not fixed:
        assert done.returncode == 2
        assert "a.py" in done.stderr


SAVER = """\
import os, sys
from pathlib import Path
import breaklint.source.writing as writing
real = writing.os.fsync
def fsync(descriptor):
    real(descriptor)
    Path("model.py").write_text("saved = 1\\n")
writing.os.fsync = fsync
"""


def test_what_is_saved_while_the_new_text_is_written_stays(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(OLD)
    done = fixing(tmp_path, SAVER)
    assert (tmp_path / "model.py").read_text() == "saved = 1\n"
    assert "changed while it was being fixed" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.py"]


def test_a_file_and_a_link_to_it_are_fixed_once(breaklint: RunBreaklint, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(OLD)
    (tmp_path / "z.py").symlink_to("m.py")
    done = breaklint("check", "--fix", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "z.py").is_symlink()
    assert (tmp_path / "m.py").read_text() == NEW
