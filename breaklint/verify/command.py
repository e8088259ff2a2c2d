"""`breaklint verify`: examine all targets and gather one report; nothing here prints or exits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from breaklint.errors import BreaklintError, UsageError
from breaklint.verify.host.kept import Kept
from breaklint.verify.host.local import run_here
from breaklint.verify.host.saving import Results, asked
from breaklint.verify.judge.results import RunReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.judge.verdict import exit_code
from breaklint.verify.options import VerifyOptions
from breaklint.verify.paths import shown_in
from breaklint.verify.targets.predicted import is_cuda_missing, predicted_error
from breaklint.verify.targets.targets import expand, find_target

__all__ = ["VerifyOptions", "VerifyReport", "exit_code", "shard", "verify"]

NO_CUDA = "it is to run on CUDA, and torch finds no CUDA device on this machine"
UNFINISHED = "interrupted before it was finished"
Progress = Callable[[str], None]
Executor = Callable[[Sequence[str], VerifyOptions, Progress, Callable[[TargetReport], None]], RunReport]


def verify(
    targets: Sequence[str],
    options: VerifyOptions,
    progress: Progress,
    executor: Executor = run_here,
    results: Results | None = None,
    part: str = "",
    earlier: Kept | None = None,
) -> VerifyReport:
    """Run every target and judge it. A target that cannot be found or read becomes a report with verdict `error`.

    Ctrl-C ends what runs; what was not finished is reported as inconclusive.

    Args:
        targets: names as `targets.find_target` takes them; none stands for all entries of the configuration.
        options: what to run and what to demand.
        progress: gets one line whenever something that takes time begins, and one for each target that is done.
        executor: runs targets, on this machine or on others.
        results: keeps reports as they come, and has those of an earlier run.
        part: see `shard` ("" for all targets).
        earlier: knows reports that still hold, and keeps those of this run (None: nothing is known or kept).
    """
    names = expand(targets or [entry.name for entry in options.entries], options.entries)
    names = shard(names, part) if part else names
    kept = results or Results("", False, options)
    reports = {name: kept.done[name] for name in names if name in kept.done}

    def done(report: TargetReport) -> None:
        kept.add(report)
        if earlier and not report.from_cache:
            earlier.add(report)
        reports[report.target] = report
        origin = " (from the cache)" if report.from_cache else ""
        progress(f"[{len(reports)}/{len(names)}] {report.target}: {report.verdict.value}{origin}")

    missing = kept.missing(names)
    known = earlier.known(missing) if earlier else {}
    missing = [name for name in missing if name not in known]
    hopeless = {report.target: report for name in missing for report in _predicted(name, options, executor)}
    missing = [name for name in missing if name not in hopeless]
    if missing:
        progress(announcement(missing, options, earlier))
    try:
        for report in [*known.values(), *hopeless.values()]:
            done(report)
        run: RunReport | None = executor(missing, options, progress, done) if missing else None
    except KeyboardInterrupt:
        run = None
        progress("interrupted: reporting what is finished")
    ordered = tuple(reports.get(name) or TargetReport(name, Verdict.INCONCLUSIVE, UNFINISHED) for name in names)
    environment = next((report.environment for report in ordered if report.environment), {})
    return VerifyReport(environment, ordered, run, asked(options))


def _predicted(name: str, options: VerifyOptions, executor: Executor) -> Iterator[TargetReport]:
    """The report of a target that cannot be run as asked, found out without running anything."""
    try:
        message = predicted_error(find_target(name, options.entries), options)
    except BreaklintError as error:
        message = str(error)
    if message:
        yield TargetReport(name, Verdict.ERROR, shown_in(message))
    elif executor is run_here and is_cuda_missing(options.devices or (options.device,)):
        yield TargetReport(name, Verdict.INCONCLUSIVE, NO_CUDA)


def announcement(names: Sequence[str], options: VerifyOptions, earlier: Kept | None = None) -> str:
    """What will be run, and how long it took last time."""
    what = names[0] if len(names) == 1 else f"{len(names)} targets"
    where = ", ".join(options.devices) or options.device or "CUDA, or the CPU where there is none"
    how = "breaks and results" if options.quick else f"breaks, results and {options.rounds} rounds of timing"
    taken = [earlier.last_s(name) for name in names] if earlier else []
    known = [seconds for seconds in taken if seconds is not None]
    told = f"took {sum(known):.0f} s last time"
    last = f"it {told}" if len(names) == 1 else f"{len(known)} of them {told}, one after the other"
    return f"{what}: eager, before and after on {where} with {options.backend}: {how}{f'; {last}' if known else ''}"


def shard(names: Sequence[str], which: str) -> list[str]:
    """The targets of one of several machines: `2/4` is every fourth, from the second on.

    Raises:
        UsageError: `which` is not like 2/4.
    """
    first, _, count = which.partition("/")
    if not (first.isdigit() and count.isdigit() and 1 <= int(first) <= int(count)):
        raise UsageError(f"--shard {which}: write 1/4 for the first of four parts")
    return list(names[int(first) - 1 :: int(count)])
