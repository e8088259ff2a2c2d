"""The sources of the arms: the target as it was, as the fixes leave it, and with each fix alone."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from breaklint.dynamo.breaks import is_own
from breaklint.errors import TargetError
from breaklint.fixes.apply import apply_chosen, choose
from breaklint.model import Applicability, Finding
from breaklint.source.decoding import read_source
from breaklint.source.patterns import pattern_spec
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Coverage, Region, readable
from breaklint.verify.targets.revisions import texts_at
from breaklint.verify.targets.targets import Target, locate


@dataclass(frozen=True)
class Source:
    """One version of the target's file: its import path, and its text (`on_disk`: the file's own).

    `others` are further files that have another text than on disk, by path.
    """

    target: Target
    text: str
    on_disk: bool = True
    others: dict[str, str] = field(default_factory=dict)

    @property
    def filename(self) -> str:
        """The path under which breaks in this version are reported."""
        return str(self.target.path)

    @property
    def texts(self) -> dict[str, str]:
        """The texts of this version by path that replace files on disk."""
        return self.others | ({} if self.on_disk else {self.filename: self.text})

    @property
    def version(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The name of a version of a target."""
        return self.text, tuple(sorted(self.others.items()))

    def text_of(self, path: str) -> str:
        """The text that `path` has in this version; SourceError when it cannot be read."""
        return self.text if path == self.filename else self.others.get(path) or read_source(path).text


def location(source: Source) -> dict[str, Any]:
    """The place of the source for a worker, as `loading.Location`."""
    target = source.target
    return {
        "path": source.filename,
        "module": target.module,
        "root": target.root,
        "attribute": target.attribute,
        "factory": target.factory,
        "overrides": source.texts,
        "recipe": target.recipe,
    }


@dataclass(frozen=True)
class Plan:
    """The sources of a target: `uncovered` are fixable findings in functions that the model does not call."""

    before: Source
    after: Source | None
    findings: tuple[Finding, ...]
    fixes: tuple[tuple[Finding, Source], ...]
    uncovered: tuple[Finding, ...] = ()


def make_plan(target: Target, options: VerifyOptions, coverage: Coverage = Coverage()) -> Plan:  # noqa: B008 - it is frozen
    """Read, check and fix the files of a target's region: its own, and those that its forward reaches."""
    current = Source(target, read_source(str(target.path)).text)
    if options.before is not None:
        before, after = _other_side(target, options.before), current
        return Plan(before, after, _region(before, coverage, options).findings, ())
    region = _region(current, coverage, options)
    pairs = [(finding, coverage.has(finding, region.texts[finding.filename])) for finding in region.findings]
    findings = tuple(finding for finding, inside in pairs if inside)
    fixes = tuple(_single_fixes(current, findings))
    if target.is_fixture:
        path = target.after
        fixed = None if path is None else Source(replace(target, path=path), read_source(str(path)).text)
    else:
        fixed = rewritten(current, region.fixed()) if fixes else None
    uncovered = tuple(finding for finding, inside in pairs if not inside and _is_fixable(finding))
    return Plan(current, fixed, findings, fixes, uncovered)


def _region(source: Source, coverage: Coverage, options: VerifyOptions) -> Region:
    own = [path for path in coverage.files if is_own(path, options.own_paths)]
    paths = [source.filename, *map(str, source.target.also), *own]
    texts = {source.filename: source.text} | readable(paths[1:], source.others)
    sources = {path: text for path, text in texts.items() if path == source.filename or not _is_excluded(path, options)}
    return Region(sources, options.settings_of)


def _is_excluded(path: str, options: VerifyOptions) -> bool:
    settings = options.settings_of(path)
    relative = os.path.relpath(path, settings.root) if settings.root else path
    return bool(settings.exclude) and pattern_spec(settings.exclude).match_file(relative)


def findings_in(path: str, source: Source, options: VerifyOptions) -> tuple[Finding, ...]:
    """The findings of a file other than those of the region, in which the graph broke."""
    return () if _is_excluded(path, options) else Region({path: source.text_of(path)}, options.settings_of).findings


def _other_side(target: Target, before: str) -> Source:
    if target.is_fixture:
        raise TargetError(f"{target.name}: a fixture brings its own before.py; leave --before out")
    if Path(before).is_file():
        other = locate(target.name, Path(before).resolve(), target.attribute, target.factory)
        return Source(other, read_source(str(other.path)).text)
    texts = texts_at(before, target.path)
    own = texts.pop(str(target.path), None)
    return Source(target, read_source(str(target.path)).text if own is None else own, own is None, texts)


def _single_fixes(source: Source, findings: tuple[Finding, ...]) -> Iterator[tuple[Finding, Source]]:
    from breaklint.source.edits import apply_edits

    for finding in findings:
        if finding.fix is not None and _is_fixable(finding):
            text = apply_edits(source.text_of(finding.filename), finding.fix.edits)
            yield finding, rewritten(source, {finding.filename: text})


def same_where_it_ran(before: Source, one: Source, other: Source, lines: frozenset[tuple[str, int]] | None) -> bool:
    """Whether two rewritten sources differ only in lines of the original that a call did not run."""
    if lines is None or one.filename != before.filename or other.filename != before.filename:
        return False
    for path in {before.filename, *one.others, *other.others}:
        old = before.text_of(path)
        differing = _hunks(old, one.text_of(path)) ^ _hunks(old, other.text_of(path))
        ran = {row for file, row in lines if file == path}
        if any(not ran.isdisjoint(range(first, last + 1)) for first, last, _ in differing):
            return False
    return True


def _hunks(old: str, new: str) -> set[tuple[int, int, tuple[str, ...]]]:
    """The replaced rows with their new text; inserted lines count as replacing the row before them."""
    before, after = old.splitlines(), new.splitlines()
    opcodes = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    changed = [(start, end, tuple(after[first:last])) for tag, start, end, first, last in opcodes if tag != "equal"]
    return {(max(1, start + (start < end)), max(1, end), text) for start, end, text in changed}


def _is_fixable(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY


def rewritten(source: Source, texts: Mapping[str, str]) -> Source:
    """The source with other texts of some files."""
    others = {path: text for path, text in texts.items() if path != source.filename}
    own = texts.get(source.filename)
    if own is None:
        return replace(source, others=others)
    return replace(source, text=own, on_disk=False, others=others)


def confirmed_texts(plan: Plan, report: TargetReport) -> dict[str, str]:
    """The texts of files with the confirmed fixes, by path.

    If all fixes are confirmed, these are the texts that ran; else each of them ran alone, or with all others.
    """
    fixes = zip(plan.fixes, report.fixes, strict=False)
    confirmed = [finding for (finding, _), fix in fixes if fix.verdict is Verdict.CONFIRMED]
    if not confirmed or plan.after is None or plan.before.target.is_fixture:
        return {}
    whole = report.verdict is Verdict.CONFIRMED and len(confirmed) == len(plan.fixes) and not plan.uncovered
    if whole:
        return plan.after.texts
    return _with_fixes(plan, confirmed)


def _with_fixes(plan: Plan, findings: Sequence[Finding]) -> dict[str, str]:
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_file[finding.filename].append(finding)
    return {
        path: apply_chosen(path, plan.before.text_of(path), choose(of_file, path, unsafe=True))
        for path, of_file in by_file.items()
    }
