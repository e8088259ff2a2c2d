"""Findings by cause, in the order in which to fix them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from breaklint.lint.places import place
from breaklint.model import Cause, Effect, Finding, Forward
from breaklint.output.wording import number_of

if TYPE_CHECKING:
    from breaklint.lint.results import RunResult

FIRST: Final = 5  # causes that the first lines name
FORWARDS: Final = 5  # entry points that the last lines name
_OBSERVED: Final = {"confirmed": 0, "hidden": 1, "ran": 2, "unreached": 2}  # and 1 without a profile


class Group(NamedTuple):
    """The findings of one cause. `head` is the finding at the cause itself, a break before a warning; None if no rule
    reports that line."""

    place: str
    row: int
    cause: Cause | None
    findings: tuple[Finding, ...]
    head: Finding | None

    @property
    def skipped(self) -> tuple[str, ...]:
        """The functions that Dynamo runs in eager mode because of the cause."""
        return tuple(dict.fromkeys(name for finding in self.findings for name in finding.cost.skipped))

    @property
    def breaks(self) -> bool:
        """Whether the cause breaks a graph."""
        return any(finding.effect is Effect.BREAK for finding in self.findings)


def by_cause(findings: Sequence[Finding]) -> list[Group]:
    """The findings grouped by cause, the most expensive cause first."""
    groups: dict[tuple[str, int], list[Finding]] = {}
    causes: dict[tuple[str, int], Cause] = {}
    for finding in findings:
        cause = finding.cause
        key = (place(cause), cause.row) if cause is not None else (place(finding), finding.span.start.row)
        groups.setdefault(key, []).append(finding)
        if cause is not None:
            causes.setdefault(key, cause)
    for key, group in [*groups.items()]:
        own = place(group[0]), group[0].span.start.row
        if len(group) == 1 and own != key:  # a finding that is alone stands at its own line
            groups.setdefault(own, []).extend(groups.pop(key))
            causes.setdefault(own, causes.pop(key))
    blocks = [Group(*key, causes.get(key), tuple(item), _head(key, item)) for key, item in groups.items()]
    return sorted(blocks, key=_rank)


def _head(key: tuple[str, int], findings: Sequence[Finding]) -> Finding | None:
    own = [finding for finding in findings if (place(finding), finding.span.start.row) == key]
    return next((finding for finding in own if finding.effect is Effect.BREAK), own[0] if own else None)


def _rank(group: Group) -> tuple[object, ...]:
    """The sort key: confirmed causes, measured milliseconds, the default configuration, errors, eager frames, and the
    graphs saved."""
    observed = min(_OBSERVED[finding.observed.state] if finding.observed else 1 for finding in group.findings)
    costs = [finding.cost for finding in group.findings]
    by_default = any(cost.by_default for cost in costs)
    skips = any(cost.skipped and cost.by_default >= by_default for cost in costs)
    hides, graphs = max(cost.hides for cost in costs), max(0, *(cost.graphs for cost in costs))
    raises = any(cost.raises for cost in costs)
    effort = (not by_default, not raises, not skips, -hides if skips else 0, -graphs, -len(group.findings))
    measured = -max(cost.milliseconds for cost in costs)
    return (not group.breaks, observed, measured, *effort, group.place, group.row)


def fix_first(groups: Sequence[Group]) -> list[str]:
    """One line for each of the causes to fix first; none if there is only one."""
    breaking = [group for group in groups if group.breaks]
    if len(breaking) < 2:
        return []
    lines = [
        f"  {number}. {group.place}:{group.row} ({_cost(group)})" for number, group in enumerate(breaking[:FIRST], 1)
    ]
    return ["Fix first:", *lines]


def _cost(group: Group) -> str:
    """The cost of a cause in words."""
    milliseconds = max(finding.cost.milliseconds for finding in group.findings)
    parts = [f"{milliseconds:.2f} ms of a call"] if milliseconds > 0 else []
    if group.skipped:
        name, *others = group.skipped
        more = f" and {number_of(len(others), 'caller')}" if others else ""
        parts.append(f"{name}{more} {'run' if others else 'runs'} in eager mode")
        if hides := max(finding.cost.hides for finding in group.findings):
            parts.append(f"hides {number_of(hides, 'break')}")
    if len(group.findings) > 1:
        parts.append(f"{len(group.findings)} findings")
    graphs = max(finding.cost.graphs for finding in group.findings)
    if graphs > 0 and not group.skipped:
        parts.append(f"adds {number_of(graphs, 'graph')}")
    if any(finding.cost.raises for finding in group.findings):
        parts.append("raises an error")
    if not any(finding.cost.by_default for finding in group.findings):
        parts.append(f"only if {_condition(group)}")
    return ", ".join(parts) or "1 break"


def _condition(group: Group) -> str:
    return next((finding.when for finding in group.findings if finding.when), "its caller runs it")


def graphs_of(result: RunResult) -> list[str]:
    """The entry points with the most graphs, one line for each; after fixes, those that the fixes changed as well."""
    now = {(forward.filename, forward.name): forward for forward in result.forwards}
    changed = [(item, after) for item in result.before if _counts(after := now.get(_key(item))) != _counts(item)]
    lines = [f"  {before.name}: {_graphs(before)} before, {_graphs(after)} now" for before, after in changed]
    keys = {_key(before) for before, _ in changed}
    rest = sorted(result.forwards, key=lambda entry: (-entry.certain, -entry.most, entry.filename, entry.row))
    lines += [f"  {item.name}: about {_graphs(item)}" for item in rest if _key(item) not in keys]
    more = len(lines) - FORWARDS
    lines = [*lines[:FORWARDS], *([f"  … and {number_of(more, 'more entry point')}"] if more > 0 else [])]
    return ["Graphs per call:", *lines] if lines else []


def _key(forward: Forward) -> tuple[str, str]:
    return forward.filename, forward.name


def _counts(forward: Forward | None) -> tuple[int, int]:
    """The graphs with default arguments and with all conditions; an entry point without breaks has one."""
    return (forward.certain, forward.most) if forward is not None else (1, 1)


def _graphs(forward: Forward | None) -> str:
    certain, most = _counts(forward)
    if not most:
        return "no graph (eager mode)"
    return number_of(certain, "graph") + (" (more under conditions)" if most > certain else "")


def still_eager(result: RunResult) -> list[str]:
    """After fixes: the functions that still run in eager mode, and the breaks that are the reason."""
    causes: dict[str, Finding] = {}
    for finding in result.findings if result.fixed else ():
        for name in finding.cost.skipped if finding.cost.by_default else ():
            causes.setdefault(name, finding)
    return [
        f"{name} still runs in eager mode: {place(finding)}:{finding.span.start.row}"
        for name, finding in list(causes.items())[:FORWARDS]
    ]


def eager_calls(result: RunResult) -> list[str]:
    """The helpers that are better disabled as a whole, one line for each."""
    lines = [
        f"  {call.filename}:{call.row} {call.name}: {number_of(call.breaks, 'break')}, {call.before} graphs become "
        f"{call.after}"
        for call in result.eager_calls[:FORWARDS]
    ]
    head = "One eager call instead of several breaks (`@torch.compiler.disable`; an error with fullgraph=True):"
    return [head, *lines] if lines else []
