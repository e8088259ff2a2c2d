"""How reports name files."""

from __future__ import annotations

from pathlib import Path


def shown(filename: str) -> str:
    """The path relative to the current folder if the file is below it, so that reports are portable."""
    return filename.removeprefix(_here())


def shown_in(message: str) -> str:
    """A message with the paths in it shortened alike."""
    return message.replace(_here(), "")


def _here() -> str:
    return str(Path.cwd() / "_")[:-1]
