"""The engines of an editor, which keep the files that imports lead to from one keystroke to the next."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.source.decoding import read_source


class Engines:
    """Engines by settings and roots."""

    def __init__(self) -> None:
        self._engines: dict[tuple[Settings, tuple[str, ...]], Engine] = {}
        self._texts: Mapping[str, str] = {}

    def engine(self, settings: Settings, roots: Sequence[str], texts: Mapping[str, str]) -> Engine:
        """An engine that reads open texts, by absolute path, before files."""
        self._texts = texts
        key = (settings, tuple(roots))
        if key not in self._engines:
            self._engines[key] = Engine(settings, [Path(root) for root in roots], self._read)
        engine = self._engines[key]
        engine.forget()
        engine.project.refresh(texts)
        return engine

    def forget(self) -> None:
        """Read all files again, because some may have changed on disk."""
        self._engines.clear()

    def _read(self, path: str) -> str:
        return read_open(path, self._texts)


def read_open(path: str, texts: Mapping[str, str]) -> str:
    """The text of a file as it is in the editor, else on disk."""
    text = texts.get(os.path.abspath(path))
    return read_source(path).text if text is None else text
