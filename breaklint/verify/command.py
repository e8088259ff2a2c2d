"""`breaklint verify`: examine all targets and gather one report; nothing here prints or exits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from breaklint.errors import UsageError
from breaklint.verify.host.run import Interrupted, run_here
from breaklint.verify.host.saving import Results, result_options
from breaklint.verify.judge.results import RunReport, TargetReport, Verdict, VerifyReport
from breaklint.verify.judge.verdict import exit_code
from breaklint.verify.options import VerifyOptions

__all__ = ["VerifyOptions", "VerifyReport", "exit_code", "shard", "verify"]

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
    finished: Callable[[TargetReport], None] = lambda report: None,
) -> VerifyReport:
    """Verify the targets (by default, all entries of the configuration), and report them in order.

    Ctrl-C ends the run; a target that is not finished is inconclusive, with its progress. `finished` gets each report.
    """
    names = list(dict.fromkeys(targets or [entry.name for entry in options.entries]))
    names = shard(names, part) if part else names
    saved = results or Results("", options)
    reports = {name: saved.reports[name] for name in names if name in saved.reports}

    def on_report(report: TargetReport) -> None:
        saved.add(report)
        reports[report.target] = report
        progress(f"[{len(reports)}/{len(names)}] {report.target}: {report.verdict.value}")
        finished(report)

    missing = [name for name in names if name not in saved.reports]
    if missing:
        progress(announcement(missing, options))
    try:
        run: RunReport | None = executor(missing, options, progress, on_report) if missing else None
    except KeyboardInterrupt as interrupt:
        run = None
        unfinished = interrupt.unfinished if isinstance(interrupt, Interrupted) else ()
        reports |= {report.target: report for report in unfinished}
    ordered = tuple(reports.get(name) or TargetReport(name, Verdict.INCONCLUSIVE, UNFINISHED) for name in names)
    environment = next((report.environment for report in ordered if report.environment), {})
    return VerifyReport(environment, ordered, run, result_options(options))


def announcement(names: Sequence[str], options: VerifyOptions) -> str:
    """One line before the run: the targets, the devices and the measurements."""
    what = names[0] if len(names) == 1 else f"{len(names)} targets"
    where = ", ".join(options.devices) or "CUDA, or the CPU if there is none"
    how = "breaks and results" if options.quick else f"breaks, results and {options.rounds} rounds of timing"
    return f"{what}: eager, before and after on {where} with {options.backend}: {how}"


def shard(names: Sequence[str], which: str) -> list[str]:
    """The targets of one of several machines: `2/4` is every fourth, from the second on."""
    first, _, count = which.partition("/")
    if not (first.isdigit() and count.isdigit() and 1 <= int(first) <= int(count)):
        raise UsageError(f"--shard {which}: write 1/4 for the first of four parts")
    return list(names[int(first) - 1 :: int(count)])
