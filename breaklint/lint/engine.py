"""Source text in, findings and new text out. The only I/O is reading imports."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from breaklint.errors import CardError, SourceError
from breaklint.interp.compilation import Compilation, Region
from breaklint.interp.entries import callers_first, entry_conditions, outside, regions, unfollowed
from breaklint.interp.frame import Sink
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.regions import run_deep, trace_all
from breaklint.lint.collector import Collector, bug_in
from breaklint.lint.costs import Costs
from breaklint.lint.findings import EXCERPT, RawFinding, finding, is_written
from breaklint.lint.merging import FOLLOWED
from breaklint.model import PUBLIC_FUNCTION, Entry, FileResult, Finding, Rule, Settings, Span
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.screen import may_matter
from breaklint.project.spans import source_of
from breaklint.rules.call_paths import CallPaths
from breaklint.rules.cards import load_rules
from breaklint.rules.checks.repeated_calls import fixed_marks, repeated_compiles
from breaklint.rules.fullgraph import fullgraph_functions
from breaklint.rules.python_rules import Analysis, PythonRule
from breaklint.rules.rule_set import RuleSet
from breaklint.rules.selection import active_rules, codes, is_ignored, severity
from breaklint.source.decoding import read_source
from breaklint.source.suppression import Comments, Suppressions, own_suppressions
from breaklint.torchops.facts import Facts, for_target

UNUSED: Final = "BRK901"
JOINED_LATER: Final = ("BRK950", "BRK951")  # findings of a profile, not of the check of a file


class Trace(NamedTuple):
    """The result of tracing a file: findings, notices, errors in rules, entry points, the number of unresolved calls
    of the compiler, the findings that do not apply with `fullgraph=True`, and the functions of other files that code
    reaches which is compiled in any case."""

    findings: list[RawFinding]
    notices: list[str]
    errors: list[str]
    entries: tuple[Entry, ...]
    unfollowed_calls: int
    captured: tuple[tuple[str, Span, str], ...]
    reached: tuple[tuple[str, str], ...]


class Engine:
    """Checks and fixes files of one or more projects under one set of settings; created once per process.

    `read` returns the text of an imported file; None: the content of the file. If it `writes`, fixes have edits.
    `reported` are the absolute paths of the files whose findings are wanted; None: of every file that regions reach.
    """

    def __init__(
        self,
        settings: Settings,
        roots: Sequence[Path] = (),
        read: Callable[[str], str] | None = None,
        writes: bool = True,
        reported: Set[str] | None = None,
    ) -> None:
        self.settings, self.writes, self._reported = settings, writes, reported
        self.rules = {rule.code: rule for rule in load_rules(tuple(Path(place) for place in settings.rules))}
        classes = self._load_python_rules()
        own = bool(settings.rules or settings.python_rules)  # which may change while this process runs
        result = _rule_set if own else _known_rule_set
        self.active, self.rule_set = result(tuple(self.rules.values()), settings)
        self._python_rules = [(rule, classes[rule.code]) for rule in self.active if rule.code in classes]
        read = read or (lambda path: read_source(path).text)
        self.project = Project([str(root) for root in roots], read, settings.environment)
        self._suppressions: dict[str, Suppressions] = {}
        self._interp: Interpreter | None = None

    def _load_python_rules(self) -> dict[str, type[PythonRule]]:
        """The rules that are written in Python, by code; their cards join the others."""
        if not self.settings.python_rules:
            return {}
        from breaklint.rules.python_loading import load_python_rules  # few users have any

        classes = load_python_rules(self.settings.python_rules, tuple(self.rules.values()))
        cards = [cls.card() for cls in classes]
        self.rules |= {card.code: card for card in cards}
        return {card.code: cls for card, cls in zip(cards, classes, strict=True)}

    def may_matter(self, text: str) -> bool:
        """Whether the text of a file may contain a region: a cheap test."""
        return may_matter(text, self.settings.entry_points)

    def check(self, path: str, text: str) -> FileResult:
        """Findings of the regions that begin in a file; those in functions they call may lie in other files."""
        self.forget()
        try:
            module = self.project.add(path, text)
        except SourceError as error:
            return FileResult(path, errors=(str(error),))
        return run_deep(partial(self._file_result, path, text, module))

    def analyse(self, path: str, text: str) -> Analysis:
        """The inference for a file, valid until the next file; raises SourceError if it is not Python."""
        self.forget()
        module = self.project.add(path, text)
        findings = run_deep(partial(self._file_result, path, text, module)).findings
        assert self._interp is not None
        return Analysis(module, self._interp, findings)

    def forget(self) -> None:
        """Let go of all that was found out for the file before."""
        if self._interp is not None:
            self._interp.forget()
        self.project.begin()
        self._suppressions = {}

    def fix(self, path: str, text: str, unsafe: bool) -> FileResult:
        """Apply fixes until nothing changes; returns remaining findings, counts, and the new text (None: unchanged)."""
        from breaklint.fixes.apply import fix_until_stable

        return fix_until_stable(self, path, text, unsafe)

    def _file_result(self, path: str, text: str, module: Module) -> FileResult:
        traced, notices, errors, entries, unfollowed_calls, captured, reached = self._trace(module)
        assert self._interp is not None
        costs = Costs(self._interp, traced)
        raws = [raw for raw in traced if self._is_reported(raw.event.frame.module)]
        findings = [self._finding(raw, errors) for raw in raws]
        reported = [result for result in findings if result is not None]
        fixable = {
            raw for raw, result in zip(raws, findings, strict=True) if result is not None and is_written(result.fix)
        }
        if self._python_rules:
            own = [*self._python_findings(module, reported, errors)]
            explained = {(item.filename, item.span) for item in own}
            fallbacks = {item for item in reported if self.rules[item.code].fallback}
            others = [item for item in reported if item not in fallbacks or (item.filename, item.span) not in explained]
            reported = others + own
        silenced = tuple((name, span) for name, result in self._suppressions.items() for span in result.used())
        unused = self._unused(path, text)
        order = sorted({*reported, *unused}, key=lambda item: (item.filename, item.span, item.code))
        notices += [f"{error}{FOLLOWED}" for error in self.project.unparsed()]
        places = {os.path.abspath(raw.event.frame.module.path) for raw in traced} if len(raws) < len(traced) else set()
        unreported = tuple(sorted(places - (self._reported or set())))
        return FileResult(
            path,
            tuple(order),
            tuple(errors),
            notices=tuple(notices),
            silenced=silenced,
            unreported=unreported,
            captured=captured,
            reached=reached,
            entries=entries,
            uncompiled=not entries and not unfollowed_calls and "torch" in text,
            unfollowed=unfollowed_calls,
            unmatched=self._unmatched(module),
            forwards=costs.forwards,
            eager_calls=costs.eager_calls(fixable),
        )

    def _unmatched(self, module: Module) -> tuple[tuple[str, str], ...]:
        if not self.settings.entry_points:
            return ()
        from breaklint.lint.entry_patterns import unmatched_in  # few configurations have any

        return unmatched_in(module, self.settings.entry_points)

    def _trace(self, module: Module) -> Trace:
        """Trace the regions that begin in a module."""
        collector = Collector(self.rule_set, self.project)
        facts = for_target(self.settings.target_torch)
        interp = self._interp = self.interpreter(facts, collector.add)
        result = regions(interp, module, self.settings.entry_points, self.settings.entry)
        compilations = unfollowed(interp)
        notices = [_unfollowed_note(item) for item in compilations]
        notices += trace_all(interp, callers_first(interp, result))
        traced = {*interp.roots.values()}
        entries = dict.fromkeys(_entry(each) for each in result if each.kind != PUBLIC_FUNCTION or each in traced)
        for event in (*repeated_compiles(interp, module), *fixed_marks(interp, module)):
            collector.add(event)
        collector.drop_captured(fullgraph_functions(interp.roots, interp.call_sites))
        collector.add_library_breaks(interp.call_sites)
        collector.add_breaking_calls(interp.call_sites)
        errors = list(dict.fromkeys(collector.errors))
        captured = tuple((raw.event.frame.module.path, raw.span, raw.rule.code) for raw in collector.captured)
        paths = CallPaths(interp.call_sites, entry_conditions(interp.roots))
        compiled = {each.function for each in result if each.kind != PUBLIC_FUNCTION} | paths.reached()
        elsewhere = {(each.module.path, each.name) for each in compiled if _may_be_public(each, module)}
        raws = collector.findings(paths)
        return Trace(raws, notices, errors, tuple(entries), len(compilations), captured, tuple(sorted(elsewhere)))

    def interpreter(self, facts: Facts, sink: Sink) -> Interpreter:
        """Trace the regions of one file, and send the events to `sink`."""
        return Interpreter(self.project, facts, sink, self.rule_set.event_filter())

    def _python_findings(self, module: Module, findings: Sequence[Finding], errors: list[str]) -> Iterator[Finding]:
        """The reports of rules in Python for the file and the files that it reaches."""
        assert self._interp is not None
        from breaklint.lint.python_findings import python_findings, traced_modules  # as the rules themselves

        modules = traced_modules(self._interp, module)
        run = python_findings(self._python_rules, modules, self._interp, findings, self.settings, errors)
        for place, new in run:
            if not self._is_silenced(place, self.rules[new.code], new.span):
                yield new

    def _is_reported(self, module: Module) -> bool:
        return self._reported is None or os.path.abspath(module.path) in self._reported

    def _is_silenced(self, module: Module, rule: Rule, span: Span) -> bool:
        """Whether the settings or a comment silence a rule there; a comment then counts as used."""
        if is_ignored(self.settings, module.path, rule):
            return True
        return self._suppressed(module).hides(rule.code, span.start.row, span.end.row, rule.aliases)

    def _finding(self, raw: RawFinding, errors: list[str]) -> Finding | None:
        if self._is_silenced(raw.event.frame.module, raw.rule, raw.span):
            return None
        if raw.when and not self.settings.conditional:
            return None
        try:
            return finding(raw, self.settings, self.writes)
        except CardError:
            raise
        except Exception as error:  # noqa: BLE001 - a bug in a fix, reported; the finding has no fix
            errors.append(bug_in(raw.event, f"the fix of {raw.rule.code}", error))
            return finding(replace(raw, rule=raw.rule._replace(fix_kind="")), self.settings, self.writes)

    def _suppressed(self, module: Module) -> Suppressions:
        if module.path not in self._suppressions:
            if module.comments is None:
                module.comments = Comments(module.text, codes(self.rules.values()))
            self._suppressions[module.path] = Suppressions(module.comments)
        return self._suppressions[module.path]

    def _unused(self, path: str, text: str) -> list[Finding]:
        rule = next((rule for rule in self.active if rule.code == UNUSED), None)
        silencers = self._suppressions.pop(path, None) or own_suppressions(text)
        if rule is None or is_ignored(self.settings, path, rule):
            return []
        loud = severity(rule, self.settings, rule.severity)
        skipped = codes(self.rules.values()) - codes(self.active) | {*JOINED_LATER}
        return [
            Finding(path, span, rule.code, rule.name, rule.summary, rule.effect, loud, "", url=rule.url)
            for span in silencers.unused(skipped)
        ]


def _may_be_public(function: FunctionInfo, module: Module) -> bool:
    """Whether a function may be a public function of another checked file."""
    return function.module is not module and not function.module.installed and not function.name.startswith("_")


def _entry(region: Region) -> Entry:
    """The entry point of a region: at the class if its function is inherited from an installed package."""
    function, cls = region.function, region.cls
    if cls is not None and function.module.installed:
        name = f"{cls.name}.{function.name.rpartition('.')[2]}"
        return Entry(cls.module.path, cls.node.lineno, region.kind, name)
    return Entry(function.module.path, function.node.lineno, region.kind, function.name)


def _unfollowed_note(compilation: Compilation) -> str:
    """The note on a call of the compiler with an argument that breaklint cannot infer."""
    node = compilation.node
    argument = node.args[0] if isinstance(node, ast.Call) and node.args else node
    what = " ".join(source_of(compilation.module, argument).split())
    short = what if len(what) <= EXCERPT else f"{what[: EXCERPT - 1]}…"
    where = f"{compilation.module.path}:{node.lineno}"
    library = outside(compilation.value)
    if library:
        why = f"and its code in `{library}` is missing; check its files as well, or pass its environment with --python"
    else:
        why = "and breaklint cannot infer its value; add the function to entry-points"
    return f"{where}: {compilation.kind} compiles `{short}`, {why}"


def _rule_set(rules: tuple[Rule, ...], settings: Settings) -> tuple[tuple[Rule, ...], RuleSet]:
    active = active_rules(rules, settings)
    return active, RuleSet(active)


_known_rule_set = lru_cache(maxsize=8)(_rule_set)


def check_source(text: str, filename: str, settings: Settings) -> FileResult:
    """Check one source text, alone or among the files of its folder."""
    return Engine(settings).check(filename, text)


def fix_source(text: str, filename: str, settings: Settings, unsafe: bool) -> FileResult:
    """Fix one source text; `text` of the result is the new source, None when nothing changed."""
    return Engine(settings).fix(filename, text, unsafe)
