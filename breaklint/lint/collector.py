"""Runs the rules on the events of regions, and collects the findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from breaklint.interp.context import UNCERTAIN_BLOCKS, Context
from breaklint.interp.events import BreakingCall, Call, Event, LibraryBreak, Loop, OwnFrame
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.record import Record
from breaklint.lint.findings import RawFinding
from breaklint.model import PUBLIC_FUNCTION, Effect, Position, Rule, Span
from breaklint.project.module import FunctionInfo
from breaklint.project.project import Project
from breaklint.project.spans import source_of, span_of
from breaklint.rules.base import Hit
from breaklint.rules.call_graph import CallGraph
from breaklint.rules.call_paths import CallPaths
from breaklint.rules.compiler_options import captures, is_set
from breaklint.rules.comprehension_frames import comprehension_frames, is_untraced
from breaklint.rules.frame_ends import FrameEnds, blocks_of
from breaklint.rules.fullgraph import CAPTURING, in_control_flow
from breaklint.rules.library_breaks import library_breaks
from breaklint.rules.lost_objects import lost_objects
from breaklint.rules.module_starts import Place, module_starts
from breaklint.rules.rule_set import RuleSet
from breaklint.rules.value_kinds import has_kind

MESSAGES: Final = ("builtins.print", "logging.", "warnings.")


class Collector:
    """The hits of the rules in the regions of one file. `errors` are lines about rules that failed."""

    def __init__(self, rule_set: RuleSet, project: Project) -> None:
        self._rule_set, self._project = rule_set, project
        self._raw_findings: dict[tuple[str, Span, str], RawFinding] = {}
        self._broken: set[Record] = set()  # calls with a break of their own
        self.errors: list[str] = []
        self._loops: list[Loop] = []  # comprehensions over iterators
        # Code that is compiled with fullgraph=True: the functions, and the findings that do not apply there.
        self.fullgraph: frozenset[FunctionInfo] = frozenset()
        self.captured: list[RawFinding] = []

    def add(self, event: Event) -> None:
        """Run the rules on an event, unless its function runs in eager mode."""
        if event.frame.function not in event.frame.interp.eager and self._rule_set.applies_to(event):
            self._run_rules(event, event.frame.context)
            if type(event) is Loop and 0 < self._project.python < 12 and is_untraced(event):
                self._loops.append(event)

    def drop_captured(self, functions: frozenset[FunctionInfo]) -> None:
        """Drop findings that torch captures in functions that are compiled with `fullgraph=True`."""
        self.fullgraph = functions
        for key, raw in [*self._raw_findings.items()] if functions else ():
            event = raw.event
            if raw.rule.setting in CAPTURING and event.frame.function in functions and captures(event):
                self.captured.append(self._raw_findings.pop(key))

    def add_library_breaks(self, graph: CallGraph) -> None:
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
        for raw, site, context in library_breaks(places, graph):
            module = raw.event.frame.module
            file = module.name.replace(".", "/") + ("/__init__.py" if module.is_package else ".py")
            assert site.node is not None
            place, source = f"{file}:{raw.span.start.row}", source_of(module, raw.hit.node)
            event = LibraryBreak(site.node, site.frame, place, raw.rule.code, source)
            self._run_rules(event, context)

    def add_module_starts(self, interp: AbstractInterpreter, graph: CallGraph) -> None:
        """Run the rules on the constructors of modules that Dynamo starts by themselves, and on the calls of objects
        that it cannot pass on."""
        raws = [raw for raw in self._raw_findings.values() if raw.breaks]
        breaks = [(record, Place(conditions, raw.once)) for raw in raws for record, conditions in raw.reached]
        nodes = [(record, raw.event.node) for raw in raws for record, _ in raw.reached]
        for start in module_starts(interp, breaks, graph):
            self._run_rules(start, start.frame.context)
        for node, site, place, kind in lost_objects(interp, breaks, nodes, graph):
            context = site.context.under(site.context.conditions + place.conditions)
            call = BreakingCall(node, site.frame, site.callee.name, kind)
            self._run_rules(call, context.filling_cache() if place.once else context)

    def apply_eager_frames(self, graph: CallGraph) -> None:
        """Drop the breaks at outputs of graphs in frames that have no graph, and run the rules on the comprehensions
        there, which Dynamo starts by themselves."""
        raws = [raw for raw in self._raw_findings.values() if raw.breaks and not isinstance(raw.event, OwnFrame)]
        outputs = [key for key, raw in self._raw_findings.items() if raw.hit.at_output]
        loops = [loop for loop in self._loops if loop.frame.function not in self.fullgraph]
        if not raws or not (outputs or loops):
            return
        ends = FrameEnds(self._project, graph, [at for raw in raws if not raw.hit.at_output for at in raw.places])
        for key in outputs:
            if all(ends.runs_eagerly(at.record, at.node, at.conditions) for at in self._raw_findings[key].places):
                del self._raw_findings[key]
        for start in comprehension_frames(loops, ends):
            self._run_rules(start, start.frame.context)

    def add_breaking_calls(self, graph: CallGraph) -> None:
        """Run the rules on the calls of all regions in which the graph breaks."""
        broken = graph.with_callers(self._broken)
        for site in graph.sites if broken else ():
            if site.record in broken and site.node is not None:
                self._run_rules(BreakingCall(site.node, site.frame, site.callee.name), site.context)

    def findings(self, paths: CallPaths, graph: CallGraph) -> list[RawFinding]:
        """One finding per place and rule, with the fewest conditions under which calls from a region reach it."""
        result, operators = [], in_control_flow(graph)
        for raw in self._raw_findings.values():
            conditions = paths.fewest(raw.reached)
            if conditions is not None:
                raw.conditions = conditions
                names = {operators.get(record, "") for record, _ in raw.reached}
                strict = "with fullgraph=True" if raw.event.frame.function in self.fullgraph else ""
                raw.error = strict if "" in names else f"within `{min(names)}`"
                result.append(raw)
        return _without_repeats(result)

    def _run_rules(self, event: Event, context: Context) -> None:
        if not UNCERTAIN_BLOCKS.isdisjoint(context.blocks):
            return
        module, once = event.frame.module, context.fills_cache
        region = event.frame.interp.region
        only_breaks = module.installed or (region is not None and region.kind == PUBLIC_FUNCTION)
        if module.installed and once:
            return
        for rule, hit in self._hits(event, only_breaks):
            if rule.effect is Effect.RECOMPILE and event.frame.interp.operator_since is not None:
                continue  # the graph breaks there, before anything is stored
            if rule.setting and captures(event) and is_set(self._project, module, rule.setting):
                continue
            if rule.effect is Effect.BREAK:
                self._broken.add(event.frame.record)
            key = (module.path, span_of(module, hit.node), rule.code)
            if key not in self._raw_findings or (self._raw_findings[key].once and not once):
                blocks = blocks_of(event, context, hit)
                self._raw_findings[key] = RawFinding(rule, hit, event, key[1], blocks, once)
            if self._raw_findings[key].once == once:
                self._raw_findings[key].reached.setdefault((event.frame.record, (*context.conditions, *hit.conditions)))

    def _hits(self, event: Event, only_breaks: bool) -> list[tuple[Rule, Hit]]:
        hits: list[tuple[Rule, Hit]] = []
        try:
            hits += (pair for pair in self._rule_set.cards(event) if not only_breaks or pair[0].effect is Effect.BREAK)
        except Exception as error:  # noqa: BLE001 - as below, for the declarative cards
            self.errors.append(bug_in(event, "a rule card", error))
        for rule, check, visit in self._rule_set.visitors(event):
            if only_breaks and rule.effect is not Effect.BREAK:
                continue
            try:
                for hit in visit(event):
                    hits.append((rule, hit))
            except Exception as error:  # noqa: BLE001 - a bug in a rule, reported with file and rule; the others go on
                self.errors.append(bug_in(event, f"rule {rule.code} ({type(check).__name__})", error))
        return hits


def _is_message(raw: RawFinding) -> bool:
    """Whether a finding is a message to the user."""
    call = raw.event
    if not isinstance(call, Call):
        return False
    return call.target.startswith(MESSAGES) or (call.owner is not None and has_kind(call.owner, "logger"))


def _without_repeats(findings: Sequence[RawFinding]) -> list[RawFinding]:
    """The findings without recompilations at a break, and without those of fallback rules that another rule explains.

    In `sparse.coalesce().to_dense()` a fallback rule reports only the first call.
    """
    first: dict[tuple[str, Position], tuple[Position, bool, str]] = {}  # the shortest break that begins at a place
    broken = set()
    for raw in findings:
        if raw.rule.effect is Effect.BREAK:
            key = (raw.event.frame.module.path, raw.span.start)
            candidate = raw.span.end, raw.rule.fallback, raw.rule.code
            first[key] = min(candidate, first.get(key, candidate))
            broken.add((key[0], raw.span))

    def repeats(raw: RawFinding) -> bool:
        path = raw.event.frame.module.path
        if raw.rule.effect is Effect.RECOMPILE:
            return (path, raw.span) in broken  # the graph breaks there, before anything is stored
        return raw.rule.fallback and first[path, raw.span.start] != (raw.span.end, True, raw.rule.code)

    return [raw for raw in findings if not repeats(raw)]


def bug_in(event: Event, what: str, error: Exception) -> str:
    """The line that reports a bug in a rule or fix."""
    place = f"{event.frame.module.path}:{event.node.lineno}"
    return f"{place}: bug in {what}: {type(error).__name__}: {error}; please report it"
