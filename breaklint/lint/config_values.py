"""What the keys of a configuration may hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from breaklint.errors import ConfigError
from breaklint.model import Severity

_LOG_FIXES = ("guard", "delete", "in-graph")
_TORCH = re.compile(r"(\d+\.\d+(?:\.\d+)?)(?:\+[\w.]+)?")  # with the build, as torch.__version__ has it


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


def torch_version(value: object, where: str) -> str:
    """A torch version without its build; ConfigError, beginning with `where`, for anything else."""
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


def _place(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where} must be the path of an environment or its interpreter, not {_shown(value)}")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


READERS: dict[str, Callable[[object, str], object]] = {
    "select": strings,
    "ignore": strings,
    "extend-select": strings,
    "show-callers": flag,
    "follow-callers": flag,
    "conditional": flag,
    "entry-points": strings,
    "python": _place,
    "follow-environment": flag,
    "per-file-ignores": _strings_by_pattern,
    "fixable": strings,
    "unfixable": strings,
    "extend-safe-fixes": strings,
    "extend-unsafe-fixes": strings,
    "severity": _severities,
    "exclude": strings,
    "target-torch": torch_version,
    "rules": strings,
    "log-fix": _log_fix,
    "capture-options": flag,
    "verify": _tables,
}
