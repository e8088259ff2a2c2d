"""What one text of a file shows does not hold for the next text of it."""

from __future__ import annotations

import os

from breaklint.analysis.file_index import FileIndex, file_index
from breaklint.analysis.given_files import GivenFiles
from breaklint.lint.file_indexes import module_of
from breaklint.project.folders import Folders
from breaklint.source.syntax import parse

PATH = os.path.abspath("net.py")
BASE = "class Base:\n    pass\n"
DERIVED = f"{BASE}\n\nclass Sub(Base):\n    pass\n"


def index(text: str) -> FileIndex:
    return file_index(module_of(PATH, text, parse(PATH, text), Folders()))


def test_a_class_that_comes_or_goes_between_two_texts_of_a_file_is_seen() -> None:
    files = GivenFiles((), lambda _path: None, Folders())
    found = []
    for text in (BASE, DERIVED, BASE):
        files.put(PATH, index(text))
        found.append([name for _, name in files.derived([(PATH, "Base")], [PATH])])
    assert found == [["Base"], ["Base", "Sub"], ["Base"]]
