from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.errors import TargetError
from breaklint.verify.targets.entries import Entry
from breaklint.verify.targets.targets import find_target


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = ("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/net.py")
    for name in ("alone.py", *package, "pair/before.py", "pair/after.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def test_a_fixture_folder_brings_before_and_after(project: Path) -> None:
    target = find_target("pair")
    assert (target.path, target.after) == (project / "pair/before.py", project / "pair/after.py")
    assert target.is_fixture


@pytest.mark.usefixtures("project")
def test_a_shipped_fixture_is_known_by_its_name() -> None:
    assert find_target("print-shape").is_fixture


def test_a_file_alone_is_run_by_path(project: Path) -> None:
    target = find_target("alone.py::Net")
    assert (target.path, target.attribute, target.module) == (project / "alone.py", "Net", "")
    assert target.root == str(project)


def test_a_file_in_a_package_is_imported_by_its_dotted_name(project: Path) -> None:
    target = find_target("pkg/sub/net.py::Net")
    assert (target.module, target.root, target.factory) == ("pkg.sub.net", str(project), False)


@pytest.mark.parametrize("name", ["pkg.sub.net:make", "pkg/sub/net.py:make"])
def test_a_factory_is_named_by_module_or_file(project: Path, name: str) -> None:
    target = find_target(name)
    assert (target.path, target.attribute, target.factory) == (project / "pkg/sub/net.py", "make", True)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.py::Net", "no file missing.py"),
        ("missing", "no such target"),
        ("nb.ipynb", "notebooks are not run"),
        ("no.such.module:make", "no module no.such.module"),
        ("./empty", "no before.py"),
    ],
)
def test_an_unknown_target_says_what_can_be_given(name: str, words: str) -> None:
    with pytest.raises(TargetError, match=words) as raised:
        find_target(name)
    assert "give a fixture folder, FILE.py::Class" in str(raised.value)


def test_a_name_that_is_nearly_an_entry_or_a_fixture_is_told() -> None:
    entries = [Entry("encoder", "net.py::Net", Path())]
    for name, meant in (("encodr", "encoder"), ("itm-divisor", "item-divisor")):
        with pytest.raises(TargetError, match=f"{name}: no such target; did you mean `{meant}`?"):
            find_target(name, entries)
