"""The targets that a configuration describes: `[[tool.breaklint.verify]]`, or `[[verify]]` in breaklint.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breaklint.errors import ConfigError
from breaklint.lint.config_files import find_config, read_table
from breaklint.lint.config_values import Reader, flag, is_text, reader, strings, suggestion
from breaklint.verify.targets.specs import SpecError, is_spec, read_spec

Table = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """One target of the configuration: `target` is as on the command line, relative to the folder `root`.

    `inputs` and `init` are arguments of forward and of the constructor. `sizes` are the values of names in them: the
    first set is timed, the others are compared. `options` are fields of VerifyOptions.
    """

    name: str
    target: str
    root: Path
    init: Any = None
    inputs: Any = None
    sizes: tuple[dict[str, int], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


def load_entries(start: Path, config: Path | None = None, isolated: bool = False) -> tuple[Entry, ...]:
    """The entries of the configuration for `start`; ConfigError if one is wrong."""
    path = None if isolated else config or find_config(start)
    tables = [] if path is None else read_table(path).get("verify", [])
    entries = tuple(_entry(table, number, path) for number, table in enumerate(tables, 1) if path is not None)
    names = [entry.name for entry in entries]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"{path}: two [[verify]] entries are named `{twice}`")
    return entries


def _entry(table: Table, number: int, path: Path) -> Entry:
    where = f"{path}: [[verify]] {table.get('name', f'number {number}')}"
    for key in table:
        if key not in _READERS:
            raise ConfigError(f"{where}: unknown key `{key}`{suggestion(key, _READERS)}")
    for key in ("name", "target"):
        if key not in table:
            raise ConfigError(f"{where}: `{key}` is missing")
    values = {key.replace("-", "_"): _READERS[key](value, f"{where}: `{key}`") for key, value in table.items()}
    root = path.resolve().parent
    if "own_paths" in values:
        values["own_paths"] = tuple(str(root / own) for own in values["own_paths"])
    fields = {key: values.pop(key) for key in ("name", "target", "init", "inputs", "sizes") if key in values}
    entry = Entry(**fields, root=root, options=values)
    _check_names(entry, where)
    return entry


def _check_names(entry: Entry, where: str) -> None:
    for sizes in entry.sizes or ({},):
        for text in _texts([entry.inputs, entry.init]):
            try:
                read_spec(text).sizes(sizes)
            except SpecError as error:
                raise ConfigError(f"{where}: {error}") from error


def _texts(value: object) -> list[str]:
    """All tensor texts in a value, however deep."""
    if isinstance(value, str):
        return [value] if is_spec(value) else []
    children = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for child in children for text in _texts(child)]


def _sizes(value: object, where: str) -> tuple[dict[str, int], ...]:
    tables = value if isinstance(value, list) else [value]
    for table in tables:
        if not isinstance(table, dict) or not all(_is_count(size) for size in table.values()):
            raise ConfigError(f"{where} must be a table such as {{ B = 8 }}, or a list of them, not {table!r}")
    return tuple(tables)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_TEXT = reader(is_text, "a string")
_ARGUMENTS = reader(lambda value: isinstance(value, list | dict), "a list of arguments or a table of them by name")


# Keys of a target in the configuration.
_READERS: dict[str, Reader] = {
    "name": _TEXT,
    "target": _TEXT,
    "init": _ARGUMENTS,
    "inputs": _ARGUMENTS,
    "sizes": _sizes,
    "train": flag,
    "own-paths": strings,
    "allow-break": strings,
}
