"""Join a profile with findings: the state of each finding, and findings that only Dynamo reported."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from breaklint.calls.lines import is_project
from breaklint.errors import SourceError
from breaklint.lint.results import RunResult
from breaklint.model import OBSERVED_STATES, Effect, Finding, Observed, Settings
from breaklint.observe.file_states import File, rows_in, speaking_of
from breaklint.observe.functions import Function, Functions
from breaklint.observe.only_seen import only_seen
from breaklint.observe.profile import INSTALLED, Break, FunctionState, Profile, Recompile, few
from breaklint.source.decoding import read_source
from breaklint.torchops.tables import release

_SHOWN = 3


def join_profile(result: RunResult, profile: Profile, root: Path, settings: Settings) -> RunResult:
    """The result with `observed` in its findings and those of BRK950 and BRK951, `root` being the profile's folder.

    A finding in a changed function keeps None, and a note states this.
    """
    changed = {change.source.path: change.text for change in result.changes}
    place = Join(profile, root, {**changed, **dict(result.texts)})
    findings: list[Finding] = []
    texts = {path for path in (*result.checked, *(item.filename for item in result.findings)) if not _is_notebook(path)}
    by_file: dict[str, list[Finding]] = {}
    for finding in result.findings:
        by_file.setdefault(finding.filename, []).append(finding)
    for path in sorted({*by_file, *texts}):
        beside = by_file.get(path, [])
        own = [item if item.cell else item._replace(observed=place.observed(item, beside)) for item in beside]
        findings += own
        if path in texts and (file := place.file(path)) is not None:
            findings += only_seen(file, own, settings)
    notices = [*result.notices, *place.notes(changed)]
    return result._replace(findings=tuple(sorted(findings, key=_order)), notices=tuple(notices))


def _order(finding: Finding) -> tuple[object, ...]:
    return finding.filename, finding.cell, finding.span, finding.code


def _is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


class Join:
    """A profile, looked up by findings."""

    def __init__(self, profile: Profile, root: Path, texts: Mapping[str, str]) -> None:
        self._root, self._texts = os.path.realpath(root), texts
        self._files: dict[str, File | None] = {}
        self._by_path: dict[str, dict[tuple[str, str], dict[str, FunctionState]]] = {}
        for key, state in profile.items():
            functions = self._by_path.setdefault(key.path, {})
            functions.setdefault((key.function, key.digest), {})[key.torch] = state
        self._newest = _newest({key.torch for key in profile})

    def file(self, path: str) -> File | None:
        """The profile of a file; None if it is not a source, or not in the profile."""
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> File | None:
        name = self._name(path)
        functions = self._by_path.get(name) if name else None
        if functions is None:
            return None
        try:
            text = self._texts[path] if path in self._texts else read_source(path).text
        except SourceError:
            return None
        return File(path, text, Functions(path, text), functions)

    def _name(self, path: str) -> str:
        full = os.path.realpath(path)
        inside = os.path.relpath(full, self._root).replace(os.sep, "/")
        if inside in self._by_path:
            return inside
        if is_project(full, self._root):
            return ""
        parts = full.split(os.sep)
        names = (INSTALLED + "/".join(parts[start:]) for start in range(1, len(parts)))
        return next((name for name in names if name in self._by_path), "")

    def observed(self, finding: Finding, beside: Sequence[Finding]) -> Observed | None:
        """The state of one of the findings of a file.

        None if its function has changed since the profile was written, or if Dynamo has no part in it.
        """
        if finding.code.startswith("BRK90"):
            return None
        unreached = Observed("unreached", self._newest)
        file = self.file(finding.filename)
        function = file.functions.at(finding.span.start.row) if file else None
        if file is None or function is None:
            return unreached
        if function.name in file.stale and function not in file.states:
            return None
        options = [
            _finding_state(finding, function, beside, torch, state)
            for torch, state in file.states.get(function, {}).items()
        ]
        results = [item for item in options if item is not None]
        if options and not results:
            return None
        return min(results, key=_rank, default=unreached)

    def notes(self, fixed_paths: Collection[str]) -> Iterator[str]:
        """A line on functions that have changed since they were observed, except in files that this run fixes."""
        files = [file for file in self._files.values() if file and file.path not in fixed_paths]
        stale = [f"{file.path}: {name}" for file in files for name in file.stale]
        if stale:
            more = f" and {len(stale) - _SHOWN} more" if len(stale) > _SHOWN else ""
            these, their = ("1 function", "its") if len(stale) == 1 else (f"{len(stale)} functions", "their")
            since = f"changed since breaklint observe ran, and {their} results are not used"
            yield f"{these} {since}: {', '.join(stale[:_SHOWN])}{more}"


def _rank(observed: Observed) -> tuple[int, list[int]]:
    return OBSERVED_STATES.index(observed.state), [-part for part in release(observed.torch)]


def _newest(torches: Iterable[str]) -> str:
    return max(torches, key=release, default="")


def _finding_state(
    finding: Finding, function: Function, beside: Sequence[Finding], torch: str, state: FunctionState
) -> Observed | None:
    """The state under one torch version.

    None if another guard failed first, after which Dynamo checks no other, and on a traced line for effects that Dynamo
    does not report: an unrolled loop, or a wait for the GPU.
    """
    rows = rows_in(finding, function)
    names: tuple[str, ...] = ()
    if finding.effect is Effect.BREAK:
        names = _names(item for item in state.breaks if finding in speaking_of(item, function, beside))
    elif finding.effect is Effect.RECOMPILE:
        names = _names(again for again in state.recompiles if again.row in rows)
    if names:
        return Observed("confirmed", torch, names)
    if finding.effect is Effect.RECOMPILE and state.recompiles:
        return None
    ended = any(item.row in rows and item.gave_up for item in state.breaks)
    unguarded = finding.effect is Effect.RECOMPILE and state.given_up  # what runs in eager mode has no guards
    is_traced = not state.traced.isdisjoint(rows)
    if ended or unguarded or (state.given_up and not is_traced):
        return Observed("hidden", torch)
    if not is_traced:
        return Observed("unreached", torch)
    return Observed("ran", torch, state.by) if finding.effect in (Effect.BREAK, Effect.RECOMPILE) else None


def _names(events: Iterable[Break | Recompile]) -> tuple[str, ...]:
    return few(name for item in events for name in item.by)
