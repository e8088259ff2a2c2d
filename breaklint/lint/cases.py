"""Test cases in Markdown: fenced Python with the expected findings as comments. Check and fix run, the code does not.

A heading starts a case. Its block ```python is the file `model.py`, or the file that ```python title="pkg/net.py"
names; each further title starts another file. A block ```toml holds settings: of its case, or of all cases if it
follows the title of the page. ```python fixed holds the first file after the safe fixes, ```python fixed unsafe after
all fixes. ```python prelude precedes the first file of every later case. If its last line is `...`, the case replaces
this line and takes its indentation.

Expectations are comments: `# BRK201`, `# BRK201, BRK301`, `# BRK201 when: self.debug`, `# no finding`. A line without a
comment has no finding either. `# missed` marks a break that check does not report, `# wrong BRK201` a finding on a line
that does not break.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

from breaklint.errors import ConfigError
from breaklint.lint.config import load_settings
from breaklint.lint.config_files import parse_toml
from breaklint.lint.engine import Engine
from breaklint.lint.merging import merge
from breaklint.model import Finding, Settings

BLOCK = re.compile(r"^(?P<fence>```+)(?P<kind>python|toml)\b(?P<info>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
HEADING = re.compile(r"^(#+) +(.+?) *$", re.M)
TITLE = re.compile(r'title="([^"]+)"')
CODE = r"[A-Z]{2,}\d{3}"
MARK = re.compile(rf"# (?:(?:wrong )?(?P<codes>{CODE}(?:, {CODE})*)(?: when: (?P<when>.+))?|missed|no finding)$")
FIRST = "model.py"


@dataclass(frozen=True)
class File:
    """A file of a case. Line 1 of `text` is line `line` of the page; lines of a prelude have smaller numbers."""

    text: str
    line: int


@dataclass(frozen=True)
class Case:
    """A section of a page: its files, the first file after the fix, and settings."""

    page: Path
    name: str
    files: dict[str, File] = field(default_factory=dict)
    fixed: dict[bool, File] = field(default_factory=dict)  # by whether unsafe fixes are applied
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Mark:
    """An expectation of a line: codes, and their condition if it is stated."""

    codes: tuple[str, ...]
    when: str

    def fits(self, finding: Finding) -> bool:
        """Whether the finding is expected."""
        return finding.code in self.codes and self.when in ("", finding.when)


def read_cases(page: Path) -> list[Case]:
    """The cases of a page. ConfigError: a block of settings is not TOML."""
    text = page.read_text("utf-8")
    blocks = list(BLOCK.finditer(text))
    inside = [range(*block.span()) for block in blocks]
    headings = [match for match in HEADING.finditer(text) if not any(match.start() in part for part in inside)]
    cases: dict[int, Case] = {}
    common: dict[str, Any] = {}
    prelude = ""
    for block in blocks:
        heading = next((match for match in reversed(headings) if match.start() < block.start()), None)
        name, place = (heading[2], heading.start()) if heading else (page.stem, -1)
        words, line = block["info"].split(), text.count("\n", 0, block.start()) + 2
        if block["kind"] == "toml" and (heading is None or heading[1] == "#"):
            common.update(parse_toml(block["text"].encode(), f"{page}:{line}"))
        elif "prelude" in words:
            prelude = block["text"]
        else:
            case = cases.setdefault(place, Case(page, name, settings={**common}))
            if block["kind"] == "toml":
                case.settings.update(parse_toml(block["text"].encode(), f"{page}:{line}"))
            else:
                _add(case, block, line, prelude)
    return [case for case in cases.values() if case.files]


def _add(case: Case, block: re.Match[str], line: int, prelude: str) -> None:
    words, title = block["info"].split(), TITLE.search(block["info"])
    whole = with_prelude(prelude, block["text"]) if "fixed" in words or not case.files else block["text"]
    file = File(whole, line - whole.count("\n") + block["text"].count("\n"))
    if "fixed" in words:
        case.fixed["unsafe" in words] = file
    else:
        case.files[title[1] if title else FIRST] = file


def with_prelude(prelude: str, text: str) -> str:
    """A prelude and the text of a case, which replaces the prelude's last line if that is `...`."""
    lines = prelude.splitlines(keepends=True)
    if not lines or lines[-1].strip() != "...":
        return prelude + text
    return "".join(lines[:-1]) + indent(text, lines[-1].partition("...")[0])


def failures(case: Case, base: Settings | None = None) -> list[str]:
    """One line per unmet expectation of a case. `base` has rules besides the built-in ones."""
    with tempfile.TemporaryDirectory(prefix="breaklint-cases-") as place:
        folder = Path(place).resolve()
        write_files(case, folder)
        try:
            settings = load_settings(folder, isolated=True, inline=case.settings)
        except ConfigError as error:
            return [f"{case.page}: {case.name}: {error}"]
        if base is not None:
            settings = settings._replace(rules=base.rules, python_rules=base.python_rules)
        return [*_check(case, folder, settings), *_check_fixes(case, folder, settings)]


def write_files(case: Case, folder: Path) -> None:
    """Write the files of a case into a folder."""
    for name, file in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(file.text, "utf-8")


def check_files(case: Case, folder: Path, settings: Settings) -> tuple[tuple[Finding, ...], list[str]]:
    """The findings in the files of a case in a folder, and the errors."""
    paths = [str(folder / name) for name in case.files if name.endswith((".py", ".pyi"))]
    engine = Engine(settings)
    results = [engine.check(path, Path(path).read_text("utf-8")) for path in paths]
    return merge(results, paths), [error for result in results for error in result.errors]


def _check(case: Case, folder: Path, settings: Settings) -> Iterator[str]:
    findings, errors = check_files(case, folder, settings)
    yield from (f"{case.page}: {case.name}: {error}" for error in errors)
    for name, file in case.files.items():
        here = {finding for finding in findings if Path(finding.filename) == folder / name}
        yield from (f"{case.page}:{file.line + row - 1}: {text}" for row, text in sorted(_compare(file.text, here)))


def marks(text: str) -> dict[int, Mark]:
    """The expectations of a text by line."""
    matches = ((row, MARK.search(line)) for row, line in enumerate(text.splitlines(), 1))
    return {
        row: Mark(tuple(filter(None, (mark["codes"] or "").split(", "))), mark["when"] or "")
        for row, mark in matches
        if mark
    }


def _compare(text: str, findings: set[Finding]) -> Iterator[tuple[int, str]]:
    expected = marks(text)
    for finding in findings:
        if not any(row in expected and expected[row].fits(finding) for row in finding.span.rows):
            when = f" when: {finding.when}" if finding.when else ""
            yield finding.span.start.row, f"{finding.code}{when} is not expected: {finding.message}"
    for row, mark in expected.items():
        for code in mark.codes:
            if not any(
                row in finding.span.rows and mark.fits(finding) and finding.code == code for finding in findings
            ):
                yield row, f"{code}{f' when: {mark.when}' if mark.when else ''} is not reported"


def _check_fixes(case: Case, folder: Path, settings: Settings) -> Iterator[str]:
    name, file = next(iter(case.files.items()))
    for unsafe, expected in case.fixed.items():
        result = Engine(settings).fix(str(folder / name), file.text, unsafe)
        text = file.text if result.text is None else result.text
        if text.rstrip() != expected.text.rstrip():
            yield f"{case.page}:{expected.line}: the fix writes something else:\n{text.rstrip()}"
