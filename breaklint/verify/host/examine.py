"""Judge one target and every fix by the results of its arms, and join real breaks with findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any

from breaklint.dynamo.breaks import covers
from breaklint.dynamo.events import Break
from breaklint.errors import SourceError
from breaklint.model import Effect, Finding
from breaklint.verify.host.arm_steps import AFTER, BEFORE, EAGER, ONE_FIX
from breaklint.verify.host.timing import Measurements
from breaklint.verify.judge import breaks, verdict
from breaklint.verify.judge.bench import Speedup
from breaklint.verify.judge.breaks import NOT_REACHED
from breaklint.verify.judge.results import (
    ArmReport,
    FindingsJoin,
    FixReport,
    NotConfirmed,
    ReportedFinding,
    TargetReport,
    Verdict,
    identity,
)
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Coverage
from breaklint.verify.targets.sources import Plan, Source, confirmed_texts, findings_in


def report_of(
    name: str,
    plan: Plan,
    sources: dict[str, Source],
    measured: Measurements,
    options: VerifyOptions,
    coverage: Coverage,
) -> TargetReport:
    """The report of a target by the results of its arms."""
    report = _Judge(name, plan, sources, measured, options, coverage).report()
    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return replace(report, proven=confirmed_texts(plan, report), measured_at=at)


def rewritten_rows(plan: Plan) -> list[tuple[str, int, int]]:
    """The lines of the original that change: file, first and last."""
    before, after = plan.before, plan.after
    if after is None:
        return []
    texts = {before.filename: (before.text, after.text)}
    for path in (before.others | after.others).keys() - texts.keys():
        if Path(path).is_file() or (path in before.others and path in after.others):
            texts[path] = before.text_of(path), after.text_of(path)
    return [(path, *rows) for path, (old, new) in texts.items() for rows in breaks.changed_rows(old, new)]


def distinct_arms(plan: Plan) -> dict[str, Source]:
    """The arms to run: a fix alone does not need one if another arm has its text."""
    arms = {EAGER: plan.before, BEFORE: plan.before}
    if plan.after is not None:
        arms[AFTER] = plan.after
    seen = {plan.after.version} if plan.after else set()
    for index, (_, source) in enumerate(plan.fixes):
        if source.version not in seen and (plan.after is None or len(plan.fixes) > 1):
            arms[f"{ONE_FIX}{index}"] = source
            seen.add(source.version)
    return arms


@dataclass(frozen=True)
class _Judge:
    name: str
    plan: Plan
    sources: dict[str, Source]
    measured: Measurements
    options: VerifyOptions
    coverage: Coverage

    def report(self) -> TargetReport:
        arms, environment = self.measured.arms, self.measured.environment
        if failure := arms["eager"].error:
            judgement = verdict.judge_failure("eager", failure, self.plan.before.target.is_fixture)
            return TargetReport(self.name, *judgement, arms=arms, environment=environment)
        noise = self.measured.noise()
        speed = self.measured.speedup(*(("before", "after") if "after" in arms else ("eager", "before")))
        return TargetReport(
            self.name,
            *verdict.judge_target(arms, self.measured.problems, speed, noise, self.options, self._joined[0]),
            arms=arms,
            fixes=tuple(self._fix(*fix, noise) for fix in self.plan.fixes),
            findings=self._findings(),
            **_figures(speed),
            noise=noise,
            retimed=self.measured.retiming,
            environment=environment,
            branches=tuple(self.measured.branches),
        )

    def _fix(self, finding: Finding, source: Source, noise: float | None) -> FixReport:
        rewritten = {name: other for name, other in self.sources.items() if name.startswith((AFTER, ONE_FIX))}
        same = (name for name, other in rewritten.items() if other.version == source.version)
        name = next((name for name in same if name in self.measured.arms), AFTER)
        arm, before = self.measured.arms[name], self.measured.arms["before"]
        path = finding.filename
        real = any(covers(finding, b) for b in before.breaks) if finding.effect is Effect.BREAK else None
        given_up = breaks.giving_up(finding, self.plan.before.text_of(path), before.breaks)
        company = self._company(name)
        if real is False and given_up and name == AFTER and self._is_traced_in(arm, finding):
            real, company = None, f"{company}; without them, {breaks.given_up_at(*given_up)}"

        def texts(path: str) -> tuple[str, str]:
            return self.plan.before.text_of(path), self._text(name, path)

        remaining = breaks.still_broken(finding, *texts(path), self._as_before(name))
        new = breaks.newly_broken(before.breaks, self._as_before(name), texts)
        speed = self.measured.speedup("before", name)
        measured = arm.error is None and before.error is None
        judgement = verdict.judge_fix(
            arm, before, self.measured.problems, real, given_up, remaining, new, speed, noise, self.options
        )
        why = judgement[1] if real is False else f"{judgement[1]}{company}"
        if real is False and judgement[0] is Verdict.INCONCLUSIVE and not self.coverage.has_line(finding):
            why = NOT_REACHED
        return FixReport(
            **identity(finding),
            applicability=finding.fix and finding.fix.applicability.value,
            arm=name,
            verdict=judgement[0],
            why=why,
            break_removed=not remaining if measured and real else None,
            equal=not arm.is_wrong if measured else None,
            **_figures(speed),
        )

    def _is_traced_in(self, arm: ArmReport, finding: Finding) -> bool:
        """Whether a finding's line runs, and Dynamo skips no frame in this arm."""
        return self.coverage.has_line(finding) and not any(broken.skips_frame for broken in arm.breaks)

    def _company(self, name: str) -> str:
        """The other fixes with which a fix was judged, and whether a result differs with all of them."""
        count, arms = len(self.plan.fixes), self.measured.arms
        if count < 2 or AFTER not in arms:
            return ""
        if name == AFTER:
            return f" (with all {count} fixes)"
        if not arms[AFTER].is_wrong or arms[name].is_wrong:
            return " (alone)"
        return f" (alone; with all {count} fixes a result differs)"

    def _text(self, name: str, path: str) -> str:
        """The text of an arm for one of the original's files: a fixture's after.py is a separate file."""
        source = self.sources[name]
        return source.text if path == self.plan.before.filename else source.text_of(path)

    def _as_before(self, name: str) -> list[Break]:
        """The arm's breaks with the fixed file named as the original: a fixture's after.py is a file of its own."""
        own, original = self.sources[name].filename, self.plan.before.filename
        return [replace(b, filename=original if b.filename == own else b.filename) for b in self._breaks(name)]

    def _breaks(self, name: str) -> Sequence[Break]:
        return self.measured.arms[name].breaks

    @cached_property
    def _joined(self) -> tuple[Sequence[Finding], Sequence[Finding], Sequence[Break]]:
        """Findings of the region, and of other files in which the graph broke at one, joined with the breaks."""
        if self.measured.arms[BEFORE].recompiles is None:
            return (), (), ()  # it was never traced, so that no line has a result
        real, target = self._breaks(BEFORE), self.plan.before.target
        paths = {str(path) for path in (target.path, *target.also)} | {f.filename for f in self.plan.findings}
        others = {b.filename for b in real if b.own} - paths
        elsewhere = [finding for path in sorted(others) for finding in self._findings_in(path)]
        relevant = [finding for finding in elsewhere if any(covers(finding, b) for b in real)]
        return breaks.join(dict.fromkeys([*self.plan.findings, *relevant]), real)

    def _findings(self) -> FindingsJoin:
        confirmed, others, missed = self._joined
        return FindingsJoin(
            confirmed=tuple(ReportedFinding(**identity(finding)) for finding in confirmed),
            not_confirmed=tuple(NotConfirmed(**identity(finding), why=self._unbroken(finding)) for finding in others),
            missed=tuple(missed),
        )

    def _unbroken(self, finding: Finding) -> str:
        """The reason why no break was reported on the line of a finding."""
        text = self.plan.before.text_of(finding.filename)
        given_up = breaks.giving_up(finding, text, self._breaks(BEFORE))
        return breaks.given_up_at(*given_up) if given_up else breaks.NO_BREAK_HERE

    def _findings_in(self, path: str) -> Sequence[Finding]:
        try:
            return findings_in(path, self.plan.before, self.options)
        except SourceError:
            return ()  # generated code, a notebook cell: its breaks are reported as missed


def _figures(speed: Speedup | None) -> dict[str, Any]:
    return {"speedup": speed.ratio, "interval": speed.interval} if speed else {"speedup": None, "interval": None}
