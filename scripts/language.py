"""Count patterns that the style of the documentation avoids, in pages, docstrings and messages of rules.

    python scripts/language.py              a table: patterns by kind of text
    python scripts/language.py 1 8 [PATH]   the places of patterns 1 and 8, of all texts or of those below PATH

It is not a gate: a pattern also matches good sentences, such as a question that begins with "what".
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

PROJECT = Path(__file__).resolve().parent.parent
GENERATED = ("docs/rules/", "docs/graph-breaks.md", "docs/torch/")
KEYS = ("summary", "why", "message", "help", "no_fix", "note")
MOST_WORDS = 25
PATTERNS = {
    1: ('"what" as a noun', r"(?<![.?!] )(?<!^)\bwhat(?:ever)?\b"),
    2: ("a fronted Of, Where or What", r"(?:^|[.!?] )(?:Of|Where|What)\b(?![^.]*\?)"),
    3: ('"where" for "if"', r", where\b|\bwhere (?:it|they|there|that|a|an|the|no|nothing)\b"),
    4: ('"is no" for "is not a"', r"\b(?:is|are) no\b"),
    5: ("a tool that talks", r"\b(?:says?|said|knows?|known|doubts?|doubted|asks?|asked|tells?|told)\b"),
    6: ("a long sentence, or a chain of colons and semicolons", ""),
    7: ("space for logic", r"\b(?:stands?|stood|behind|comes? to|leads? to|handed|kept)\b"),
    8: ("a house term", r"\b(?:rows?|remed(?:y|ies)|arms?|forms? of inputs|laws?|exams?|hostile|attack\w*)\b"),
    9: ("an ellipsis", r", too\b|\bas (?:they|it) did\b|\b(?:a|one) \w+ a \w+[,.;:]"),
    10: (
        "history, or a riddle",
        r"\bsince then\b|\bnot visible here\b|\bno longer\b|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,8}\b",
    ),
}


class Text(NamedTuple):
    """A paragraph of prose with its place."""

    kind: str
    path: str
    line: int
    words: str


def pages() -> Iterator[Text]:
    """Paragraphs of the pages written by hand, without code and tables."""
    for path in sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")]):
        name = path.relative_to(PROJECT).as_posix()
        if not name.startswith(GENERATED):
            text = re.sub(
                r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), path.read_text("utf-8"), flags=re.M | re.S
            )
            yield from paragraphs("pages", name, 1, re.sub(r"`[^`\n]*`", "`code`", text))


def docstrings() -> Iterator[Text]:
    """Docstrings of the package and the scripts."""
    for path in sorted([*(PROJECT / "breaklint").rglob("*.py"), *(PROJECT / "scripts").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    yield from paragraphs("docstrings", path.relative_to(PROJECT).as_posix(), node.body[0].lineno, text)


def messages() -> Iterator[Text]:
    """Texts of the rule cards."""
    for path in sorted((PROJECT / "rules").glob("*.yaml")):
        source = path.read_text("utf-8")
        for text in strings(yaml.safe_load(source)):
            line = source.count("\n", 0, max(source.find(text.split("\n")[0]), 0)) + 1
            yield from paragraphs("messages", path.relative_to(PROJECT).as_posix(), line, text)


def strings(value: object, key: str = "") -> Iterator[str]:
    """The texts below KEYS of a card."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from strings(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, key)
    elif isinstance(value, str) and key in KEYS:
        yield value


def paragraphs(kind: str, path: str, line: int, text: str) -> Iterator[Text]:
    """Paragraphs of a text, each on one line."""
    for match in re.finditer(r"(?:^(?!\s*(?:\||#|<)).+\n?)+", text, re.M):
        yield Text(kind, path, line + text.count("\n", 0, match.start()), " ".join(match[0].split()))


def matches(text: Text) -> Iterator[tuple[int, str]]:
    """The number and the sentence of each pattern in a text."""
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z`*])", text.words):
        for number, (_, pattern) in PATTERNS.items():
            chained = len(re.findall(r"[:;] ", sentence)) > 1 or len(sentence.split()) > MOST_WORDS
            if chained if number == 6 else re.search(pattern, sentence):
                yield number, sentence


def main() -> int:
    """Print the table, or the places of the given patterns."""
    expected = {int(word) for word in sys.argv[1:] if word.isdigit()}
    below = tuple(word for word in sys.argv[1:] if not word.isdigit()) or ("",)
    counts: Counter[tuple[int, str]] = Counter()
    for text in (*pages(), *docstrings(), *messages()):
        for number, sentence in matches(text) if text.path.startswith(below) else ():
            counts[number, text.kind] += 1
            if number in expected:
                print(f"{text.path}:{text.line}: {number}: {sentence}")
    if not expected:
        print(f"{'':56}pages  docstrings  messages")
        for number, (title, _) in PATTERNS.items():
            row = [counts[number, kind] for kind in ("pages", "docstrings", "messages")]
            print(f"{number:2} {title:52}{row[0]:6}{row[1]:12}{row[2]:10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
