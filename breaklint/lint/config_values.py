"""The values of the keys of a configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from breaklint.errors import ConfigError
from breaklint.model import Severity

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


def _one_of(valid: Sequence[str], value: object, where: str) -> str:
    if value not in valid:
        raise ConfigError(f"{where} must be one of {', '.join(valid)}, not {_repr(value)}")
    return str(value)


def flag(value: object, where: str) -> bool:
    """True or false; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false, not {_repr(value)}")
    return value


def place(value: object, where: str) -> str:
    """The path of an environment; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where} must be the path of an environment or its interpreter, not {_repr(value)}")
    return value


def file_path(value: object, where: str) -> str:
    """The path of a file; ConfigError, beginning with `where`, for anything else."""
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where} must be the path of a file, not {_repr(value)}")
    return value


def _repr(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


READERS: dict[str, Callable[[object, str], object]] = {
    "select": strings,
    "ignore": strings,
    "extend-select": strings,
    "show-callers": flag,
    "follow-callers": flag,
    "conditional": flag,
    "entry": partial(_one_of, ("forward", "public")),
    "entry-points": strings,
    "python": place,
    "follow-environment": flag,
    "baseline": file_path,
    "per-file-ignores": strings_by_pattern,
    "fixable": strings,
    "unfixable": strings,
    "extend-safe-fixes": strings,
    "extend-unsafe-fixes": strings,
    "severity": severities,
    "exclude": strings,
    "target-torch": torch_version,
    "rules": strings,
    "extend": place,
    "verify": tables,
}

# A sentence about each key, for editors; docs/configuration.md has more.
MEANINGS = {
    "select": "The enabled rules, by code, code prefix or name; all by default.",
    "ignore": "Disabled rules.",
    "extend-select": "Additional enabled rules.",
    "show-callers": "Also report calls of functions that break (BRK801).",
    "follow-callers": "Check a file given by name through its callers in the project.",
    "conditional": "Also report findings that depend on a condition that check cannot decide.",
    "entry": "Where tracing begins in code that nothing compiles: at forward, or at every public method and function.",
    "entry-points": "Further functions and methods that are compiled: `Net.sample`, `losses.*`.",
    "python": "The environment, or its interpreter, into whose packages imports are followed.",
    "baseline": "A file of known findings, which are not reported: `breaklint check --write-baseline FILE` writes it.",
    "follow-environment": "Whether imports are followed into installed packages.",
    "per-file-ignores": "Rules that are disabled in some files: lists of rules by file pattern.",
    "fixable": "Rules whose fixes are applied; all by default.",
    "unfixable": "Rules whose fixes are not applied.",
    "extend-safe-fixes": "Rules whose unsafe fixes are treated as safe.",
    "extend-unsafe-fixes": "Rules whose fixes require --unsafe-fixes.",
    "severity": "The severity of rules in reports: error or warning.",
    "exclude": "Excluded files: patterns as in .gitignore, relative to the configuration.",
    "target-torch": "The torch version to check for, or several.",
    "rules": "Files or folders with rule cards of your own, relative to the configuration.",
    "extend": "Another configuration whose settings hold where this one has none, relative to this one.",
    "verify": "How breaklint verify builds and calls its targets.",
}
