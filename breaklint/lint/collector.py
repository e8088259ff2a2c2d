"""Runs the rules on the events of regions, and collects the findings."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from breaklint.interp.context import UNCERTAIN_BLOCKS, Context
from breaklint.interp.events import Call, Event, LibraryBreak
from breaklint.interp.interpreter import CallSite
from breaklint.interp.record import Record
from breaklint.lint.findings import PARAMETER, RawFinding
from breaklint.model import PUBLIC_FUNCTION, Effect, Finding, Position, Rule, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.spans import source_of, span_of
from breaklint.rules.base import Hit
from breaklint.rules.breaking_calls import breaking_calls
from breaklint.rules.call_paths import CallPaths
from breaklint.rules.checks.skipped import LOGGER
from breaklint.rules.compiler_options import captures, is_set
from breaklint.rules.frame_ends import blocks_of
from breaklint.rules.fullgraph import CAPTURING
from breaklint.rules.library_breaks import library_breaks
from breaklint.rules.rule_set import RuleSet

FALLBACK: Final = "BRK618"  # reports only an untraced call: silent if another rule reports the cause
MESSAGES: Final = frozenset({"BRK101", "BRK102", "BRK103"})
STARTED: Final = "`{source}` starts a module that creates a parameter, and breaks the graph"
OPERATOR_EFFECT: Final = "BRK109"
CHAINED: Final = frozenset({FALLBACK, "BRK614"})  # of `sparse.coalesce().to_dense()` they report the first call


class Collector:
    """The hits of the rules in the regions of one file. `errors` are lines about rules that failed."""

    def __init__(self, rule_set: RuleSet, project: Project) -> None:
        self._rule_set, self._project = rule_set, project
        self._raw_findings: dict[tuple[str, Span, str], RawFinding] = {}
        self._broken: set[Record] = set()  # calls with a break of their own
        self.errors: list[str] = []
        # Code that is compiled with fullgraph=True: the functions, and the findings that do not apply there.
        self.fullgraph: frozenset[FunctionInfo] = frozenset()
        self.captured: list[RawFinding] = []

    def add(self, event: Event) -> None:
        """Run the rules on an event, unless its function runs in eager mode."""
        if event.frame.function not in event.frame.interp.eager and self._rule_set.applies_to(event):
            self._run_rules(event, event.frame.context)

    def drop_captured(self, functions: frozenset[FunctionInfo]) -> None:
        """Drop findings that torch captures in functions that are compiled with `fullgraph=True`."""
        self.fullgraph = functions
        for key, raw in [*self._raw_findings.items()] if functions else ():
            event = raw.event
            if raw.rule.setting in CAPTURING and event.frame.function in functions and captures(event):
                self.captured.append(self._raw_findings.pop(key))

    def add_library_breaks(self, sites: Sequence[CallSite]) -> None:
        """Run the rules on the calls into installed packages in which the graph breaks.

        Findings there are dropped, because the user cannot fix them. A message of a package under a condition is about
        unusual arguments.
        """
        inside = {key: raw for key, raw in self._raw_findings.items() if raw.event.frame.module.installed}
        for key in inside:
            del self._raw_findings[key]
        places = [
            (record, conditions, raw)
            for raw in inside.values()
            for record, conditions in raw.reached
            if not (conditions and _is_message(raw))
        ]
        for raw, site, context in library_breaks(places, sites):
            module = raw.event.frame.module
            file = module.name.replace(".", "/") + ("/__init__.py" if module.is_package else ".py")
            assert site.node is not None
            place, source = f"{file}:{raw.span.start.row}", source_of(module, raw.hit.node)
            event = LibraryBreak(site.node, site.frame, place, raw.rule.code, source)
            self._run_rules(event, context)

    def add_breaking_calls(self, sites: Sequence[CallSite]) -> None:
        """Run the rules on the calls of all regions in which the graph breaks."""
        for call, context in breaking_calls(sites, self._broken):
            self._run_rules(call, context)

    def findings(self, paths: CallPaths) -> list[RawFinding]:
        """One finding per place and rule, with the fewest conditions under which calls from a region reach it."""
        result = []
        for raw in self._raw_findings.values():
            conditions = paths.fewest(raw.reached)
            if conditions is not None:
                raw.conditions = conditions
                raw.is_error = raw.event.frame.function in self.fullgraph
                result.append(raw)
        return _without_repeats(result)

    def _run_rules(self, event: Event, context: Context) -> None:
        if not UNCERTAIN_BLOCKS.isdisjoint(context.blocks):
            return
        module, once = event.frame.module, context.fills_cache
        region = event.frame.interp.region
        only_breaks = module.installed or (region is not None and region.kind == PUBLIC_FUNCTION)
        for rule, hit in self._hits(event):
            if (rule.effect is not Effect.BREAK and only_breaks) or (module.installed and once):
                continue
            if rule.effect is Effect.RECOMPILE and event.frame.interp.operator_since is not None:
                continue  # the graph breaks there, before anything is stored
            if rule.setting and captures(event) and is_set(self._project, module, rule.setting):
                continue
            if rule.effect is Effect.BREAK:
                self._broken.add(event.frame.record)
            key = (module.path, span_of(module, hit.node), rule.code)
            if key not in self._raw_findings or (self._raw_findings[key].once and not once):
                blocks = blocks_of(event, context, rule.code)
                self._raw_findings[key] = RawFinding(rule, hit, event, key[1], blocks, once)
            if self._raw_findings[key].once == once:
                self._raw_findings[key].reached.setdefault((event.frame.record, (*context.conditions, *hit.given)))

    def _hits(self, event: Event) -> list[tuple[Rule, Hit]]:
        hits: list[tuple[Rule, Hit]] = []
        try:
            hits += self._rule_set.cards(event)
        except Exception as error:  # noqa: BLE001 - as below, for the declarative cards
            self.errors.append(bug_in(event, "a rule card", error))
        starts = _starts_of_module(self._project, event.frame.function)
        hits += [(rule, Hit(start, STARTED)) for rule, _ in hits if rule.code == PARAMETER for start in starts]
        for rule, check, visit in self._rule_set.visitors(event):
            try:
                for hit in visit(event):
                    hits.append((rule, hit))
            except Exception as error:  # noqa: BLE001 - a bug in a rule, reported with file and rule; the others go on
                self.errors.append(bug_in(event, f"rule {rule.code} ({type(check).__name__})", error))
        return hits


def _is_message(raw: RawFinding) -> bool:
    """Whether a finding is a message to the user, or a call of a method that a class adds to loggers."""
    of_logger = isinstance(raw.event, Call) and raw.event.target.startswith(LOGGER)
    return of_logger or raw.rule.code in MESSAGES


def _starts_of_module(project: Project, function: FunctionInfo | None) -> Iterator[ast.expr]:
    """`super().__init__()` of the constructor of a module. If it breaks later, Dynamo starts it again by itself, and
    breaks there."""
    if function is None or function.cls is None or not function.name.endswith(".__init__"):
        return
    if any(base.startswith("torch.nn.") for base in project.external_bases(function.cls)):
        calls = (call for call in function.nodes.of(ast.Call) if isinstance(call.func, ast.Attribute))
        yield from (call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "__init__")


def _without_repeats(findings: Sequence[RawFinding]) -> list[RawFinding]:
    """The findings without those of a call that another rule explains, and of a call of a finding's result."""
    ends: dict[tuple[str, Position], Position] = {}  # of the shortest expression that begins there and breaks
    for raw in findings:
        if raw.rule.effect is Effect.BREAK:
            key = (raw.event.frame.module.path, raw.span.start)
            ends[key] = min(raw.span.end, ends.get(key, raw.span.end))
    explained = {(raw.event.frame.module.path, raw.span) for raw in findings if raw.rule.code != FALLBACK}
    in_operator = {(raw.event.frame.module.path, raw.span) for raw in findings if raw.rule.code == OPERATOR_EFFECT}

    def repeats(raw: RawFinding) -> bool:
        path = raw.event.frame.module.path
        if raw.rule.code in CHAINED and ends[path, raw.span.start] != raw.span.end:
            return True
        if raw.rule.effect is Effect.RECOMPILE:
            return (path, raw.span) in in_operator  # the graph breaks there, before anything is stored
        return raw.rule.code == FALLBACK and (path, raw.span) in explained

    return [raw for raw in findings if not repeats(raw)]


def drop_explained(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings without those of an untraced call for which another finding has the reason."""
    explained = {(other.filename, other.span) for other in others}
    return [item for item in findings if item.code != FALLBACK or (item.filename, item.span) not in explained]


def bug_in(event: Event, what: str, error: Exception) -> str:
    """The line that reports a bug in a rule or fix."""
    place = f"{event.frame.module.path}:{event.node.lineno}"
    return f"{place}: bug in {what}: {type(error).__name__}: {error}; please report it"
