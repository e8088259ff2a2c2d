"""A baseline: accepted findings, so that only new findings fail a run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from breaklint.errors import UsageError
from breaklint.lint.fingerprints import fingerprints
from breaklint.model import OBSERVED_RECOMPILE, Finding
from breaklint.source.writing import write_text

KIND = "breaklint baseline"
VERSION = 1


def write_baseline(path: Path, findings: Sequence[Finding]) -> None:
    """Write the findings as a baseline: a JSON object with a fingerprint and, for people, the place of each.

    Paths count from the folder of the file, wherever breaklint runs. UsageError when it cannot be written.
    """
    entries = {
        name: f"{finding.filename}: {finding.code} {finding.message}"
        for name, finding in zip(fingerprints(findings, _root(path)), findings, strict=True)
    }
    data = {"kind": KIND, "version": VERSION, "findings": entries}
    write_text(path, json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True) + "\n")


def without_baseline(findings: Sequence[Finding], path: Path) -> tuple[Finding, ...]:
    """The findings that are not in the baseline, without warnings that only a profile shows: a run of
    `breaklint observe` changes no code. UsageError if it cannot be read or is not a baseline."""
    baseline = _read(path)
    names = fingerprints(findings, _root(path))
    return tuple(
        finding
        for finding, name in zip(findings, names, strict=True)
        if name not in baseline and finding.code != OBSERVED_RECOMPILE
    )


def _read(path: Path) -> frozenset[str]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}; --write-baseline makes it") from error
    except ValueError as error:
        raise UsageError(f"{path}: is not a baseline: {error}") from error
    if not isinstance(data, dict) or data.get("kind") != KIND or not isinstance(data.get("findings"), dict):
        raise UsageError(f"{path}: is not a baseline; --write-baseline writes one")
    if data.get("version") != VERSION:
        raise UsageError(f"{path}: a baseline of another version of breaklint; write it again with --write-baseline")
    return frozenset(data["findings"])


def _root(path: Path) -> str:
    return os.path.dirname(os.path.abspath(path))
