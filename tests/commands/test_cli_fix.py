"""`check --fix`, `--unsafe-fixes` and `--diff`: what is written, what is only shown, and what remains."""

from __future__ import annotations

import subprocess
from pathlib import Path

from harness import RunBreaklint, WriteFiles

HEAD = "import torch\nfrom torch.autograd import Variable\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
SAFE = HEAD + "        return torch.relu(Variable(x))  # kept\n"
UNSAFE = HEAD + "        s = x.mean().item()\n        return x * s\n"
BOTH = HEAD + "        s = x.mean().item()\n        return Variable(x) * s\n"


def test_fix_writes_the_safe_fix_and_ends_in_0(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"model.py": SAFE})
    done = breaklint("check", "--fix")
    assert done.returncode == 0, done.stdout
    assert done.stdout == "Fixed 1 finding in 1 file.\nNo more findings in 1 file (1 entry: 1 forward).\n"
    assert "torch.relu(x.detach())  # kept" in (tmp_path / "model.py").read_text()


def test_fix_leaves_the_unsafe_one_and_reports_it_where_it_now_is(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"model.py": BOTH})
    done = breaklint("check", "--fix", "--output-format", "concise")
    assert done.returncode == 1
    text = (tmp_path / "model.py").read_text()
    row = text.split("\n").index("        s = x.mean().item()") + 1
    assert f"model.py:{row}:13: BRK201 [unsafe]" in done.stdout
    assert "Variable(x)" not in text


def test_unsafe_fixes_are_written_when_asked_for(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"model.py": UNSAFE})
    assert breaklint("check", "--fix", "--unsafe-fixes").returncode == 0
    assert ".item()" not in (tmp_path / "model.py").read_text()


def test_a_second_fix_changes_nothing(write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path) -> None:
    write_files({"model.py": BOTH})
    breaklint("check", "--fix", "--unsafe-fixes")
    first = (tmp_path / "model.py").stat()
    assert "Fixed" not in breaklint("check", "--fix", "--unsafe-fixes").stdout
    assert (tmp_path / "model.py").stat().st_mtime_ns == first.st_mtime_ns


def test_diff_shows_what_fix_writes_and_touches_nothing(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"pkg/model.py": SAFE})
    done = breaklint("check", "--diff")
    assert done.returncode == 1
    assert (tmp_path / "pkg/model.py").read_text() == SAFE
    subprocess.run(["patch", "-p0"], cwd=tmp_path, input=done.stdout, text=True, check=True, capture_output=True)
    patched = (tmp_path / "pkg/model.py").read_text()
    write_files({"pkg/model.py": SAFE})
    breaklint("check", "--fix")
    assert (tmp_path / "pkg/model.py").read_text() == patched


def test_an_empty_diff_ends_in_0_although_findings_remain(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"model.py": UNSAFE})
    done = breaklint("check", "--diff")
    assert (done.returncode, done.stdout) == (0, "")
    assert (
        "nothing would change. Found 1 graph break in 1 file; 1 has an unsafe fix (--fix --unsafe-fixes)."
        in done.stderr
    )


def test_standard_input_is_given_back_fixed_and_the_findings_go_to_standard_error(breaklint: RunBreaklint) -> None:
    done = breaklint("check", "--fix", "-", stdin=BOTH)
    assert done.returncode == 1
    assert "return x.detach() * s" in done.stdout
    assert "BRK201" in done.stderr
    assert "BRK201" not in done.stdout


def test_standard_input_without_anything_to_fix_comes_back_as_it_is(breaklint: RunBreaklint) -> None:
    assert breaklint("check", "--fix", "-", stdin="x = 1\n").stdout == "x = 1\n"


def test_a_silenced_finding_is_not_fixed(write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path) -> None:
    text = SAFE.replace("# kept", "# breaklint: ignore")
    write_files({"model.py": text})
    assert breaklint("check", "--fix").returncode == 0
    assert (tmp_path / "model.py").read_text() == text


def test_a_fix_that_is_not_written_is_not_told_as_made(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"outside/model.py": SAFE, "given/other.py": SAFE})
    (tmp_path / "given/model.py").symlink_to(tmp_path / "outside/model.py")
    done = breaklint("check", "--fix", "given")
    assert done.returncode == 2
    assert "Fixed 1 finding in 1 file.\nFound 1 graph break in 1 file" in done.stdout
    assert done.stderr.count("given/model.py: not written") == 1


def test_windows_newlines_and_the_mode_are_kept(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"model.py": b"\xef\xbb\xbf" + SAFE.replace("\n", "\r\n").encode()})
    (tmp_path / "model.py").chmod(0o751)
    breaklint("check", "--fix")
    data = (tmp_path / "model.py").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfimport torch\r\n")
    assert b"torch.relu(x.detach())  # kept\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")
    assert (tmp_path / "model.py").stat().st_mode & 0o777 == 0o751
