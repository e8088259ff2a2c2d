"""From the lines that the processes of a command have left to a profile. Imports no torch."""

from __future__ import annotations

import ast
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from breaklint.calls.lines import SUFFIX, Plan, digest, is_project
from breaklint.errors import SourceError
from breaklint.observe.events import breaks_of, recompiles_of
from breaklint.observe.functions import Functions
from breaklint.observe.profile import INSTALLED, FunctionState, Key, Profile, few, merge
from breaklint.output.wording import number_of
from breaklint.source.decoding import decode, read_bytes
from breaklint.source.syntax import parse

Line = dict[str, Any]


class Observed(NamedTuple):
    """The profile, lines about missing results, and the numbers of classes and of compiled and other signatures."""

    profile: Profile
    notes: tuple[str, ...]
    classes: int
    compiled: int
    lost: int


def collect(plan: Plan) -> Observed:
    """The observed calls; files whose text changed during the run are excluded."""
    lines = list(_lines(plan.out))
    texts, tests = _Texts(plan), dict[str, list[str]]()
    groups: dict[tuple[str, str, str], list[Line]] = {}
    profiles, reasons, classes, compiled = [], Counter[str](), set[tuple[str, str]](), 0
    for line in lines:
        if "class" in line:
            classes.add((line["file"], line["class"]))
            compiled += "why" not in line
            if "why" in line:
                reasons[f"{line['class']}: not compiled: {line['why']}"] += 1
        elif "traced" in line:
            groups.setdefault((line["form"], "" if line["form"] else line["by"], line["torch"]), []).append(line)
        elif "failed" in line:
            reasons[f"a call was repeated uncompiled: {line['failed']}"] += 1
        else:
            tests.setdefault(line["form"], []).append(line["by"])
    for (form, by, torch), frames in groups.items():
        profiles.append(_profile_of(frames, torch, tests.get(form, [by]), texts))
    notes = [f"{why} ({count} times)" if count > 1 else why for why, count in sorted(reasons.items())]
    return Observed(merge(profiles), (*notes, *texts.notes()), len(classes), compiled, reasons.total())


def _lines(out: str) -> Iterator[Line]:
    """The lines of every process; a last one that was cut off is left out."""
    for path in sorted(Path(out).glob(f"*{SUFFIX}")):
        for text in path.read_text("utf-8", errors="replace").splitlines():
            try:
                yield json.loads(text)
            except ValueError:
                break


class _Texts:
    """The observed files as they are written now."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._changed: set[str] = set()
        self.failed: dict[tuple[str, str], str] = {}
        self._entries: dict[str, tuple[Functions, str, frozenset[int]] | None] = {}

    def of(self, path: str) -> Functions | None:
        entry = self._read(path)
        return entry[0] if entry else None

    def rows(self, line: Line) -> set[tuple[str, int]]:
        """The traced lines of a frame, in unchanged files, without asserts that pytest has rewritten."""
        result = set[tuple[str, int]]()
        for filename, rows in line["traced"].items():
            path, entry = os.path.realpath(filename), self._read(filename)
            if entry is None or entry[1] != line["texts"][filename]:
                self._changed.add(path)
                continue
            skipped = entry[2] if filename in line["rewritten"] else frozenset[int]()
            result |= {(path, row) for row in rows if row not in skipped}
        return result

    def notes(self) -> Iterator[str]:
        """A line for each file that is left out, and each function at which Dynamo failed."""
        yield from (f"{self.name(path)}: changed during the run, and is excluded" for path in sorted(self._changed))
        yield from (f"{file}: Dynamo failed at {name}: {why}" for (file, name), why in sorted(self.failed.items()))

    def _read(self, filename: str) -> tuple[Functions, str, frozenset[int]] | None:
        path = os.path.realpath(filename)
        if path not in self._entries:
            try:
                data = read_bytes(path)
                text = decode(path, data).text
                self._entries[path] = Functions(path, text), digest(data), _asserts(path, text)
            except SourceError:  # made while the tests ran, and gone
                self._entries[path] = None
        return self._entries[path]

    def name(self, filename: str) -> str:
        """The path of a file in the profile."""
        path = os.path.realpath(filename)
        if is_project(path, self.plan.root):
            return os.path.relpath(path, self.plan.root).replace(os.sep, "/")
        parents = [os.path.dirname(folder) for folder in self.plan.own if path.startswith(folder + os.sep)]
        return INSTALLED + os.path.relpath(path, parents[0] if parents else self.plan.root).replace(os.sep, "/")


def _asserts(path: str, text: str) -> frozenset[int]:
    """The lines of asserts: those that pytest has rewritten break the graph, and the original ones do not."""
    asserts = (node for node in ast.walk(parse(path, text)) if isinstance(node, ast.Assert))
    return frozenset(row for item in asserts for row in range(item.lineno, (item.end_lineno or item.lineno) + 1))


def _profile_of(lines: Sequence[Line], torch: str, by: Iterable[str], texts: _Texts) -> Profile:
    """The results of the calls of one signature, or of one test that compiles, by function."""
    names, version = few(by), torch.partition("+")[0]
    rows = [(line, texts.rows(line)) for line in lines]
    traced = {place for line, places in rows for place in places if not line["failed"]}
    states: dict[Key, list[FunctionState]] = {}

    def place(filename: str, row: int) -> tuple[list[FunctionState], int]:
        """The entry for a line, and its number in its function."""
        functions = texts.of(filename)
        function = functions.at(row) if functions else None
        if function is None:
            return [], 0
        key = Key(texts.name(filename), function.name, function.digest, version)
        return states.setdefault(key, []), row - function.first + 1

    for filename, row in traced:
        some, at = place(filename, row)
        some.append(FunctionState(frozenset({at}), by=names))
    for filename, row, broken, frame in breaks_of(lines, texts.plan):
        if (filename, row) not in traced:
            continue
        some, at = place(filename, row)
        given_up = place(*frame)[0] if frame in traced else None
        if given_up is not None and given_up is not some:
            given_up.append(FunctionState(with_callee=True, by=names))
        some.append(FunctionState(breaks=(broken._replace(row=at, by=names, gave_up=given_up is some),), by=names))
    for filename, row, again in recompiles_of(lines, texts.plan):
        if (filename, row) in traced or (not again.row and filename in {path for path, _ in traced}):
            some, at = place(filename, row)
            some.append(FunctionState(recompiles=(again._replace(row=again.row and at, by=names),), by=names))
    for line, places in rows:
        for filename, row in places if line["failed"] else ():
            functions = texts.of(filename)
            is_the_programs = line["failed"].startswith("TorchRuntimeError")  # which the call raises as well
            if functions and (function := functions.at(row)) and not is_the_programs:
                texts.failed[texts.name(filename), function.name] = line["failed"]
            place(filename, row)[0].append(FunctionState(with_callee=True, by=names))
    return merge({key: item} for key, some in states.items() for item in some)


def summary(observed: Observed) -> str:
    """A line that summarizes the run."""
    functions = observed.profile
    rows = {(key.path, key.function, broken.row) for key, state in functions.items() for broken in state.breaks}
    modules = number_of(observed.classes, "module class", "module classes")
    forms = number_of(observed.compiled, "input signature")
    missing = f", {observed.lost} not compiled" if observed.lost else ""
    traced = number_of(len({key[:2] for key in functions}), "traced function")
    return f"observed {modules} in {forms}{missing}: graph breaks on {number_of(len(rows), 'line')} of {traced}"
