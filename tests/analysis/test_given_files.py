"""Which files imports connect, what qualified names lead to, and which classes derive from others."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.analysis.connected import Connected
from breaklint.analysis.given_files import GivenFiles
from breaklint.lint.file_indexes import integrity_of
from breaklint.project.folders import Folders

PACKAGE = {
    "pkg/__init__.py": "from .base import Base\n",
    "pkg/base.py": "class Base:\n    pass\n",
    "pkg/net.py": "from . import Base\nclass Net(Base):\n    pass\nclass Deep(Net):\n    pass\n",
    "pkg/low.py": "import pkg.net\nclass Low(pkg.net.Deep):\n    pass\n",
    "main.py": "from pkg.low import *\nclass Main(Low):\n    pass\n",
    "apart.py": "class Base:\n    pass\nclass Net(Base):\n    pass\n",
    "helper.py": "def widen(module):\n    module.size = 1\n",
    "user.py": "import helper, pkg.base\n",
}


@pytest.fixture
def files(tmp_path: Path) -> GivenFiles:
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [str(tmp_path / name) for name in PACKAGE]
    return integrity_of(paths, lambda path: Path(path).read_text("utf-8"), Folders()).files


def test_files_that_lead_to_one_and_what_these_import_are_connected(files: GivenFiles, tmp_path: Path) -> None:
    def connected(name: str) -> set[str]:
        found = Connected(files, str(tmp_path / name), ()).paths()
        return {Path(path).relative_to(tmp_path).as_posix() for path in found}

    assert connected("apart.py") == set()
    assert connected("pkg/base.py") == PACKAGE.keys() - {"pkg/base.py", "apart.py"}
    assert connected("user.py") == {"helper.py", "pkg/base.py", "pkg/__init__.py"}


def test_classes_below_one_are_found_through_imports(files: GivenFiles, tmp_path: Path) -> None:
    base = str(tmp_path / "pkg/base.py"), "Base"
    found = files.derived([base], files.given)
    assert [name for _, name in found] == ["Base", "Net", "Deep", "Low", "Main"]


def test_a_given_file_is_read_once(tmp_path: Path) -> None:
    read: list[str] = []
    names = [f"m{number}.py" for number in range(300)]
    for name in names:
        (tmp_path / name).write_text("import m0\n", encoding="utf-8")

    def noted(path: str) -> str:
        read.append(path)
        return Path(path).read_text("utf-8")

    paths = [str(tmp_path / name) for name in names]
    files = integrity_of(paths, noted, Folders()).files
    for _ in range(2):
        for path in paths:
            files.index(path)
            Connected(files, path, ())
    assert sorted(read) == sorted(paths)
