"""The JSON schema of the settings, for completion in editors; generated from the readers of the keys."""

from __future__ import annotations

from typing import Any

from breaklint.lint import config_values as values
from breaklint.model import Settings, Severity

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_STRINGS = {"type": "array", "items": {"type": "string"}}
_VERSION = r"^\d+\.\d+(\.\d+)?(\+[\w.]+)?(,.*)?$"
_SHAPES: dict[object, dict[str, Any]] = {
    values.strings: _STRINGS,
    values.flag: {"type": "boolean"},
    values.place: {"type": "string", "minLength": 1},
    values.file_path: {"type": "string", "minLength": 1},
    values.torch_version: {"anyOf": [{"type": "string", "pattern": _VERSION}, _STRINGS]},
    values.strings_by_pattern: {"type": "object", "additionalProperties": _STRINGS},
    values.severities: {
        "type": "object", "additionalProperties": {"enum": [severity.value for severity in Severity]},
    },
    values.tables: {"type": "array", "items": {"type": "object"}},
}  # fmt: skip


def schema() -> dict[str, Any]:
    """The schema of breaklint.toml, and of the table `[tool.breaklint]` in pyproject.toml."""
    return {
        "$schema": DRAFT,
        "title": "breaklint",
        "description": "Settings of breaklint: breaklint.toml, or [tool.breaklint] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _property(key) for key in values.KEYS},
    }


def _property(key: str) -> dict[str, Any]:
    shape = _SHAPES[values.KEYS[key].read]
    default = getattr(Settings(), key.replace("-", "_"), None)
    entry = {} if default in (None, "", ()) or isinstance(default, tuple) else {"default": default}
    return {"description": values.KEYS[key].meaning, **shape, **entry}
