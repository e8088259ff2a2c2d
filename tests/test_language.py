"""Pages, cards, help texts and code use the words of linters and PyTorch, which readers know or can look up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from harness import PROJECT

from breaklint.cli import COMMANDS, cli

PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", PROJECT / "SECURITY.md", *(PROJECT / "docs").rglob("*.md")]
CARDS = sorted((PROJECT / "rules").glob("*.yaml"))
CODE = [
    path
    for name in ("rules", "lint", "output", "commands", "observe")
    for path in (PROJECT / "breaklint" / name).rglob("*.py")
]
TOOLS = sorted(path for name in ("tests", "benchmarks", "scripts") for path in (PROJECT / name).rglob("*.py"))
LITERARY = re.compile(
    r"\b(?:kin|strangers?|lest|thereof|whence|hence|hitherto|whilst|upon|albeit|heed|seldom|thrice|naught|vouch\w*"
    r"|anew|in vain|at rest|comes? to rest|in its stead|go(?:es)? astray"
    r"|but for|for good|for ever|for the sake of|to blame|whosoever|aloud|in disguise|strays?|hardly ever)\b",
    re.IGNORECASE,
)
# An unnamed person is no part of a program: a call, an argument, a process or a user does what is described.
PERSONS = re.compile(r"(?:\b|_)(?:nobody|somebody|anybody|everybody|whoever)(?:\b|_)", re.IGNORECASE)
REPAIRS = re.compile(r"(?:\b|_)mend(?:s|ed|ing)?(?:\b|_)", re.IGNORECASE)
HOUSE_WORDS = re.compile(r"\b(?:tells? of|mend(?:s|ed|ing)?|anew|asked|stands? behind)\b", re.IGNORECASE)


MERGE = re.compile(r"^(?:<{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)


def words(pattern: re.Pattern[str], path: Path) -> list[str]:
    text = path.read_text("utf-8")
    found = [(text.count("\n", 0, match.start()) + 1, match[0]) for match in pattern.finditer(text)]
    return [f"{path.relative_to(PROJECT)}:{row}: {word}" for row, word in found]


def test_pages_cards_and_code_use_the_words_of_the_field() -> None:
    assert [found for path in [*sorted(PAGES), *CARDS, *sorted(CODE)] for found in words(HOUSE_WORDS, path)] == []


def test_no_word_is_one_of_literature() -> None:
    package = sorted((PROJECT / "breaklint").rglob("*.py"))
    assert [found for path in [*sorted(PAGES), *CARDS, *package] for found in words(LITERARY, path)] == []


@pytest.mark.parametrize("pattern", [PERSONS, REPAIRS])
def test_no_comment_and_no_name_has_these_words(pattern: re.Pattern[str]) -> None:
    package = sorted((PROJECT / "breaklint").rglob("*.py"))
    results = sorted((PROJECT / "benchmarks").rglob("*.md"))
    every = {*PAGES, *CARDS, *package, *TOOLS, *results} - {Path(__file__)}
    assert [found for path in sorted(every) for found in words(pattern, path)] == []


def test_no_conflict_of_a_merge_is_left() -> None:
    package = sorted((PROJECT / "breaklint").rglob("*.py"))
    every = {*PAGES, PROJECT / "CHANGELOG.md", *CARDS, *package, *TOOLS} - {Path(__file__)}
    assert [found for path in sorted(every) for found in words(MERGE, path)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_texts_use_the_words_of_the_field(name: str) -> None:
    done = CliRunner().invoke(cli, [name, "--help"])
    assert (done.exit_code, "Usage" in done.stdout) == (0, True)
    assert [match[0] for match in HOUSE_WORDS.finditer(done.stdout)] == []
