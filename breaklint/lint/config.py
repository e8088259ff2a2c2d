"""Settings from `[tool.breaklint]` of pyproject.toml or from breaklint.toml, and over them the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from breaklint.errors import ConfigError, SourceError
from breaklint.model import Settings, Severity
from breaklint.source.decoding import read_small

Table = Mapping[str, Any]
_LETTERS = frozenset("breaklint")
_LOG_FIXES = ("guard", "delete", "in-graph")
_TORCH = re.compile(r"(\d+\.\d+(?:\.\d+)?)(?:\+[\w.]+)?")  # with the build, as torch.__version__ has it


def load_settings(
    start: Path, config: Path | None = None, isolated: bool = False, overrides: Table | None = None
) -> Settings:
    """The settings for `start` (a file or folder): defaults, then the nearest configuration, then `overrides`.

    `config` names the configuration instead, `isolated` leaves every configuration out. `overrides` are fields of
    Settings, where None means not given: `select` asks anew, so that what the configuration selects and ignores no
    longer counts, and so does `fixable`; other lists add to it. ConfigError when a file cannot be read, or names an
    unknown key or a value of a wrong type.
    """
    settings = Settings()
    path = None if isolated else config or find_config(start)
    if path is not None:
        settings = replace(settings, **_fields(read_table(path), path), root=str(path.resolve().parent))
    return _overridden(settings, {name: value for name, value in (overrides or {}).items() if value is not None})


def _overridden(settings: Settings, given: dict[str, Any]) -> Settings:
    if "select" in given:
        settings = replace(settings, ignore=(), extend_select=())
    if "fixable" in given:
        settings = replace(settings, unfixable=())
    for name in ("ignore", "extend_select", "unfixable", "per_file_ignores", "exclude"):
        if name in given:
            given[name] = (*getattr(settings, name), *given[name])
    if "target_torch" in given:
        given["target_torch"] = _torch_version(given["target_torch"], "--target-torch")
    return replace(settings, **given)


def find_config(start: Path, misspelt: set[str] | None = None) -> Path | None:
    """The configuration nearest to `start`, going up; a pyproject.toml without `[tool.breaklint]` does not count.

    `misspelt` gets a line for every table on the way whose name is nearly that.
    """
    start = start.absolute()
    for folder in (start, *start.parents):
        if (own := folder / "breaklint.toml").is_file():
            return own
        project = folder / "pyproject.toml"
        if project.is_file():
            data = project.read_bytes()
            if b"breaklint" in data and any(head[:2] == ("tool", "breaklint") for head in _heads(data)):
                return project
            if misspelt is not None:
                misspelt.update(f"{project}: {told}" for told in _misspelt(data))
    return None


def _heads(data: bytes) -> Iterator[tuple[str, ...]]:
    """The names of a TOML file's tables, in parts."""
    for line in data.decode("utf-8", "replace").splitlines():
        head = line.strip()
        if head.startswith("["):
            yield tuple(part.strip(" \t\"'") for part in head.strip("[").partition("]")[0].split("."))


@lru_cache(maxsize=64)
def _misspelt(data: bytes) -> tuple[str, ...]:
    """What to tell of the tables of a pyproject.toml that were perhaps meant for breaklint."""
    names = {head[:2] if head[0] == "tool" else head[:1] for head in _heads(data)}
    likely = [name for name in names if len(_LETTERS & set(name[-1].lower())) >= len(_LETTERS) - 2]
    if not likely:
        return ()
    from difflib import get_close_matches  # few runs need it

    near = [name for name in likely if get_close_matches(name[-1].lower(), ["breaklint"], cutoff=0.85)]
    return tuple(f"[{'.'.join(name)}] is not read; did you mean [tool.breaklint]?" for name in sorted(near))


def read_table(path: Path) -> Table:
    """All that a configuration file says to breaklint; ConfigError when it cannot be read."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        text = read_small(str(path)).decode("utf-8")
        data: dict[str, Any] = tomllib.loads(text)
    except SourceError as error:
        raise ConfigError(str(error)) from error
    except RecursionError as error:
        raise ConfigError(f"{path}: is nested too deeply") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is not TOML: {error}") from error
    if path.name != "pyproject.toml":
        return data
    tools = data.get("tool", {})
    if not isinstance(tools, dict) or "breaklint" not in tools:
        raise ConfigError("; ".join((f"{path}: has no [tool.breaklint]", *_misspelt(text.encode()))))
    table = tools["breaklint"]
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.breaklint must be a table")
    return table


def _fields(table: Table, path: Path) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("tool", "breaklint") and path.name != "pyproject.toml":
            raise ConfigError(f"{path}: `[{key}]`: here the keys stand by themselves, without [tool.breaklint]")
        if key not in READERS:
            raise ConfigError(f"{path}: unknown key `{key}`{suggestion(key, READERS)}")
        fields[key.replace("-", "_")] = READERS[key](value, f"{path}: `{key}`")
    fields.pop("verify", None)
    # Paths of cards are relative to the file that names them, wherever breaklint runs.
    fields["rules"] = tuple(str(path.resolve().parent / rule) for rule in fields.get("rules", ()))
    return fields


def suggestion(key: str, known: Iterable[str]) -> str:
    """What an unknown key was perhaps meant to be, as the end of an error's line."""
    from breaklint.source.did_you_mean import did_you_mean  # of use to errors only

    return did_you_mean(key, known, f"; known are {', '.join(sorted(known))}")


def strings(value: object, where: str) -> tuple[str, ...]:
    """A list of strings as a tuple; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where} must be a list of strings, not {_shown(value)}")
    return tuple(value)


def _strings_by_pattern(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table of lists of codes by file pattern, not {_shown(value)}")
    return tuple((pattern, strings(codes, f"{where} of {pattern!r}")) for pattern, codes in value.items())


def _severities(value: object, where: str) -> tuple[tuple[str, str], ...]:
    known = [severity.value for severity in Severity]
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table of severities by code, not {_shown(value)}")
    for selector, severity in value.items():
        if severity not in known:
            remedy = "; `ignore` turns a rule off" if severity in ("off", "none", False) else ""
            raise ConfigError(f"{where} of {selector!r} must be {' or '.join(known)}, not {_shown(severity)}{remedy}")
    return tuple(value.items())


def _tables(value: object, where: str) -> object:
    """What the tables hold is read by `breaklint verify` alone."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ConfigError(f"{where} must be tables, each headed [[verify]] or [[tool.breaklint.verify]]")
    return value


def _torch_version(value: object, where: str) -> str:
    found = _TORCH.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ConfigError(f'{where} must be a torch version such as "2.13", not {_shown(value)}')
    return found[1]


def _log_fix(value: object, where: str) -> str:
    if value not in _LOG_FIXES:
        raise ConfigError(f"{where} must be one of {', '.join(_LOG_FIXES)}, not {_shown(value)}")
    return str(value)


def flag(value: object, where: str) -> bool:
    """True or false; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false, not {_shown(value)}")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


READERS: dict[str, Callable[[object, str], object]] = {
    "select": strings,
    "ignore": strings,
    "extend-select": strings,
    "show-callers": flag,
    "conditional": flag,
    "per-file-ignores": _strings_by_pattern,
    "fixable": strings,
    "unfixable": strings,
    "extend-safe-fixes": strings,
    "extend-unsafe-fixes": strings,
    "severity": _severities,
    "exclude": strings,
    "target-torch": _torch_version,
    "rules": strings,
    "log-fix": _log_fix,
    "verify": _tables,
}
