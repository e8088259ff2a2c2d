"""Paths as reports name them, and as runs compare them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path


def shown(filename: str) -> str:
    """The path relative to the current folder if the file is below it, so that reports are portable."""
    return filename.removeprefix(_here())


def shown_in(message: str) -> str:
    """A message with the paths in it shortened alike."""
    return message.replace(_here(), "")


def _here() -> str:
    return str(Path.cwd() / "_")[:-1]


def absolutes() -> Callable[[str], str]:
    """A function that makes paths absolute and keeps links, unlike Path.resolve(); it computes each path once."""
    return _absolutes(os.getcwd())


@lru_cache(maxsize=1)
def _absolutes(_folder: str) -> Callable[[str], str]:
    return cache(os.path.abspath)
