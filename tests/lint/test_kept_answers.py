"""Answers about other files that are kept from run to run: they are those of a run without a cache, and asked once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from harness import WriteFiles, age

from breaklint.analysis.integrity import Integrity
from breaklint.analysis.questions import Question
from breaklint.lint.run import run
from breaklint.model import Finding, Settings

NET = """\
import numpy as np
import torch

SIZES = [1, 2]


class Net(torch.nn.Module):
    sizes = [2, 3]

    def forward(self, x: torch.Tensor):
        return x * int(np.prod([SIZES[0]])) * int(np.prod([self.sizes[0]]))
"""
DERIVED = """\
import numpy as np
from pkg.net import Net


class Derived(Net):
    def forward(self, x):
        return super().forward(x) * int(np.prod([self.sizes[0]]))

    def grow(self):
        return len(self.sizes)
"""
PLAIN = "from pkg import net\n\nx = 1\n"
FILES = {"pkg/__init__.py": "", "pkg/net.py": NET, "pkg/derived.py": DERIVED, "pkg/plain.py": PLAIN}
FILES |= {f"pkg/other{number}.py": f"x = {number}\n" for number in range(8)}  # a handful of files needs no cache

# What is done to which file, one after the other; None removes it.
EDITS = {
    "a comment": ("pkg/plain.py", PLAIN + "# nothing\n"),
    "a function of a library is replaced": ("pkg/plain.py", PLAIN + "import math\n\nmath.prod = None\n"),
    "it is no longer": ("pkg/plain.py", PLAIN),
    "a file that does not parse": ("pkg/plain.py", "def f(:\n"),
    "it parses again, and stores an attribute": ("pkg/plain.py", PLAIN + "net.Net.sizes = []\n"),
    "a list of another file is changed": ("pkg/plain.py", PLAIN + "net.SIZES.append(1)\n"),
    "a file is gone": ("pkg/plain.py", None),
    "a deriving class changes a list": ("pkg/derived.py", DERIVED.replace("len(self.sizes)", "self.sizes.sort()")),
    "it does no longer": ("pkg/derived.py", DERIVED),
    "the file itself": ("pkg/net.py", NET + "\n\ndef grow():\n    SIZES.append(1)\n"),
    "a new file": ("pkg/more.py", "from pkg.net import Net\n\nNet.forward = print\n"),
}  # fmt: skip


@pytest.fixture
def folder(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = write_files(FILES)
    monkeypatch.chdir(found)
    age(found)
    return found


def checked(cache: Path | None) -> tuple[Finding, ...]:
    return run(["pkg"], Settings(), cache=cache, jobs=1).findings


def test_answers_from_the_cache_are_those_of_a_run_without_one(folder: Path) -> None:
    cache, seen = folder / "kept", set()
    assert checked(cache) == checked(None)
    for what, (name, text) in EDITS.items():
        path = folder / name
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
            age(path.parent)
        found = checked(None)
        assert checked(cache) == found, what
        assert checked(cache) == found, what
        seen.add(tuple(finding.fix and finding.fix.applicability for finding in found))
    assert len(seen) > 2  # the edits do matter to fixes


def asked(monkeypatch: pytest.MonkeyPatch, cache: Path) -> set[str]:
    """The names of the files about which a run asks something."""
    found: set[str] = set()
    doubts = Integrity.doubts

    def noted(self: Integrity, question: Question, followed: list[str]) -> str:
        found.add(os.path.basename(question.path))
        return doubts(self, question, followed)

    with monkeypatch.context() as patched:
        patched.setattr(Integrity, "doubts", noted)
        checked(cache)
    return found


def test_answers_are_asked_for_again_only_where_an_index_or_a_question_has_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = folder / "kept"
    both = {"net.py", "derived.py"}
    assert asked(monkeypatch, cache) == both

    def edited(name: str, text: str) -> set[str]:
        (folder / name).write_text(text)
        age(folder / "pkg")
        return asked(monkeypatch, cache)

    assert edited("pkg/plain.py", PLAIN + "# nothing\n") == set()
    assert edited("pkg/derived.py", DERIVED + "# nothing\n") == set()
    assert edited("pkg/plain.py", PLAIN + "net.SIZES.append(1)\n") == both
    changing = DERIVED.replace("len(self.sizes)", "self.sizes.sort()")
    assert edited("pkg/derived.py", changing) == both
    assert edited("pkg/other1.py", "x = 5\n") == set()
