"""`breaklint verify`: examine targets one after another; nothing here prints or exits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from breaklint.errors import BreaklintError
from breaklint.verify.examine import examine
from breaklint.verify.results import TargetReport, Verdict, VerifyOptions, VerifyReport
from breaklint.verify.targets import find_target
from breaklint.verify.verdict import exit_code

__all__ = ["VerifyOptions", "VerifyReport", "exit_code", "verify"]


def verify(targets: Sequence[str], options: VerifyOptions, progress: Callable[[str], None]) -> VerifyReport:
    """Run every target and judge it. A target that cannot be found or read becomes a report with verdict `error`.

    Args:
        targets: fixture folders, `FILE.py::Class`, `FILE.py:factory` or `package.module:factory`.
        options: what to run and what to demand.
        progress: gets one line whenever something that takes time begins.
    """
    reports = tuple(_verify_one(name, options, progress) for name in targets)
    environment = next((report.environment for report in reports if report.environment), {})
    return VerifyReport(environment, reports)


def _verify_one(name: str, options: VerifyOptions, progress: Callable[[str], None]) -> TargetReport:
    try:
        return examine(find_target(name), options, progress)
    except BreaklintError as error:
        return TargetReport(name, Verdict.ERROR, str(error))
