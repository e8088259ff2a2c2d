"""Pages, cards, help texts and code use the words of linters and PyTorch, which readers know or can look up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint

from breaklint.cli import COMMANDS

PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", PROJECT / "SECURITY.md", *(PROJECT / "docs").rglob("*.md")]
CARDS = sorted((PROJECT / "rules").glob("*.yaml"))
CODE = [
    path
    for name in ("rules", "lint", "output", "commands", "observe")
    for path in (PROJECT / "breaklint" / name).rglob("*.py")
]
LITERARY = re.compile(
    r"\b(?:kin|strangers?|lest|thereof|whence|hence|hitherto|whilst|upon|albeit|heed)\b", re.IGNORECASE
)
HOUSE_WORDS = re.compile(r"\b(?:tells? of|mend(?:s|ed|ing)?|anew|asked|stands? behind)\b", re.IGNORECASE)


def words(pattern: re.Pattern[str], path: Path) -> list[str]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return [f"{path.relative_to(PROJECT)}:{row}: {match[0]}" for row, line in lines for match in pattern.finditer(line)]


def test_pages_cards_and_code_use_the_words_of_the_field() -> None:
    assert [found for path in [*sorted(PAGES), *CARDS, *sorted(CODE)] for found in words(HOUSE_WORDS, path)] == []


def test_no_word_is_one_of_literature() -> None:
    package = sorted((PROJECT / "breaklint").rglob("*.py"))
    assert [found for path in [*sorted(PAGES), *CARDS, *package] for found in words(LITERARY, path)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_texts_use_the_words_of_the_field(name: str, breaklint: RunBreaklint) -> None:
    done = breaklint(name, "--help")
    assert done.returncode == 0
    assert [match[0] for match in HOUSE_WORDS.finditer(done.stdout)] == []
