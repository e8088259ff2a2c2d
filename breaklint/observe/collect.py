"""From the lines that the processes of a command have left to a profile. Imports no torch."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from breaklint.errors import SourceError
from breaklint.observe.events import breaks_of, recompiles_of
from breaklint.observe.functions import Functions
from breaklint.observe.profile import INSTALLED, Entry, Key, Profile, Seen, few, merged
from breaklint.observe.raw import SUFFIX, Plan, digest_of, is_project
from breaklint.source.decoding import decode, read_bytes

Line = dict[str, Any]
_POLL, _TELL = 0.05, 2.0


class Observed(NamedTuple):
    """The profile, lines about what is not in it, and how many calls were replayed."""

    profile: Profile
    notes: tuple[str, ...]
    replayed: int
    lost: int


def wait(plan: Plan, progress: Callable[[str], None]) -> None:
    """Wait for replays that are still running; each ends by itself."""
    told = time.monotonic()
    for path in sorted(Path(plan.out).glob("slot-*")):
        with path.open("r+b") as file:
            while not _is_free(file.fileno()):
                time.sleep(_POLL)
                if time.monotonic() - told > _TELL:
                    told = time.monotonic()
                    progress(f"waiting for replays: {_running(plan)}")


def _is_free(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _running(plan: Plan) -> str:
    begun = [lines for lines in _files(plan.out, "replay") if lines and "end" not in lines[-1]]
    return ", ".join(sorted({str(lines[0].get("class")) for lines in begun})) or "one begins"


def collect(plan: Plan) -> Observed:
    """What was observed; files whose text has changed since it ran are left out."""
    calls = [line for lines in _files(plan.out, "calls") for line in lines]
    tests: dict[str, list[str]] = {}
    for line in calls:
        if "form" in line and "by" in line:
            tests.setdefault(line["form"], []).append(line["by"])
    texts = _Texts(plan)
    profiles = list(_compiled(calls, texts))
    replayed, reasons = 0, Counter[tuple[str, str]]()
    for line in calls:
        if line.get("end") == "skipped":
            reasons[line["class"], line["why"]] += 1
            profiles.append(_entry(line, "", texts))
    for lines in _files(plan.out, "replay"):
        try:
            head, why = lines[0], _why_lost(lines)
            name = head["class"]
            seen = [_entry(head, why, texts), _seen(lines, head["torch"], tests.get(head["form"], []), texts)]
        except (KeyError, TypeError, ValueError, AttributeError):  # what the command runs may write there, too
            seen, name, why = [], "a module", "what its replay wrote is damaged"
        profiles += seen
        replayed += not why
        if why:
            reasons[name, why] += 1
    notes = [
        f"{name}: not replayed: {why}" + (f" ({count} forms)" if count > 1 else "")
        for (name, why), count in sorted(reasons.items())
    ]
    return Observed(merged(profiles), (*notes, *texts.notes()), replayed, sum(reasons.values()))


def _why_lost(lines: list[Line]) -> str:
    end = lines[-1]
    if "end" not in end:
        return "its process was ended"
    why = str(end.get("why", ""))
    return {"raised": f"it raised {why}", "stopped": why, "skipped": why}.get(end["end"], "")


def _files(out: str, kind: str) -> Iterator[list[Line]]:
    """The lines of each file of a kind; a last one that was cut off is left out."""
    for path in sorted(Path(out).glob(f"{kind}-*{SUFFIX}")):
        lines = []
        for line in path.read_text("utf-8", errors="replace").splitlines():
            try:
                lines.append(json.loads(line))
            except (ValueError, RecursionError):
                break
        if lines and all(isinstance(line, dict) for line in lines):
            yield lines


class _Texts:
    """The functions of the observed files, as they are written now."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._changed: set[str] = set()
        self._others: dict[str, set[str]] = {}
        self._known: dict[str, tuple[Functions, str] | None] = {}

    def of(self, path: str) -> Functions | None:
        known = self._read(path)
        return known[0] if known else None

    def is_of(self, path: str, digest: str) -> bool:
        """Is a text that ran the one that is there?"""
        known = self._read(path)
        if known and known[1] != digest:
            self._changed.add(path)
        return known is not None and known[1] == digest

    def rows(self, lines: Iterable[Mapping[str, Any]], kind: str) -> set[tuple[str, int]]:
        """The rows of that kind in files that are as they were."""
        return {
            (path, row)
            for line in lines
            for path, rows in line.get(kind, {}).items()
            if self.is_of(path, line["texts"][path])
            for row in rows
        }

    def reached(self, line: Mapping[str, Any]) -> set[tuple[str, int]]:
        """The rows in the frame that broke."""
        return self.rows([line], "reached")

    def note_other(self, filename: str, function: str) -> None:
        """What ran under the name of a function of a file is not what the file says."""
        self._others.setdefault(os.path.realpath(filename), set()).add(function)

    def notes(self) -> Iterator[str]:
        """A line a file that is left out, or of which something is."""
        for path in sorted({*self._changed, *self._others}):
            if path in self._changed:
                yield f"{self.name(path)}: changed while it was observed, and left out"
                continue
            first, *more = sorted(self._others[path])
            functions = f"{first} and {len(more)} more" if more else first
            yield f"{self.name(path)}: what ran as {functions} is not what the file says, and left out"

    def _read(self, path: str) -> tuple[Functions, str] | None:
        if path not in self._known:
            try:
                data = read_bytes(path)
                self._known[path] = Functions(path, decode(path, data).text), digest_of(data)
            except SourceError:  # made while the tests ran, and gone
                self._known[path] = None
        return self._known[path]

    def name(self, filename: str) -> str:
        """The path by which the profile knows a file."""
        path = os.path.realpath(filename)
        if is_project(path, self.plan.root):
            return os.path.relpath(path, self.plan.root).replace(os.sep, "/")
        parents = [os.path.dirname(folder) for folder in self.plan.own if path.startswith(folder + os.sep)]
        return INSTALLED + os.path.relpath(path, parents[0] if parents else self.plan.root).replace(os.sep, "/")


def _compiled(calls: Iterable[Line], texts: _Texts) -> Iterator[Profile]:
    """What Dynamo did where the user's code compiles, by who ran."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in calls:
        if "compiled" in line:
            groups.setdefault((line["by"], line["torch"]), []).append(line)
    for (by, torch), lines in groups.items():
        yield _seen(lines, torch, [by], texts)


def _entry(line: Line, why: str, texts: _Texts) -> Profile:
    if not line.get("file") or not texts.plan.is_own(line["file"]):
        return Profile()
    lost = why or str(line.get("why", ""))
    entry = Entry((), (lost,)) if lost else Entry((line["inputs"],))
    return Profile({}, {(texts.name(line["file"]), line["class"]): entry})


def _seen(lines: Sequence[Line], torch: str, by: Iterable[str], texts: _Texts) -> Profile:
    """What one replay, or one test that compiles, showed of each function."""
    names, version = few(by), torch.partition("+")[0]
    for line in lines:
        if "other" in line:
            texts.note_other(*line["other"])
    traced, failed, reached = (texts.rows(lines, kind) for kind in ("traced", "failed", "reached"))
    found: dict[Key, list[Seen]] = {}

    def place(filename: str, row: int) -> tuple[list[Seen], int]:
        """Where to put what was seen of a row, and which row of its function it is."""
        functions = texts.of(filename)
        function = functions.at(row) if functions else None
        if function is None:
            return [], 0
        key = Key(texts.name(filename), function.name, function.digest, version)
        return found.setdefault(key, []), row - function.first + 1

    for filename, row in traced:
        some, at = place(filename, row)
        some.append(Seen(frozenset({at}), by=names))
    for filename, row in failed:
        place(filename, row)[0].append(Seen(with_callee=True, by=names))
    for filename, row, broken, frame in breaks_of(lines, texts.plan, traced, texts.reached):
        some, at = place(filename, row)
        given_up = place(*frame)[0] if frame is not None else None
        gave_up = given_up is some
        if given_up is not None and not gave_up:
            given_up.append(Seen(with_callee=True, by=names))
        some.append(Seen(breaks=(broken._replace(row=at, by=names, gave_up=gave_up),), by=names))
    for filename, row, again in recompiles_of(lines, texts.plan, traced | reached):
        some, at = place(filename, row)
        some.append(Seen(recompiles=(again._replace(row=again.row and at, by=names),), by=names))
    return merged(Profile({key: each}) for key, some in found.items() for each in some)


def summary(observed: Observed) -> str:
    """A line on what was observed."""
    functions = observed.profile.functions
    rows = {(key.path, key.function, broken.row) for key, seen in functions.items() for broken in seen.breaks}
    called = len(observed.profile.entries)
    modules = f"{called} module class{'' if called == 1 else 'es'}"
    forms = f"{observed.replayed} form{'' if observed.replayed == 1 else 's'} of inputs"
    lost = f", {observed.lost} not replayed" if observed.lost else ""
    lines = f"{len(rows)} line{'' if len(rows) == 1 else 's'}"
    traced = len({key[:2] for key in functions})
    return f"observed {modules} in {forms}{lost}: graph breaks on {lines} of {traced} traced functions"
