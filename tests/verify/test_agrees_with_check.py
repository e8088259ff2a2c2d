"""Verify and check find the same: same settings and environment, same findings on the same lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from breaklint.calls.capture import flagged_classes
from breaklint.commands.capture import capture
from breaklint.commands.check import check
from breaklint.commands.options import nearer_settings, settings_for
from breaklint.commands.terminal import click
from breaklint.commands.verify import _verify_options, verify
from breaklint.lint.run import run
from breaklint.model import Finding, Settings
from breaklint.source.resources import fixtures_dir
from breaklint.verify.judge.results import TargetReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Coverage
from breaklint.verify.targets.sources import make_plan
from breaklint.verify.targets.targets import find_target

FOLDERS = sorted(path.parent for path in fixtures_dir().glob("*/before.py"))
NET = """\
import torch
from helper import scaled


class Net(torch.nn.Module):
    def forward(self, x):
        print("never", x.shape) if False else None
        return scaled(x)


def get_inputs():
    return [torch.ones(4)]
"""
HELPER = """\
import odd


def scaled(x):
    odd.shows(x)
    return x * x.mean().item()
"""
PACKAGE = "def shows(x):\n    print(x.shape)\n"


def places(findings: tuple[Finding, ...]) -> list[tuple[str, int, str, str]]:
    return [(Path(f.filename).name, f.span.start.row, f.code, f.message) for f in findings]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_findings_of_a_fixture_are_those_of_check(folder: Path) -> None:
    checked = run([str(folder / "before.py")], Settings(), jobs=1).findings
    assert places(make_plan(find_target(str(folder)), VerifyOptions()).findings) == places(checked)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model whose file calls a second one, which calls an installed package."""
    package = tmp_path / ".venv/lib/python3.11/site-packages/odd"
    package.mkdir(parents=True)
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /usr\n")
    (package / "__init__.py").write_text(PACKAGE)
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "breaklint.toml").write_text('target-torch = "2.11,2.13"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def options_of(command: click.Command) -> dict[str, Any]:
    return command.make_context("", ["net.py"]).params


def test_the_settings_are_those_of_check(project: Path) -> None:
    checking = settings_for(project, options_of(check))
    verifying = _verify_options(options_of(verify)).settings
    assert verifying.environment == checking.environment == str(project / ".venv/lib/python3.11/site-packages")
    assert verifying == checking._replace(target_torch="2.13")


def test_calls_of_installed_packages_are_followed_as_check_does(project: Path) -> None:
    settings = _verify_options(options_of(verify)).settings
    files = [str(project / name) for name in ("helper.py", "net.py")]
    checked = run(files, settings, jobs=1).findings
    target = find_target(f"{project}/net.py::Net")
    coverage = Coverage(frozenset((file, row) for file, row in ((files[0], 4), (files[1], 6))))
    found = make_plan(target, VerifyOptions(settings=settings), coverage).findings
    assert places(found) == places(checked)
    assert ("helper.py", 5) in [place[:2] for place in places(found)]


Run = Callable[..., TargetReport]


@pytest.mark.slow
@pytest.mark.parametrize("settings", [Settings(), Settings(ignore=("BRK2",))], ids=["reported", "ignored"])
def test_whether_check_reports_a_break_is_said_as_it_is(folder: Run, examine: Run, settings: Settings) -> None:
    pytest.importorskip("torch")
    path = folder("y = x * self.scale\nif y.sum().item() > 0:\n    return y\nreturn -y")
    report = examine(path, quick=True, settings=settings)
    rows = {finding.span.start.row for finding in run([str(path / "before.py")], settings, jobs=1).findings}
    broken = report.arms["before"].breaks
    assert broken
    assert report.findings.missed == tuple(b for b in broken if b.row not in rows)
    assert ("which check does not report" in report.why) == (broken[0].row not in rows)


def test_a_file_goes_by_the_configuration_nearest_to_it(project: Path) -> None:
    below = project / "part"
    below.mkdir()
    (below / "net.py").write_text(NET.replace("from helper import scaled", "scaled = torch.Tensor.item"))
    (below / "breaklint.toml").write_text('ignore = ["BRK1"]\n')
    (project / "other.py").write_text(NET)
    options = _verify_options(options_of(verify))
    for target in (below / "net.py", project / "other.py"):
        checked = run([str(target)], options.settings_of(str(target)), jobs=1).findings
        assert places(make_plan(find_target(f"{target}::Net"), options).findings) == places(checked)
    assert options.settings_of(str(below / "net.py")).ignore == ("BRK1",)
    assert options.settings_of(str(project / "other.py")).ignore == ()


def test_excluded_files_have_no_findings_unless_they_are_the_target(project: Path) -> None:
    (project / "breaklint.toml").write_text('exclude = ["helper.py", "net.py"]\n')
    (project / "net.py").write_text(NET.replace(" if False else None", ""))
    options = _verify_options(options_of(verify))
    coverage = Coverage(frozenset((str(project / name), row) for name, row in (("helper.py", 4), ("net.py", 6))))
    found = make_plan(find_target(f"{project}/net.py::Net"), options, coverage).findings
    assert {Path(finding.filename).name for finding in found} == {"net.py"}


def test_capture_selects_classes_by_the_configuration_nearest_to_their_file(tmp_path: Path) -> None:
    text = NET.replace(" if False else None", "").replace("from helper import scaled", "scaled = torch.relu")
    for folder, config in (("", ""), ("part", 'ignore = ["BRK1"]')):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "net.py").write_text(text)
        (tmp_path / folder / "breaklint.toml").write_text(f"{config}\n")
    given = capture.make_context("", ["--", "true"]).params
    flagged = flagged_classes(tmp_path, settings_for(tmp_path, given), nearer_settings(given))
    assert flagged == [(str(tmp_path / "net.py"), "Net")]
