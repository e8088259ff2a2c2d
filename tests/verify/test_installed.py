"""Which files are a library's: those of Python, and those in folders that libraries were installed into."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("torch")

from breaklint.verify.arm.process import is_installed


def test_files_of_python_and_of_its_libraries_are_installed() -> None:
    assert is_installed(os.__file__)
    assert is_installed(pytest.__file__)
    assert is_installed(sysconfig.get_paths()["purelib"])
    assert not is_installed(__file__)


def test_a_folder_of_the_search_path_is_a_librarys_where_a_distribution_lies_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert not is_installed(str(tmp_path / "site-packages-notes" / "net.py"))
    other = tmp_path / "libraries"
    (other / "scatter-1.0.dist-info").mkdir(parents=True)
    assert not is_installed(str(other / "scatter.py"))  # it is not imported from there
    monkeypatch.syspath_prepend(other)
    assert is_installed(str(other / "scatter.py"))
    assert not is_installed(str(tmp_path / "libraries_of_mine.py"))
