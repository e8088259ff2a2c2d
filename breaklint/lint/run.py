"""Many files: check or fix each in a pool of processes, then merge findings and write fixes."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.errors import UsageError
from breaklint.lint.calling_files import Work, calling_work, errors_as_notices
from breaklint.lint.merging import FOLLOWED, merge, merge_eager_calls, merge_entries, merge_forwards, total, unique
from breaklint.lint.plan import Load, Plan, plan
from breaklint.lint.results import RunResult
from breaklint.lint.user_config import untrusted_notice
from breaklint.lint.workers import LOOK, Mode, Outcome, Progress, Worker, work_on
from breaklint.model import NEWEST_TORCH, FileResult, Forward, Settings
from breaklint.source.shown_paths import absolutes
from breaklint.source.source_text import NOTEBOOK

if TYPE_CHECKING:
    from breaklint.lint.cache import CachedRun
    from breaklint.lint.fixing import FileChange

CACHE = ".breaklint_cache"
Planned = Mapping[str, tuple[Plan, Sequence[Work]]]  # by torch version
ONE_TORCH = f"fixes need one torch version: --target-torch {NEWEST_TORCH}"


def run(
    paths: Sequence[str],
    settings: Settings,
    mode: Mode = LOOK,
    jobs: int | None = None,
    force_exclude: bool = False,
    cache: Path | None = None,
    nested: Load | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Check or fix the Python files of `paths`, in up to `jobs` processes (None: one a core).

    A file that cannot be read, parsed or written becomes a line in `errors`, and the run goes on. `cache` is a folder
    in which results of checks are cached for the next run, `nested` reads configurations nearer to a file than that
    of `settings`, and `progress` is called before each file.
    """
    planned = _planned(plan(paths, settings, nested, force_exclude), paths, mode)
    cached = None if cache is None or mode.fix else _cached_run(cache, planned)
    enabled = gc.isenabled()
    try:
        results: dict[str, RunResult] = {}
        for torch, (own, work) in planned.items():
            if cached is None:
                outcomes = _outcomes(work, jobs, progress, mode.fix)
            else:
                every = (outcome for item in work for outcome in cached.outcomes(item, jobs, progress))
                outcomes = sorted(every, key=_filename)
            results[torch] = _result(own, paths, mode, jobs, work, outcomes)
        result = in_cells(_combine(results), own.files())
    finally:
        if enabled:
            gc.enable()
    if cached is not None:
        cached.save()
    return result


def _planned(base: Plan, paths: Sequence[str], mode: Mode) -> Planned:
    """The plan and its work, for each torch version if the settings name several."""
    plans = {"": base}
    if any("," in item.target_torch for item, _ in base.groups):
        from breaklint.lint import several_torches  # few runs need it

        if mode.fix:
            raise UsageError(ONE_TORCH)
        torches = several_torches.torches(settings for settings, _ in base.groups)
        plans = {torch: several_torches.plan_for(base, torch) for torch in torches}
    return {torch: _with_work(item, paths, mode) for torch, item in plans.items()}


def _cached_run(folder: Path, planned: Planned) -> CachedRun | None:
    """The cached results; None if there are rules in Python, which may depend on anything."""
    items = [item for _, work in planned.values() for item in work]
    if any(item.worker.settings.python_rules for item in items):
        return None
    from breaklint.lint.cache import CachedRun

    return CachedRun(folder, items)


def _with_work(planned: Plan, paths: Sequence[str], mode: Mode) -> tuple[Plan, Sequence[Work]]:
    roots = tuple(path for path in paths if os.path.isdir(path))
    work = [Work(Worker(settings, roots, mode), some) for settings, some in planned.groups]
    calling, unfollowed = calling_work(planned, paths, mode)
    reported = frozenset(map(absolutes(), planned.files()))
    for item in (*work, *calling):
        item.worker.reported = reported
    return planned._replace(notices=(*planned.notices, *unfollowed)), [*work, *calling]


def _combine(results: Mapping[str, RunResult]) -> RunResult:
    if len(results) == 1:
        return next(iter(results.values()))
    from breaklint.lint import several_torches

    return several_torches.combine_versions(results)


def _result(
    planned: Plan, paths: Sequence[str], mode: Mode, jobs: int | None, work: Sequence[Work], outcomes: list[Outcome]
) -> RunResult:
    files = planned.files()
    errors, notices = [*planned.errors], [*planned.notices]
    changes: list[FileChange] = []
    before: tuple[Forward, ...] = ()
    if mode.fix:
        before = merge_forwards([outcome.result for outcome in outcomes], files)
        from breaklint.lint.fixing import Fixing

        def look(some: Set[str], texts: Mapping[str, str]) -> list[Outcome]:
            """Uses new workers, because the old ones have the old contents of the files."""
            looking = [item._replace(worker=item.worker.with_texts(texts)) for item in work]
            return _outcomes(looking, jobs, None, True, some)

        fixing = Fixing(outcomes, look, [file for item in work if item.quiet for file in item.files])
        fixing.run(mode.unsafe)
        if mode.write:
            fixing.write(paths)
        outcomes = sorted(fixing.outcomes.values(), key=_filename)
        errors, changes = errors + fixing.errors, fixing.changes
    results = [outcome.result for outcome in outcomes]
    followed = {f"{error}{FOLLOWED}" for result in results for error in result.errors}
    notes = [notice for result in results for notice in result.notices if notice not in followed]
    targets = (settings.target_torch for settings, some in planned.groups if some)
    return merged(results, files)._replace(
        errors=unique(errors, *(result.errors for result in results), _unmatched(results, paths)),
        assumed_torch=next((each.target_torch for each, some in planned.groups if some and each.assumes_torch), ""),
        notices=unique(notices, version_notices(targets), untrusted_notices(planned.groups), notes),
        fixed=total(fixed for _, fixed in changes),
        changes=tuple(change for change, _ in changes),
        before=before,
    )


def merged(results: Sequence[FileResult], files: Sequence[str]) -> RunResult:
    """The findings, entry points and graphs of files, by the results of these files and of those that use them."""
    of_files = set(files)
    requested = [result for result in results if result.filename in of_files]
    return RunResult(
        files=len(files),
        findings=merge(results, files),
        entries=merge_entries(results, files),
        uncompiled=sum(result.uncompiled for result in requested),
        unfollowed=sum(result.unfollowed for result in requested),
        checked=tuple(files),
        forwards=merge_forwards(results, files),
        eager_calls=merge_eager_calls(results, files),
    )


def _unmatched(results: Sequence[FileResult], paths: Sequence[str]) -> list[str]:
    """A line for each pattern of entry points without a match; none if only files, not folders, are checked."""
    misses = [result.unmatched for result in results if not result.errors]
    missing = set(misses[0]).intersection(*misses) if misses and any(map(os.path.isdir, paths)) else ()
    return [f"entry-points: the given files do not define {pattern}" for pattern in sorted(missing)]


def _outcomes(
    work: Sequence[Work], jobs: int | None, progress: Progress | None, whole: bool, some: Set[str] | None = None
) -> list[Outcome]:
    """The results of the files, or of `some`, in order; as a `whole` with the request, which is long."""
    outcomes: list[Outcome] = []
    for worker, every, quiet in work:
        files = every if some is None else [file for file in every if file in some]
        stream = work_on(files, worker, jobs, progress)
        results = [item if whole else replace(item, imported={}, reached=None) for item in stream]
        outcomes += map(errors_as_notices, results) if quiet else results
    return sorted(outcomes, key=_filename)


def _filename(outcome: Outcome) -> str:
    return outcome.result.filename


def version_notices(targets: Iterable[str]) -> list[str]:
    """The note on the torch versions that are targeted."""
    versions = dict.fromkeys(targets)
    if versions.keys() <= {NEWEST_TORCH}:
        return []
    from breaklint.torchops.facts import doubt  # few runs need it

    return [line for line in map(doubt, versions) if line]


def untrusted_notices(groups: Iterable[tuple[Settings, Sequence[str]]]) -> list[str]:
    """The note on rules in Python that are not run."""
    return [line for line in (untrusted_notice(settings) for settings, files in groups if files) if line]


def in_cells(result: RunResult, files: Sequence[str]) -> RunResult:
    """The result with places in notebooks named by cell."""
    if not any(file.endswith(NOTEBOOK) for file in files):
        return result
    from breaklint.lint.notebook_places import by_cells  # few runs need it

    return by_cells(result)


def cache_folder(settings: Settings, folder: str | None = None) -> Path:
    """The folder of the cache: `folder`, else BREAKLINT_CACHE_DIR, else next to the configuration or in this folder."""
    name = folder or os.environ.get("BREAKLINT_CACHE_DIR")
    return Path(name) if name else Path(settings.root or os.curdir) / CACHE
