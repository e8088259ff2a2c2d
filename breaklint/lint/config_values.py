"""The values of the keys of a configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from breaklint.errors import ConfigError
from breaklint.model import Severity

Reader = Callable[[object, str], Any]
_TORCH = re.compile(r"(\d+\.\d+(?:\.\d+)?)(?:\+[\w.]+)?")  # with the build, as torch.__version__ has it


def suggestion(key: str, valid: Iterable[str]) -> str:
    """A suggestion for an unknown key, as the end of an error message."""
    from breaklint.source.did_you_mean import did_you_mean  # of use to errors only

    return did_you_mean(key, valid, f"; valid are {', '.join(sorted(valid))}")


def strings(value: object, where: str) -> tuple[str, ...]:
    """A list of strings as a tuple; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where} must be a list of strings, not {_repr(value)}")
    return tuple(value)


def strings_by_pattern(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A table of lists of strings as pairs; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table of lists of codes by file pattern, not {_repr(value)}")
    return tuple((pattern, strings(codes, f"{where} of {pattern!r}")) for pattern, codes in value.items())


def severities(value: object, where: str) -> tuple[tuple[str, str], ...]:
    """A table of severities as pairs; ConfigError, beginning with `where`, for anything else."""
    names = [severity.value for severity in Severity]
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table of severities by code, not {_repr(value)}")
    for selector, severity in value.items():
        if severity not in names:
            remedy = "; `ignore` turns a rule off" if severity in ("off", "none", False) else ""
            raise ConfigError(f"{where} of {selector!r} must be {' or '.join(names)}, not {_repr(severity)}{remedy}")
    return tuple(value.items())


def tables(value: object, where: str) -> object:
    """A list of tables, whose keys `breaklint verify` alone reads; ConfigError, beginning with `where`, for others."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ConfigError(f"{where} must be tables, each headed [[verify]] or [[tool.breaklint.verify]]")
    return value


def torch_version(value: object, where: str) -> str:
    """A torch version without its build, or several; ConfigError, beginning with `where`, for anything else."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    result = [_TORCH.fullmatch(part.strip()) if isinstance(part, str) else None for part in parts]
    if not result or None in result:
        raise ConfigError(f'{where} must be a torch version such as "2.13", not {_repr(value)}')
    return ",".join(dict.fromkeys(item[1] for item in result if item))


def reader(is_valid: Callable[[Any], bool], expectation: str) -> Reader:
    """A reader of values that pass a test; ConfigError, beginning with `where`, for anything else."""

    def read(value: object, where: str) -> Any:
        if not is_valid(value):
            raise ConfigError(f"{where} must be {expectation}, not {_repr(value)}")
        return value

    return read


def is_text(value: object) -> bool:
    """Whether a value is a string that is not empty."""
    return isinstance(value, str) and value != ""


def _repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


flag = reader(lambda value: isinstance(value, bool), "true or false")
place = reader(is_text, "the path of an environment or its interpreter")
file_path = reader(is_text, "the path of a file")


class Key(NamedTuple):
    """A key of a configuration: its reader, and a sentence for editors; docs/configuration.md has more."""

    read: Reader
    meaning: str


KEYS: dict[str, Key] = {
    "select": Key(strings, "The enabled rules, by code, code prefix or name; all by default."),
    "ignore": Key(strings, "Disabled rules."),
    "extend-select": Key(strings, "Additional enabled rules."),
    "show-callers": Key(flag, "Also report calls of functions that break (BRK801)."),
    "follow-callers": Key(flag, "Check a file given by name through its callers in the project."),
    "conditional": Key(flag, "Also report findings that depend on a condition that check cannot decide."),
    "entry-points": Key(strings, "Further functions and methods that are compiled: `Net.sample`, `losses.*`."),
    "python": Key(place, "The environment, or its interpreter, into whose packages imports are followed."),
    "follow-environment": Key(flag, "Whether imports are followed into installed packages."),
    "baseline": Key(
        file_path,
        "A file of known findings, which are not reported: `breaklint check --write-baseline FILE` writes it.",
    ),
    "per-file-ignores": Key(
        strings_by_pattern,
        "Rules that are disabled in some files: lists of rules by file pattern.",
    ),
    "fixable": Key(strings, "Rules whose fixes are applied; all by default."),
    "unfixable": Key(strings, "Rules whose fixes are not applied."),
    "extend-safe-fixes": Key(strings, "Rules whose unsafe fixes are treated as safe."),
    "extend-unsafe-fixes": Key(strings, "Rules whose fixes require --unsafe-fixes."),
    "severity": Key(severities, "The severity of rules in reports: error or warning."),
    "exclude": Key(strings, "Excluded files: patterns as in .gitignore, relative to the configuration."),
    "target-torch": Key(torch_version, "The torch version to check for, or several."),
    "rules": Key(strings, "Files or folders with rule cards of your own, relative to the configuration."),
    "extend": Key(
        file_path, "Another configuration whose settings hold where this one has none, relative to this one."
    ),
    "verify": Key(tables, "How breaklint verify builds and calls its targets."),
}
