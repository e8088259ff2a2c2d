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


# Functions that other files call have the fixes of the file itself, if all callers agree.
HELPER = "import torch\n\n\ndef scale(x):\n    s = x.mean().item()\n    return x * s\n"
NET = (
    "import torch\nfrom helper import scale\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
)
CALLS = NET + "        return scale(x)\n"
PRINTS = NET + "        print(x.shape)\n        return scale(x)\n"


def test_fix_rewrites_what_only_another_file_leads_to(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"helper.py": HELPER, "net.py": CALLS})
    done = breaklint("check", "--fix", "--unsafe-fixes")
    assert done.stdout == (
        "Graphs per call:\n  Net.forward: 2 graphs before, 1 graph now\n"
        "Fixed 1 finding in 1 file.\nNo more findings in 2 files (1 entry: 1 forward).\n"
    )
    assert "s = x.mean().detach()" in (tmp_path / "helper.py").read_text()


def test_a_helper_stays_if_its_file_is_not_given(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"helper.py": HELPER, "net.py": PRINTS})
    breaklint("check", "--fix", "--unsafe-fixes", "net.py")
    assert (tmp_path / "helper.py").read_text() == HELPER
    assert "is_compiling" in (tmp_path / "net.py").read_text()


def test_a_helper_stays_if_callers_need_different_fixes(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    other = NET + "        return scale(torch.ones(2, 3) > 0)\n"
    write_files({"helper.py": HELPER.replace("mean", "max"), "net.py": CALLS, "other.py": other})
    breaklint("check", "--fix", "--unsafe-fixes")
    assert "s = x.max().item()" in (tmp_path / "helper.py").read_text()


def test_fix_leaves_what_a_caller_captures_with_fullgraph(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    scale = "def scale(x):\n    return x / x.max().item()\n"
    plain = (
        "import torch\nfrom scale import scale\n\n\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x: torch.Tensor):\n        return scale(x)\n"
    )
    compiled = "import torch\nfrom scale import scale\n\nfast = torch.compile(scale, fullgraph=True)\n"
    for files, fixed in (({}, True), ({"compiled.py": compiled}, False)):
        folder = write_files({"scale.py": scale, "plain.py": plain, **files})
        breaklint("check", "--fix", "--unsafe-fixes")
        assert (".detach()" in (folder / "scale.py").read_text()) is fixed
