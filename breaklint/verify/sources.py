"""The sources of the arms: the target as it was, as the fixes leave it, and with each fix alone."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from breaklint.errors import TargetError
from breaklint.model import Applicability, Finding, Settings
from breaklint.source.decoding import read_source
from breaklint.verify.results import VerifyOptions
from breaklint.verify.targets import Target, locate


@dataclass(frozen=True)
class Source:
    """One version of the target's file: where it is imported from, and its text (`on_disk`: the file's own)."""

    target: Target
    text: str
    on_disk: bool = True

    @property
    def filename(self) -> str:
        """The path under which breaks in this version are reported."""
        return str(self.target.path)


@dataclass(frozen=True)
class Plan:
    """What to run: `after` is None when nothing is to be fixed; `fixes` are the findings' fixes, each alone.

    `best` is the model as a person would write it, where a fixture brings it along.
    """

    before: Source
    after: Source | None
    findings: tuple[Finding, ...]
    fixes: tuple[tuple[Finding, Source], ...]
    best: Source | None = None


def plan(target: Target, options: VerifyOptions) -> Plan:
    """Read, check and fix the target's file.

    Raises:
        TargetError: the other side named by `--before` cannot be read.
        SourceError: the file cannot be read or parsed.
    """
    standing = Source(target, read_source(str(target.path)).text)
    if options.before is not None:
        before, after = _other_side(target, options.before), standing
        return Plan(before, after, _findings(before, options.settings), ())
    findings = _findings(standing, options.settings)
    fixed = _brought_along(target, target.after) if target.is_fixture else _fixed(standing, options.settings)
    return Plan(standing, fixed, findings, _single_fixes(standing, findings), _brought_along(target, target.best))


def findings_in(path: str, settings: Settings) -> tuple[Finding, ...]:
    """The findings of a file other than the target's own, in which the graph broke."""
    return _check(read_source(path).text, path, settings)


def _brought_along(target: Target, path: Path | None) -> Source | None:
    return None if path is None else Source(replace(target, path=path), read_source(str(path)).text)


def _other_side(target: Target, before: str) -> Source:
    if target.is_fixture:
        raise TargetError(f"{target.name}: a fixture brings its own before.py; leave --before out")
    if Path(before).is_file():
        other = locate(target.name, Path(before).resolve(), target.attribute, target.factory)
        return Source(other, read_source(str(other.path)).text)
    return Source(target, _at_revision(target, before), on_disk=False)


def _at_revision(target: Target, revision: str) -> str:
    command = ["git", "-C", str(target.path.parent), "show", f"{revision}:./{target.path.name}"]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except FileNotFoundError:
        raise TargetError(f"--before {revision}: no such file, and git is not installed") from None
    if shown.returncode:
        reason = (shown.stderr.strip().splitlines() or ["git failed"])[-1]
        raise TargetError(f"--before {revision}: neither a file nor a revision that has {target.path.name} ({reason})")
    return shown.stdout


def _findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    return _check(source.text, source.filename, settings)


def _check(text: str, filename: str, settings: Settings) -> tuple[Finding, ...]:
    from breaklint.engine import check_source  # the engine loads every rule: only when there is something to check

    return check_source(text, filename, settings).findings


def _fixed(source: Source, settings: Settings) -> Source | None:
    from breaklint.engine import fix_source

    result = fix_source(source.text, source.filename, settings, unsafe=True)
    return None if result.text is None else replace(source, text=result.text, on_disk=False)


def _single_fixes(source: Source, findings: tuple[Finding, ...]) -> tuple[tuple[Finding, Source], ...]:
    from breaklint.source.edits import apply_edits

    here = [finding for finding in findings if finding.filename == source.filename]  # not in a function it calls
    fixable = [(f, f.fix) for f in here if f.fix is not None and f.fix.applicability is not Applicability.DISPLAY]
    return tuple((f, replace(source, text=apply_edits(source.text, fix.edits), on_disk=False)) for f, fix in fixable)
