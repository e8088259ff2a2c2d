"""Which files a fix run looks at again: those whose findings rest on what a fix changed, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint import run as runs
from breaklint.lint.parts import REST, cut_parts, differing
from breaklint.lint.workers import Mode, Worker
from breaklint.model import Settings

TEXT = (
    "import math\n\nLIMIT = 3\n\n\ndef first(x):\n    return x\n\n\n"
    "class Second:\n    def go(self, x):\n        return x\n"
)
LIBRARY = (
    "import torch\n\n\ndef noisy(x):\n    print(x.shape)\n    return x\n\n\ndef still(x):\n    return x + 1\n\n\n"
    "class Net(torch.nn.Module):\n    def forward(self, x):\n        return noisy(x)\n"
)
USER = (
    "import torch\nfrom library import {name}\n\n\n"
    "class Net(torch.nn.Module):\n    def forward(self, x):\n        return {name}(x)\n"
)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("return x\n\n\nclass", "return x + 1\n\n\nclass", {"first"}),
        ("        return x\n", "        x = x + 1\n        return x\n", {"Second"}),
        ("import math\n", "import math\nimport torch\n", {REST}),
        ("\n\n\ndef first", "\n\n\n\n\ndef first", set()),
        ("LIMIT = 3", "LIMIT = 4", {REST}),
        ("import math", "import cmath", {REST}),
        ("def first", "def other", {REST, "first", "other"}),
        ("    return x\n\n\nclass", "    yield x\n\n\nclass", {REST, "first"}),
        ("LIMIT = 3", "LIMIT = '''\ndef first(x):\n'''", {REST, "first", "Second"}),
    ],
    ids=["function", "method", "import", "blank rows", "value", "other import", "name", "yield", "text"],
)
def test_what_two_texts_differ_in(old: str, new: str, names: set[str]) -> None:
    assert differing(cut_parts(TEXT), cut_parts(TEXT.replace(old, new))) == names


def test_only_files_that_reach_what_changed_are_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"library.py": LIBRARY, "a.py": USER.format(name="noisy"), "b.py": USER.format(name="still")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    looked: list[str] = []
    look = Worker.file
    monkeypatch.setattr(Worker, "file", lambda self, path: looked.append(Path(path).name) or look(self, path))
    fixed = runs.run([str(tmp_path)], Settings(), Mode(fix=True, unsafe=True, write=True), jobs=1)
    assert looked == ["a.py", "b.py", "library.py", "a.py", "library.py"]
    assert fixed.findings == runs.run([str(tmp_path)], Settings(), jobs=1).findings
    assert "is_compiling" in (tmp_path / "library.py").read_text()
