"""Many files: check or fix each, in a pool of processes, then merge what was found and write what was fixed."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.errors import BreaklintError, RuleBug, SourceError
from breaklint.lint.merging import FOLLOWED, merge, total, unique
from breaklint.lint.plan import Load, Plan, plan
from breaklint.lint.results import Change, RunResult
from breaklint.lint.shared_fixes import shared_fixes
from breaklint.lint.workers import FEW, LOOK, Mode, Outcome, Worker, work_on
from breaklint.model import NEWEST_TORCH, Settings
from breaklint.source.decoding import decode, read_bytes
from breaklint.source.source_text import NOTEBOOK, SourceText

if TYPE_CHECKING:
    from breaklint.lint.cache import Cache

ROUNDS = 10  # of fixes in functions that other files call
CACHE = ".breaklint_cache"
Progress = Callable[[int, int], None]  # gets how many files are done, and of how many
Made = tuple[Change, tuple[tuple[str, int], ...]]  # a change with its fixes, counted by rule code


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
    in which results of checks are kept for the next run, `nested` reads configurations that lie nearer to a file than
    that of `settings`, and `progress` is called after each file.
    """
    planned = plan(paths, settings, nested, force_exclude)
    enabled = gc.isenabled()
    try:
        return _in_cells(_run(planned, paths, mode, jobs, cache, progress), planned.files())
    finally:
        if enabled:
            gc.enable()


def _run(
    planned: Plan, paths: Sequence[str], mode: Mode, jobs: int | None, cache: Path | None, progress: Progress | None
) -> RunResult:
    roots = tuple(path for path in paths if os.path.isdir(path))
    files = planned.files()
    outcomes = _outcomes(planned, roots, mode, jobs, cache, progress)
    errors, notices = [*planned.errors], [*planned.notices]
    tried = [(outcome.change, outcome.result.fixed) for outcome in outcomes if outcome.change]
    made = kept = _written(tried, paths, errors, notices) if mode.write else tried
    closed: set[str] = set()  # files that get no more fixes: they cannot be written, or are only shown
    for _ in range(ROUNDS if mode.fix else 0):
        if tried and mode.write:
            # Fixes move lines, and files call each other: what remains is what a second look finds.
            outcomes = _outcomes(planned, roots, LOOK, jobs, None, progress)
        closed |= {change.source.path for change, _ in tried} - {c.source.path for c, _ in kept if mode.write}
        shared = shared_fixes([o.result for o in outcomes], files, mode.unsafe, closed, errors.append)
        tried = [(Change(fix.source, fix.text), fix.fixed) for fix in shared]
        kept = _written(tried, paths, errors, notices) if mode.write else tried
        made = [*made, *kept]
        if not tried or not mode.write:
            break
    results = [outcome.result for outcome in outcomes]
    told = {f"{error}{FOLLOWED}" for result in results for error in result.errors}
    noted = [notice for result in results for notice in result.notices if notice not in told]
    targets = (settings.target_torch for settings, some in planned.groups if some)
    return RunResult(
        files=len(files),
        findings=merge(results, files),
        errors=unique(errors, *(result.errors for result in results)),
        notices=unique(notices, _version_notices(targets), noted),
        fixed=total(fixed for _, fixed in made),
        changes=tuple(change for change, _ in made),
    )


def _outcomes(
    planned: Plan, roots: tuple[str, ...], mode: Mode, jobs: int | None, cache: Path | None, progress: Progress | None
) -> list[Outcome]:
    """What became of the files, in order."""
    outcomes: list[Outcome] = []
    for settings, files in planned.groups:
        worker = Worker(settings, roots, mode)
        if cache is None or mode.fix:
            worked = _reported(work_on(files, worker, jobs), len(files), progress)
            outcomes += (Outcome(each.result, each.change) for each in worked)
        else:
            outcomes += _check_cached(files, worker, jobs, cache, progress)
    return sorted(outcomes, key=lambda outcome: outcome.result.filename)


def _reported(outcomes: Iterator[Outcome], total: int, progress: Progress | None) -> Iterator[Outcome]:
    for done, outcome in enumerate(outcomes, 1):
        if progress is not None:
            progress(done, total)
        yield outcome


def _version_notices(targets: Iterable[str]) -> list[str]:
    """What to tell of the torch versions that are asked about."""
    asked = dict.fromkeys(targets)
    if asked.keys() <= {NEWEST_TORCH}:
        return []
    from breaklint.torchops.facts import doubt  # few runs need it

    return [line for line in map(doubt, asked) if line]


def run_text(data: bytes, filename: str, settings: Settings, mode: Mode = LOOK) -> RunResult:
    """Check or fix the bytes of one source that need not be a file; `filename` is what findings call it."""
    try:
        source = decode(filename, data)
        outcome = Worker(settings, (), mode).source(source)
    except (SourceError, RuleBug) as error:
        return RunResult(files=1, errors=(str(error),))
    result, change = outcome.result, outcome.change
    run = RunResult(
        files=1,
        findings=merge([result], [filename]),
        errors=result.errors,
        notices=unique(_version_notices([settings.target_torch]), result.notices),
        fixed=total([result.fixed]),
        changes=(change,) if change else (),
        texts=((filename, _shown(source, change.text if change else source.text)),),
    )
    return _in_cells(run, [filename])


def _shown(source: SourceText, text: str) -> str:
    if not source.path.endswith(NOTEBOOK):
        return text
    from breaklint.source.notebooks import shown

    return shown(source, text)


def _in_cells(result: RunResult, files: Sequence[str]) -> RunResult:
    """The result with places in notebooks told by cell."""
    if not any(file.endswith(NOTEBOOK) for file in files):
        return result
    from breaklint.lint.notebook_places import by_cells  # few runs need it

    return by_cells(result)


def _mentions_torch(path: str) -> bool:
    try:
        return b"torch" in read_bytes(path)
    except SourceError:
        return False


def cache_folder(settings: Settings, given: str | None = None) -> Path:
    """Where results are kept: `given`, else BREAKLINT_CACHE_DIR, else beside the configuration or in this folder."""
    named = given or os.environ.get("BREAKLINT_CACHE_DIR")
    return Path(named) if named else Path(settings.root or os.curdir) / CACHE


def _check_cached(
    files: Sequence[str], worker: Worker, jobs: int | None, folder: Path, progress: Progress | None
) -> list[Outcome]:
    """What became of the files, looking only at those that are not as they were in the run before."""
    if len(files) <= FEW and not any(_mentions_torch(path) for path in files):
        return [*work_on(files, worker, jobs)]  # cheaper than the cache
    from breaklint.lint.cache import Cache

    try:
        return _check_with(Cache(folder, worker.settings, worker.roots), files, worker, jobs, progress)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        # What is kept has another structure than its checksum promises: as good as none. Without it, a bug surfaces.
        return _check_with(Cache(folder, worker.settings, worker.roots, empty=True), files, worker, jobs, progress)


def _check_with(
    cache: Cache, files: Sequence[str], worker: Worker, jobs: int | None, progress: Progress | None
) -> list[Outcome]:
    known = {path: result for path in files if (result := cache.get(path)) is not None}
    fresh = {}
    changed = [path for path in files if path not in known]
    for outcome in _reported(work_on(changed, worker, jobs), len(changed), progress):
        result = cache.put(outcome.result, outcome.root, outcome.asked)
        fresh[result.filename] = Outcome(result, outcome.change)  # what was asked is long
    cache.save()
    return [fresh[path] if path in fresh else Outcome(known[path]) for path in files]


def _written(tried: Sequence[Made], paths: Sequence[str], errors: list[str], notices: list[str]) -> list[Made]:
    """The changes that are written; `errors` gets a line for each other, `notices` for what a user may not expect."""
    roots, made = [os.path.realpath(path) for path in paths], []
    written: dict[str, bytes] = {}  # by real path: what a file held; another name of it, a link, needs no second write
    for change, fixed in tried:
        from breaklint.source.writing import write_source  # a run that writes nothing does without

        try:
            _refuse_to_leave(change.source.path, roots)
            if written.get(real := os.path.realpath(change.source.path)) == change.source.data:
                continue
            others = write_source(change.source, change.text)
        except BreaklintError as error:
            errors.append(str(error))
        else:
            made.append((change, fixed))
            written[real] = change.source.data
            if others:
                notices.append(f"{change.source.path}: its other hard links ({others}) keep the old text")
    return made


def _refuse_to_leave(path: str, roots: Sequence[str]) -> None:
    """SourceError when a file found in a folder is a link to one that was not given: the folder may be a stranger's."""
    real = os.path.realpath(path)
    if not any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in roots):
        raise SourceError(path, f"not written: it is a link to {real}, outside of what was given; name that file")
