"""`breaklint verify`: examine all targets and gather one report; nothing here prints or exits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from breaklint.verify.local import run_here
from breaklint.verify.results import TargetReport, VerifyOptions, VerifyReport
from breaklint.verify.targets import expand
from breaklint.verify.verdict import exit_code

__all__ = ["VerifyOptions", "VerifyReport", "exit_code", "verify"]


def verify(targets: Sequence[str], options: VerifyOptions, progress: Callable[[str], None]) -> VerifyReport:
    """Run every target and judge it. A target that cannot be found or read becomes a report with verdict `error`.

    Args:
        targets: names as `targets.find_target` takes them; none stands for all entries of the configuration.
        options: what to run and what to demand.
        progress: gets one line whenever something that takes time begins.
    """
    names = expand(targets or [entry.name for entry in options.entries], options.entries)
    reports: dict[str, TargetReport] = {}

    def done(report: TargetReport) -> None:
        reports[report.target] = report
        progress(f"[{len(reports)}/{len(names)}] {report.target}: {report.verdict.value}")

    run = run_here(names, options, progress, done)
    ordered = tuple(reports[name] for name in names)
    environment = next((report.environment for report in ordered if report.environment), {})
    return VerifyReport(environment, ordered, run)
