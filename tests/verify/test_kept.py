"""A verdict is used again while nothing that it came from has changed, and never one that another run might decide."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles
from model_files import model

from breaklint.model import Effect, Finding, Position, Severity, Span
from breaklint.verify.command import announcement
from breaklint.verify.host import signatures
from breaklint.verify.host.kept import SUFFIX, Kept, is_final
from breaklint.verify.judge.breaks import NO_BREAK_HERE
from breaklint.verify.judge.results import ArmFailure, ArmReport, FixReport, TargetReport, Verdict
from breaklint.verify.options import VerifyOptions

QUICK = ("verify", "net.py", "--quick", "--device", "cpu")
PROJECT = {
    "net.py": "import helper\n"
    + model('print("hidden")\nreturn x * self.scale * self.factor').replace(
        "super().__init__()",
        'super().__init__()\n        open("ran", "a").write("x")\n        self.factor = helper.factor()',
    ),
    "helper.py": "import os\n\n\ndef factor():\n    return float(open('factor.txt').read())\n",
    "factor.txt": "2.0",
    ".git/keep": "",
}


def runs(folder: Path) -> int:
    return (folder / "ran").stat().st_size


def test_the_second_verify_runs_nothing_and_any_change_in_what_was_read_does(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    folder = write_files(PROJECT)
    for name in PROJECT:  # what was written as the run began may have changed since
        os.utime(folder / name, (1e9, 1e9))
    first, ran = breaklint(*QUICK), runs(folder)
    assert "last time" not in first.stderr
    second = breaklint(*QUICK, "--output-format", "json")
    told = json.loads(second.stdout)["targets"][0]
    assert (runs(folder), told["from_cache"], told["verdict"]) == (ran, True, "correct"), first.stdout
    assert "net.py: correct (from the cache)" in second.stderr
    assert f"cache  measured {told['measured_at']}, and nothing" in breaklint(*QUICK).stdout
    assert breaklint(*QUICK).returncode == first.returncode == 0
    (folder / "factor.txt").write_text("3.0")
    third = breaklint(*QUICK)
    assert runs(folder) > ran
    assert "cache  " not in third.stdout
    announced = third.stderr.splitlines()[0]
    assert announced.startswith("net.py: eager, before and after on cpu with eager: breaks and results; it took ")
    assert announced.endswith(" s last time")
    ran = runs(folder)
    assert "cache  " not in breaklint(*QUICK, "--fresh").stdout
    assert runs(folder) > ran


@pytest.fixture
def tree(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_files({"pkg/net.py": "x", "pkg/parts/__init__.py": "", "data.bin": "d", "elsewhere/a.py": ""})
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ("pkg/net.py", False),
        ("data.bin", False),
        ("gone.txt", False),  # it was looked for
        ("pkg/other.py", False),  # it may be imported in another's place
        ("pkg/parts.py", False),
        ("torch/__init__.py", False),  # in the working folder, which comes first
        ("pkg/results/out.json", True),
        ("elsewhere/b.py", True),
    ],
)
def test_what_changes_among_files_and_where_modules_are_looked_for(tree: Path, change: str, holds: bool) -> None:
    files = signatures.of_files([str(tree / name) for name in ("pkg/net.py", "data.bin", "gone.txt")])
    files = json.loads(json.dumps(files))
    assert signatures.still_holds(files)
    (tree / change).parent.mkdir(parents=True, exist_ok=True)
    (tree / change).write_text("other")
    assert signatures.still_holds(files) is holds


def test_a_file_that_changes_while_the_target_runs_is_noticed(tree: Path) -> None:
    files = signatures.of_files([str(tree / "data.bin")])
    os.utime(tree / "data.bin", (1000.0, 1000.0))
    assert signatures.changed_since(files, 999.0)
    assert not signatures.changed_since(files, 1001.0)


@pytest.mark.parametrize(
    "options", [{"train": True}, {"device": "cuda"}, {"rounds": 9}, {"devices": ("cpu",)}, {"warm_compile": True}]
)
def test_other_options_are_another_matter(tree: Path, options: dict[str, object]) -> None:
    usual = signatures.circumstances(VerifyOptions(), tree)
    assert usual == signatures.circumstances(VerifyOptions(jobs=7, timeout_s=5.0), tree)
    assert usual != signatures.circumstances(VerifyOptions(**options), tree)  # type: ignore[arg-type]


def test_variables_of_the_environment_matter_but_not_those_of_the_terminal(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = signatures.circumstances(VerifyOptions(), tree)
    monkeypatch.setenv("SHLVL", "17")
    assert usual == signatures.circumstances(VerifyOptions(), tree)
    monkeypatch.setenv("OMP_NUM_THREADS", "17")
    assert usual != signatures.circumstances(VerifyOptions(), tree)


def finished(folder: Path) -> TargetReport:
    return TargetReport("pkg/net.py", Verdict.CONFIRMED, "", seconds=5.0, files=(str(folder / "pkg/net.py"),))


def aged(folder: Path) -> None:
    """As if nothing had been written for an hour."""
    for path in folder.rglob("*.py"):
        os.utime(path, (path.stat().st_mtime - 3600,) * 2)


def test_a_report_that_was_copied_or_tampered_with_is_not_used(tree: Path) -> None:
    aged(tree)
    Kept(tree / "cache", VerifyOptions()).add(finished(tree))
    known = Kept(tree / "cache", VerifyOptions()).known(["pkg/net.py"])
    assert known["pkg/net.py"].from_cache
    assert Kept(tree / "cache", VerifyOptions(), fresh=True).known(["pkg/net.py"]) == {}
    shutil.copytree(tree / "cache", tree / "copy")
    assert Kept(tree / "copy", VerifyOptions()).known(["pkg/net.py"]) == {}
    (kept,) = (tree / "cache").glob(f"*{SUFFIX}")
    whole = kept.read_bytes()
    text = whole.partition(b"\n")[2]
    for tampered in (text.replace(b"confirmed", b"gone"), b'{"seconds": "a", "files": {"/": 1}, "report": {}}', b"[]"):
        kept.write_bytes(b"%08x\n" % zlib.crc32(tampered) + tampered)
        assert Kept(tree / "cache", VerifyOptions()).known(["pkg/net.py"]) == {}
    kept.write_bytes(whole.replace(b"confirmed", b"clean"))
    assert Kept(tree / "cache", VerifyOptions()).known(["pkg/net.py"]) == {}


def test_what_is_not_final_is_kept_as_a_time_only(tree: Path) -> None:
    aged(tree)
    kept = Kept(tree / "cache", VerifyOptions())
    kept.add(replace(finished(tree), verdict=Verdict.INCONCLUSIVE))
    assert kept.known(["pkg/net.py"]) == {}
    assert kept.last_s("pkg/net.py") == 5.0
    told = announcement(["pkg/net.py", "new.py"], VerifyOptions(device="cpu"), kept)
    assert told.endswith("20 rounds of timing; 1 of them took 5 s last time, one after the other")


FINDING = Finding("a.py", Span(Position(1, 1), Position(1, 2)), "BRK101", "p", "", Effect.BREAK, Severity.ERROR, "")
LOST = ArmReport(error=ArmFailure("timeout", "too long"))


@pytest.mark.parametrize(
    ("report", "final"),
    [
        *((TargetReport("t", verdict, ""), verdict.value not in ("error", "inconclusive")) for verdict in Verdict),
        (TargetReport("t", Verdict.CONFIRMED, "", arms={"fix:0": LOST}), False),
        *(
            (TargetReport("t", Verdict.CONFIRMED, "", fixes=(FixReport(FINDING, "a", verdict, why, *[None] * 3),)), ok)  # type: ignore[arg-type]
            for verdict, why, ok in (
                (Verdict.INCONCLUSIVE, "lost in the noise", False),
                (Verdict.INCONCLUSIVE, NO_BREAK_HERE, True),
                (Verdict.ERROR, "crash", False),
                (Verdict.BREAK_REMAINS, "", True),
            )
        ),
    ],
)
def test_only_what_would_come_out_again_is_final(report: TargetReport, final: bool) -> None:
    assert is_final(report) is final
