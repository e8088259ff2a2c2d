"""From measurements to verdicts: pure functions, each giving a verdict and one sentence why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from breaklint.dynamo.breaks import covers, failing_breaks
from breaklint.dynamo.events import Break, GivenUp
from breaklint.model import Finding
from breaklint.output.wording import number_of
from breaklint.verify.judge.bench import Judgement, Speedup, judge_clean, judge_speed
from breaklint.verify.judge.breaks import NO_BREAK_HERE, given_up_at
from breaklint.verify.judge.results import (
    ArmFailure,
    ArmReport,
    FixReport,
    TargetReport,
    Verdict,
    VerifyReport,
)
from breaklint.verify.options import VerifyOptions

NO_GRAPH = "nothing is compiled, a call runs no graph"
UNTIMED = "speed was not measured (--quick)"

ARMS = ("before", "after")
FAILING = (Verdict.BREAK_REMAINS, Verdict.WRONG_RESULT, Verdict.RECOMPILES, Verdict.NOT_COMPILED)


@dataclass(frozen=True, slots=True)
class ReferenceProblems:
    """Reasons why the original is a poor reference: differences of two equal calls, and results without evidence."""

    unstable: Sequence[str] = ()
    incomparable: str = ""


def judge_target(
    arms: Mapping[str, ArmReport],
    problems: ReferenceProblems,
    speed: Speedup | None,
    noise: float | None,
    options: VerifyOptions,
    findings: Sequence[Finding] = (),
) -> Judgement:
    """The verdict of a target; `speed` is before/after, or eager/before if there is nothing to fix."""
    name = "after" if "after" in arms else "before"
    target_arm = arms[name]
    for arm in ("eager", "before"):
        if failure := arms[arm].error:
            return judge_failure(arm, failure)
    if problems.unstable:
        return Verdict.INCONCLUSIVE, f"the model is not deterministic: two equal calls differ, {problems.unstable[0]}"
    if refusal := _refusal(name, target_arm, problems):
        return refusal
    again = _recompiles_again(target_arm, arms["before"])
    if not again and _uncompiled(target_arm, arms["before"]) == NO_GRAPH:  # which some gates report differently
        return Verdict.NOT_COMPILED, f"{name}: {NO_GRAPH}"
    if remaining := _remaining(target_arm, options):
        unfixed = ", in the source of `after`" if name == "after" else _unfixed(target_arm, findings, options)
        return Verdict.BREAK_REMAINS, f"{remaining}{unfixed}"
    evidence = f"{'the breaks are gone' if arms['before'].breaks else 'no break before or after'}, results are equal"
    if name == "before" and not again and not _uncompiled(target_arm, arms["before"]):
        return judge_clean(speed, noise, options)
    return _judge_proven(evidence, name, target_arm, arms["before"], speed, noise, options)


def judge_fix(
    arm: ArmReport,
    before: ArmReport,
    problems: ReferenceProblems,
    real: bool | None,
    given_up: tuple[GivenUp, Break] | None,
    remaining: Sequence[Break],
    new: Sequence[Break],
    speed: Speedup | None,
    noise: float | None,
    options: VerifyOptions,
) -> Judgement:
    """The verdict of one fix; `speed` is before/fixed.

    `real`: did its line break before? None if that is not known, or if the finding is of another effect. `given_up`:
    the frame that Dynamo gave up before this line. `remaining` and `new`: breaks on the lines of the fix, and on lines
    that did not break before.
    """
    if before.error:
        return judge_failure("before", before.error)
    name = "with this fix"
    if refusal := _refusal(name, arm, problems):
        return refusal
    if real is False:
        return Verdict.INCONCLUSIVE, given_up_at(*given_up) if given_up else NO_BREAK_HERE
    if remaining:
        return Verdict.BREAK_REMAINS, f"the line still breaks: {remaining[0].summary}"
    if new:
        return Verdict.BREAK_REMAINS, f"another line breaks now (moved there, or hidden before): {new[0].summary}"
    removed = "the break is gone" if real else "its line does not break" if given_up else "it is no break"
    evidence = f"{removed}, results are equal"
    return _judge_proven(evidence, name, arm, before, speed, noise, options)


def _refusal(name: str, arm: ArmReport, problems: ReferenceProblems) -> Judgement | None:
    """The verdict of an arm that gave no result, a wrong one, or one that cannot be believed."""
    if reason := _only_uncompiled(arm):
        return Verdict.NOT_COMPILED, f"{name}: {reason}"
    if wrong := _wrong(name if name in ARMS else "after", arm):
        return Verdict.WRONG_RESULT, wrong  # before the arm's failure: a rewrite that raises also fails to compile
    if arm.error:
        return judge_failure(name, arm.error)
    doubt = problems.incomparable if name != "before" else ""
    return (Verdict.INCONCLUSIVE, doubt) if doubt else None


def _judge_proven(
    evidence: str,
    name: str,
    arm: ArmReport,
    before: ArmReport,
    speed: Speedup | None,
    noise: float | None,
    options: VerifyOptions,
) -> Judgement:
    """The verdict of an arm without the break and with equal results: does it stay compiled, and is it faster?"""
    if again := _recompiles_again(arm, before):
        return Verdict.RECOMPILES, f"{evidence}, but {again}"
    if uncompiled := _uncompiled(arm, before):
        return Verdict.NOT_COMPILED if _runs_no_graph(arm) else Verdict.BREAK_REMAINS, f"{name}: {uncompiled}"
    if options.quick:
        return Verdict.CORRECT, f"{evidence}; {UNTIMED}"
    return judge_speed(evidence, speed, noise, options.min_speedup)


def judge_failure(arm: str, failure: ArmFailure, is_fixture: bool = False) -> Judgement:
    """The verdict on an arm without a result: time, CUDA and imports of a fixture may be available elsewhere."""
    if is_fixture and failure.kind == "missing":
        return Verdict.INCONCLUSIVE, f"not available here, a library is missing: {failure.message}"
    verdict = Verdict.INCONCLUSIVE if failure.kind in ("timeout", "no-cuda") else Verdict.ERROR
    return verdict, f"{arm}: {failure.message}"


def _wrong(name: str, arm: ArmReport) -> str:
    if arm.rewrite_differences:
        return f"{name}: the rewritten source gives another result, {arm.rewrite_differences[0]}"
    if not arm.differences:
        return ""
    return f"{name}: compiled, the result differs from eager, {arm.differences[0]}"


def _recompiles_again(arm: ArmReport, before: ArmReport) -> str:
    """The number of recompilations in equal calls, if it is larger than before, else "". One is usual: a number
    becomes dynamic."""
    again = arm.recompiles or 0
    return f"{number_of(again, 'recompile')} in 4 equal calls" if again > max(1, before.recompiles or 0) else ""


def _remaining(arm: ArmReport, options: VerifyOptions) -> str:
    """The reason why the model is not one graph, or nothing."""
    stays = failing_breaks(arm.breaks, options.allow_break, options.own_paths)
    if stays:
        more = f" and {len(stays) - 1} more" if len(stays) > 1 else ""
        more += ", and nothing is compiled" if _runs_no_graph(arm) else ""
        return f"the graph breaks at {stays[0].summary}{more}"
    if arm.breaks:  # all are allowed, or not the user's: fullgraph would only repeat them
        return ""
    return f"fullgraph=True fails: {arm.fullgraph.error}" if arm.fullgraph and not arm.fullgraph.ok else ""


def _unfixed(arm: ArmReport, findings: Sequence[Finding], options: VerifyOptions) -> str:
    """Why the first break of the original remains: check does not report it, or has no fix for it."""
    broken = next(iter(failing_breaks(arm.breaks, options.allow_break, options.own_paths)), None)
    if broken is None:
        return ""
    reports = [finding for finding in findings if covers(finding, broken)]
    if not reports:
        return ", which check does not report" if broken.own else ""
    return ", and check has no fix for it" if all(finding.fix is None for finding in reports) else ""


def _runs_no_graph(arm: ArmReport) -> bool:
    operations = arm.operations
    return arm.graphs_per_call == 0 or (operations is not None and operations.compiled == 0 < operations.eager)


def _only_uncompiled(arm: ArmReport) -> str:
    """The reason if no graph runs and no line of the code is the cause, for example if forward is disabled for the
    compiler; or if results differ without compiled code, which proves no wrong result."""
    is_traced = not arm.breaks or any(b.own or b.called_from for b in arm.breaks)
    if arm.rewrite_differences or arm.error or not _runs_no_graph(arm) or (is_traced and not arm.differences):
        return ""
    cause = next((b for b in arm.breaks if b.skips_frame), next(iter(arm.breaks), None))
    where = f" (Dynamo gave up at {cause.summary})" if cause else ""
    differing = [f"; beside that, trying to compile changes what it does: {line}" for line in arm.differences[:1]]
    return "".join([NO_GRAPH, where, *differing])


def _uncompiled(arm: ArmReport, before: ArmReport) -> str:
    """The code that runs in eager mode without a reported break, for example if Dynamo skips the model; or ""."""
    operations = arm.operations
    is_empty = operations is not None and operations.total == 0 and (before.operations or operations).total == 0
    if arm.breaks or is_empty:
        return ""  # every break is allowed; or there is nothing to compile, and never was
    if arm.graphs_per_call == 0 or (operations is not None and operations.compiled == 0):
        return NO_GRAPH
    if operations is None or before.operations is None or operations.eager <= before.operations.eager:
        return ""
    return f"operations that run outside of the graphs: {operations.eager}, before: {before.operations.eager}"


def exit_code(report: VerifyReport, options: VerifyOptions) -> int:
    """0 every gate passed, 1 a gate failed, 2 a target could not be judged at all, 3 inconclusive."""
    codes = [_code(target, options) for target in report.targets]
    return next((code for code in (2, 1, 3) if code in codes), 0)


def _code(target: TargetReport, options: VerifyOptions) -> int:
    verdicts = [target.verdict, *(fix.verdict for fix in target.fixes if _binding(fix))]
    if target.verdict is Verdict.ERROR:
        return 2
    if any(verdict in FAILING for verdict in verdicts):
        return 1
    if target.verdict is Verdict.INCONCLUSIVE:
        return 3
    too_slow = options.min_speedup is not None and target.verdict is Verdict.NOT_FASTER and "after" in target.arms
    return 1 if too_slow else 0


def _binding(fix: FixReport) -> bool:
    """Whether the verdict on a single fix decides: a wrong result is wrong with any other fixes."""
    return fix.verdict is Verdict.WRONG_RESULT
