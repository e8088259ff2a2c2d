"""The files of a target with the fixes that verify has confirmed, and no others."""

from __future__ import annotations

from collections import defaultdict

from breaklint.fixes.apply import apply_chosen, choose
from breaklint.model import Finding
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.targets.sources import Plan


def proven_texts(planned: Plan, report: TargetReport) -> dict[str, str]:
    """By path, the text of each file that a confirmed fix changes.

    Where all fixes of a target are confirmed, and no file of it has another, these are the texts that ran; else those
    fixes that are confirmed are made again, each of which ran alone or with all others.
    """
    confirmed = [fix.finding for fix in report.fixes if fix.verdict is Verdict.CONFIRMED]
    if not confirmed or planned.after is None or planned.before.target.is_fixture:
        return {}
    whole = report.verdict is Verdict.CONFIRMED and len(confirmed) == len(planned.fixes) and not planned.unreached
    if whole:
        return planned.after.texts
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in confirmed:
        by_file[finding.filename].append(finding)
    return {
        path: apply_chosen(path, planned.before.text_of(path), choose(findings, path, unsafe=True))
        for path, findings in by_file.items()
    }
