"""Finding and reading configuration files: breaklint.toml, and `[tool.breaklint]` of pyproject.toml."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from breaklint.errors import ConfigError, SourceError
from breaklint.lint.config_values import KEYS, strings
from breaklint.source.decoding import read_small

Table = Mapping[str, Any]
_TEXT = re.compile(r"[^\s\"'\[\]{}=#][^\"'\[\]{}=#]*")  # a value without quotes on a command line
# The head of the table of breaklint, perhaps after a byte order mark.
_HEAD = re.compile(rb"""^(?:\xef\xbb\xbf)?\s*\[+\s*["']?tool["']?\s*\.\s*["']?breaklint["']?\s*[.\]]""", re.MULTILINE)


def find_config(start: Path) -> Path | None:
    """The configuration nearest to `start`, going up; a pyproject.toml without `[tool.breaklint]` does not count.

    Folders that may not be searched have none. ConfigError when a pyproject.toml cannot be read.
    """
    start = start.absolute()
    candidates = (config_in(str(folder)) for folder in (start, *start.parents))
    return next((path for path in candidates if path is not None), None)


def config_in(folder: str) -> Path | None:
    """The configuration in a folder itself, as `find_config`."""
    if os.path.isfile(own := os.path.join(folder, "breaklint.toml")):
        return Path(own)
    if os.path.isfile(path := os.path.join(folder, "pyproject.toml")):
        data = _read(Path(path))
        return Path(path) if b"breaklint" in data and _HEAD.search(data) else None
    return None


def _read(path: Path) -> bytes:
    try:
        return read_small(str(path))
    except SourceError as error:
        raise ConfigError(str(error)) from error


def read_keys(lines: Sequence[str]) -> Table:
    """The values of several `--config KEY=VALUE`: TOML, or text without quotes.

    Shells remove quotes, so `ignore=BRK1,BRK2` is a list and `target-torch=2.13` a string. Raises ConfigError for other
    values.
    """
    results: dict[str, Any] = {}
    for line in lines:
        key, _, text = (part.strip() for part in line.partition("="))
        if not _TEXT.fullmatch(text) or text in ("true", "false"):
            results.update(parse_toml(line.encode(), f"--config {line}"))
        else:
            is_list = key in KEYS and KEYS[key].read is strings
            results[key] = [part.strip() for part in text.split(",")] if is_list else text
    return results


def parse_toml(data: bytes, where: str) -> dict[str, Any]:
    """The table of a TOML text; ConfigError that names `where` if it is not TOML."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        table: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))  # some editors of Windows write the mark
    except RecursionError as error:
        raise ConfigError(f"{where}: is nested too deeply") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where}: is not TOML: {error}") from error
    return table


def read_table(path: Path) -> Table:
    """The table of a configuration file for breaklint; raises ConfigError if it cannot be read."""
    data = parse_toml(_read(path), str(path))
    if path.name != "pyproject.toml":
        return data
    tools = data.get("tool", {})
    if not isinstance(tools, dict) or "breaklint" not in tools:
        raise ConfigError(f"{path}: has no [tool.breaklint]")
    table = tools["breaklint"]
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.breaklint must be a table")
    return table
