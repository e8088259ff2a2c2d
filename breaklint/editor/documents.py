"""What is found in the text of an editor, saved or not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from breaklint.engine import Engine
from breaklint.merging import merge
from breaklint.model import Finding, Settings
from breaklint.source.decoding import read_source
from breaklint.source.ignoring import IgnoreTree


@dataclass(frozen=True, slots=True)
class Document:
    """A text with the file it is for, the settings of that file, and the folders and other texts of the editor.

    `others` are the texts of open documents by absolute path: imports lead to them, not to what was saved.
    """

    path: str
    text: str
    settings: Settings
    roots: Sequence[str] = ()
    others: Mapping[str, str] | None = None

    def lines(self) -> list[str]:
        """The lines, as findings count them."""
        return self.text.split("\n")

    def findings(self) -> tuple[Finding, ...]:
        """What `check` would tell; nothing for a file that the settings exclude."""
        if not Engine.may_matter(self.text.encode("utf-8", "surrogatepass")) or self._is_excluded():
            return ()
        return merge([self._engine().check(self.path, self.text)], [self.path])

    def fixed(self) -> str:
        """The text with all safe fixes; raises RuleBug when they would write what is no Python."""
        result = self._engine().fix(self.path, self.text, unsafe=False)
        return self.text if result.text is None else result.text

    def _is_excluded(self) -> bool:
        return IgnoreTree(self.settings.exclude, self.settings.root).hides(os.path.abspath(self.path))

    def _engine(self) -> Engine:
        return Engine(self.settings, [Path(root) for root in self.roots], self._read)

    def _read(self, path: str) -> str:
        text = (self.others or {}).get(os.path.abspath(path))
        return read_source(path).text if text is None else text
