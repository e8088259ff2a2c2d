"""The files that a target's forward reaches, with their findings and their text after the fixes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.errors import RuleBug, SourceError
from breaklint.model import FileResult, Finding, Settings
from breaklint.source.decoding import read_source

if TYPE_CHECKING:
    from breaklint.lint.engine import Engine

Function = tuple[str, int]
"""A file, and the first row of a function in it, its decorators included."""


@dataclass(frozen=True)
class Coverage:
    """The functions and lines, by file and row, that ran when the model was built or called; None: all count."""

    functions: frozenset[Function] | None = None
    lines: frozenset[tuple[str, int]] | None = None

    @property
    def files(self) -> list[str]:
        """The files that they lie in."""
        return sorted({path for path, _ in self.functions or ()})

    def has(self, finding: Finding, text: str) -> bool:
        """Whether the function with a finding ran; a finding outside of functions ran when its file was imported."""
        if self.functions is None:
            return True
        first = innermost(text, finding.span.start.row)
        return first is None or (finding.filename, first) in self.functions

    def has_line(self, finding: Finding) -> bool:
        """Whether a line of the finding ran; also true if the lines that ran were not recorded."""
        return self.lines is None or any((finding.filename, row) in self.lines for row in finding.span.rows)


def innermost(text: str, row: int) -> int | None:
    """The first row of the innermost function around a row; None outside of functions, or if the text is not Python."""
    first_row = None
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= row <= (node.end_lineno or row) and (first_row is None or first > first_row):
                first_row = first
    return first_row


@dataclass(frozen=True)
class Region:
    """Files, by path with their texts, that are checked and fixed together, each with the settings of its folder."""

    texts: Mapping[str, str]
    settings_of: Callable[[str], Settings]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in these files, each once."""
        from breaklint.lint.merging import merge

        return merge(self._checked(self.texts), list(self.texts))

    def fixed(self) -> dict[str, str]:
        """The texts that `check --fix --unsafe-fixes` writes, of those files that it changes."""
        from breaklint.fixes.apply import fix_files

        def recheck(texts: Mapping[str, str], _: Set[str]) -> list[FileResult]:
            return self._checked({**self.texts, **texts})

        fixed = fix_files(recheck({}, set()), self.texts.__getitem__, recheck, unsafe=True)
        for error in fixed.errors.values():
            raise RuleBug(error)
        return {path: text for path, text in fixed.texts.items() if text != self.texts[path]}

    def _checked(self, texts: Mapping[str, str]) -> list[FileResult]:
        from breaklint.lint.engine import Engine  # it loads every rule: only when there is something to check

        engines: dict[Settings, Engine] = {}
        for settings in self._settings.values():
            engines.setdefault(settings, Engine(settings, read=lambda path: self._read(path, texts)))
        return [engines[self._settings[path]].check(path, text) for path, text in texts.items()]

    @cached_property
    def _settings(self) -> dict[str, Settings]:
        return {path: self.settings_of(path) for path in self.texts}

    def _read(self, path: str, texts: Mapping[str, str]) -> str:
        text = texts.get(path)
        return text if text is not None else texts.get(str(Path(path).resolve())) or read_source(path).text


def readable(paths: Iterable[str], overrides: Mapping[str, str]) -> dict[str, str]:
    """The texts of files, or their overrides, without those that cannot be read, such as a notebook's cell."""
    texts: dict[str, str] = {}
    for path in dict.fromkeys(paths):
        try:
            texts[path] = overrides[path] if path in overrides else read_source(path).text
        except SourceError:
            continue
    return texts
