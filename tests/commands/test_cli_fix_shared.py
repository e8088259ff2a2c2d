"""Fixes in functions that other files call: written as those in the file itself, where all callers agree."""

from __future__ import annotations

from pathlib import Path

from harness import RunBreaklint, WriteFiles

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


def test_diff_shows_it_beside_the_fixes_of_the_caller(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    write_files({"helper.py": HELPER, "net.py": PRINTS})
    shown = breaklint("check", "--diff", "--unsafe-fixes").stdout
    assert "+    s = x.mean().detach()" in shown
    assert "+        if not torch.compiler.is_compiling():" in shown


def test_it_stays_where_the_file_was_not_given(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"helper.py": HELPER, "net.py": PRINTS})
    breaklint("check", "--fix", "--unsafe-fixes", "net.py")
    assert (tmp_path / "helper.py").read_text() == HELPER
    assert "is_compiling" in (tmp_path / "net.py").read_text()


def test_it_stays_where_callers_need_different_fixes(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    other = NET + "        return scale(torch.ones(2, 3) > 0)\n"
    write_files({"helper.py": HELPER.replace("mean", "max"), "net.py": CALLS, "other.py": other})
    breaklint("check", "--fix", "--unsafe-fixes")
    assert "s = x.max().item()" in (tmp_path / "helper.py").read_text()


def test_it_is_not_written_unasked(write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path) -> None:
    write_files({"helper.py": HELPER, "net.py": CALLS})
    assert breaklint("check", "--fix").returncode == 1
    assert (tmp_path / "helper.py").read_text() == HELPER


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
