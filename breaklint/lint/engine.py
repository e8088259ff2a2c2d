"""Source text in, findings and new text out. The only I/O is reading imports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from breaklint.errors import CardError, SourceError
from breaklint.interp.frame import Sink
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.regions import run_deep
from breaklint.lint.collector import Collector, bug_in
from breaklint.lint.costs import Costs
from breaklint.lint.findings import RawFinding, finding, is_written
from breaklint.lint.merging import FOLLOWED
from breaklint.lint.tracing import trace_file, unmatched
from breaklint.model import (
    OBSERVED_BREAK,
    OBSERVED_RECOMPILE,
    UNUSED_SUPPRESSION,
    FileResult,
    Finding,
    Rule,
    Settings,
    Span,
)
from breaklint.project.module import Module
from breaklint.project.project import Project
from breaklint.project.screen import may_matter
from breaklint.rules.cards import load_rules
from breaklint.rules.python_rules import Analysis, PythonRule
from breaklint.rules.rule_set import RuleSet
from breaklint.rules.selection import active_rules, codes, is_ignored, severity
from breaklint.source.decoding import read_source
from breaklint.source.suppression import Comments, Suppressions, own_suppressions
from breaklint.torchops.facts import for_target


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
        """Release the inference for the previous file."""
        if self._interp is not None:
            self._interp.forget()
        self.project.begin()
        self._suppressions = {}

    def fix(self, path: str, text: str, unsafe: bool) -> FileResult:
        """Apply fixes until nothing changes; returns remaining findings, counts, and the new text (None: unchanged)."""
        from breaklint.fixes.apply import fix_until_stable

        return fix_until_stable(self, path, text, unsafe)

    def _file_result(self, path: str, text: str, module: Module) -> FileResult:
        collector = Collector(self.rule_set, self.project)
        interp = self._interp = self.interpreter(collector.add)
        result, graph, traced = trace_file(interp, collector, module, self.settings)
        errors = [*result.errors]
        costs = Costs(interp, graph, traced)
        raws = [raw for raw in traced if self._is_reported(raw.event.frame.module)]
        findings = [self._finding(raw, errors) for raw in raws]
        reported = [item for item in findings if item is not None]
        fixable = {raw for raw, item in zip(raws, findings, strict=True) if item is not None and is_written(item.fix)}
        if self._python_rules:
            own = [*self._python_findings(module, reported, errors)]
            explained = {(item.filename, item.span) for item in own}
            fallbacks = {item for item in reported if self.rules[item.code].fallback}
            others = [item for item in reported if item not in fallbacks or (item.filename, item.span) not in explained]
            reported = others + own
        silenced = tuple((name, span) for name, comments in self._suppressions.items() for span in comments.used())
        unused = self._unused(path, text)
        places = {os.path.abspath(raw.event.frame.module.path) for raw in traced} if len(raws) < len(traced) else set()
        return result._replace(
            filename=path,
            findings=tuple(sorted({*reported, *unused}, key=lambda item: (item.filename, item.span, item.code))),
            errors=tuple(errors),
            notices=(*result.notices, *(f"{error}{FOLLOWED}" for error in self.project.unparsed())),
            silenced=silenced,
            unreported=tuple(sorted(places - (self._reported or set()))),
            uncompiled=not result.entries and not result.unfollowed and "torch" in text,
            unmatched=unmatched(module, self.settings.entry_points),
            forwards=costs.forwards,
            eager_calls=costs.eager_calls(fixable),
        )

    def interpreter(self, sink: Sink) -> Interpreter:
        """An interpreter for the regions of one file, whose events go to `sink`."""
        return Interpreter(self.project, for_target(self.settings.target_torch), sink, self.rule_set.event_filter())

    def _python_findings(self, module: Module, findings: Sequence[Finding], errors: list[str]) -> Iterator[Finding]:
        """The reports of rules in Python for the file and the files that it reaches."""
        assert self._interp is not None
        from breaklint.lint.python_findings import python_findings  # as the rules themselves

        run = python_findings(self._python_rules, module, self._interp, findings, self.settings, errors)
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
        rule = next((rule for rule in self.active if rule.code == UNUSED_SUPPRESSION), None)
        silencers = self._suppressions.pop(path, None) or own_suppressions(text)
        if rule is None or is_ignored(self.settings, path, rule):
            return []
        loud = severity(rule, self.settings, rule.severity)
        skipped = codes(self.rules.values()) - codes(self.active) | {OBSERVED_BREAK, OBSERVED_RECOMPILE}
        return [
            Finding(path, span, rule.code, rule.name, rule.summary, rule.effect, loud, "", url=rule.url)
            for span in silencers.unused(skipped)
        ]


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
