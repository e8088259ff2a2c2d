"""Settings from `[tool.breaklint]` of pyproject.toml or from breaklint.toml, and over them the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breaklint.errors import ConfigError
from breaklint.lint.config_files import Table, find_config, read_table
from breaklint.lint.config_values import KEYS, suggestion, torch_version
from breaklint.lint.user_config import with_rules
from breaklint.model import Settings
from breaklint.source.patterns import is_pattern


def load_settings(
    start: Path,
    config: Path | None = None,
    isolated: bool = False,
    overrides: Table | None = None,
    inline: Table | None = None,
    base: Settings | None = None,
) -> Settings:
    """The settings for `start` (a file or folder): defaults, then the nearest configuration, then `overrides`.

    `config` names the configuration instead, `isolated` ignores every configuration. `overrides` are fields of
    Settings, None if not set: `select` replaces the selection of the configuration (`select` and `ignore`), `fixable`
    likewise; other lists add to it. The user's own rules are added (user_config.py). `inline` are keys of a
    configuration that replace those of the file. `base` are other defaults.
    ConfigError if a file cannot be read, or contains an unknown key or a value of a wrong type or form.
    """
    settings = base or Settings()
    path = None if isolated else config or find_config(start)
    if path is not None:
        settings = settings._replace(**_layers(path), root=str(path.resolve().parent))
    if inline:
        settings = settings._replace(**_fields(inline, Path("--config"), Path.cwd()))
    options = {name: value for name, value in (overrides or {}).items() if value is not None}
    settings = _override(with_rules(settings, options.pop("rules", ()), isolated), options)
    for pattern in (*settings.exclude, *(pattern for pattern, _ in settings.per_file_ignores)):
        if not is_pattern(pattern):
            raise ConfigError(f"`{pattern}` is not a pattern of files")
    return settings


def _override(settings: Settings, options: dict[str, Any]) -> Settings:
    if "select" in options:
        settings = settings._replace(ignore=(), extend_select=())
    if "fixable" in options:
        settings = settings._replace(unfixable=())
    for name in ("ignore", "extend_select", "unfixable", "per_file_ignores", "exclude"):
        if name in options:
            options[name] = (*getattr(settings, name), *options[name])
    if "target_torch" in options:
        options["target_torch"] = torch_version(options["target_torch"], "--target-torch")
    return settings._replace(**options)


def _layers(path: Path, extending: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The fields of a configuration, over those of the one that it extends."""
    table = dict(read_table(path))
    fields = _fields(table, path, path.resolve().parent)
    if "extend" not in table:
        return fields
    base = path.resolve().parent / str(table["extend"])
    if base.resolve() in (seen := (*extending, path.resolve())):
        raise ConfigError(f"{path}: `extend`: {table['extend']} extends this file itself")
    if not base.is_file():
        raise ConfigError(f"{path}: `extend`: {table['extend']}: no such file")
    return {**_layers(base, seen), **fields}


def _fields(table: Table, path: Path, folder: Path) -> dict[str, Any]:
    """The fields of Settings in a table; paths in it are relative to `folder`."""
    fields: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("tool", "breaklint") and path.name != "pyproject.toml":
            raise ConfigError(f"{path}: `[{key}]`: in this file, write the keys without [tool.breaklint]")
        if key not in KEYS:
            raise ConfigError(f"{path}: unknown key `{key}`{suggestion(key, KEYS)}")
        fields[key.replace("-", "_")] = KEYS[key].read(value, f"{path}: `{key}`")
    for name in ("verify", "extend"):
        fields.pop(name, None)
    # Paths of cards, of the environment and of the baseline are relative to the file that names them, wherever
    # breaklint runs.
    for name in ("python", "baseline"):
        if name in fields:
            fields[name] = str(folder / fields[name])
    if "rules" in fields:
        fields["rules"] = tuple(str(folder / rule) for rule in fields["rules"])
    return fields
