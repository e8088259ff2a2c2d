"""The files of a target with some of its fixes: those that verify has confirmed, all but one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from breaklint.fixes.apply import apply_chosen, choose
from breaklint.model import Finding
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.targets.sources import Plan, Source, rewritten


def proven_texts(planned: Plan, report: TargetReport) -> dict[str, str]:
    """By path, the text of each file that a confirmed fix changes.

    Where all fixes of a target are confirmed, and no file of it has another, these are the texts that ran; else those
    fixes that are confirmed are made again, each of which ran alone or with all others.
    """
    fixes = zip(planned.fixes, report.fixes, strict=False)
    confirmed = [finding for (finding, _), fix in fixes if fix.verdict is Verdict.CONFIRMED]
    if not confirmed or planned.after is None or planned.before.target.is_fixture:
        return {}
    whole = report.verdict is Verdict.CONFIRMED and len(confirmed) == len(planned.fixes) and not planned.unreached
    if whole:
        return planned.after.texts
    return _with_fixes(planned, confirmed)


def all_but(planned: Plan, index: int) -> Source:
    """The target with every fix but one."""
    others = [finding for number, (finding, _) in enumerate(planned.fixes) if number != index]
    return rewritten(planned.before, _with_fixes(planned, others))


def _with_fixes(planned: Plan, findings: Sequence[Finding]) -> dict[str, str]:
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_file[finding.filename].append(finding)
    return {
        path: apply_chosen(path, planned.before.text_of(path), choose(of_file, path, unsafe=True))
        for path, of_file in by_file.items()
    }
