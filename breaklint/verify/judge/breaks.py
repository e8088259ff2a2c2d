"""Read Dynamo's graph-break reports, and join the real break lines with findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from fnmatch import fnmatch
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.model import Effect, Finding
from breaklint.verify.judge import recompile_logs
from breaklint.verify.judge.gate_results import Break, GivenUp
from breaklint.verify.judge.results import FindingsJoin
from breaklint.verify.paths import shown
from breaklint.verify.targets.region import innermost

_PLACE = re.compile(r"Graph break in user code at (.+):(\d+)")
_FRAME = re.compile(r'^\s*File "(.+?)", line (\d+), in (\S+)', re.MULTILINE)
_ID = re.compile(r"/gb(\d{4})\.html")
_EXPLANATION = re.compile(r"^(.+)\n\s+Explanation: (.+)$", re.MULTILINE)
_SKIPS = ("Skipping the function", "Skipping the frame", "will skip tracing the frame")
_LIBRARY = re.compile(r"[/\\](site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python3[^/\\]*[/\\]|^<")
_DYNAMO = re.compile(r"[/\\]torch[/\\]_dynamo[/\\]")
NO_BREAK_HERE = "its line does not break with these inputs"
_HARNESS = str(Path(__file__).resolve().parent.parent)


OwnPaths = Sequence[str] | Callable[[str], bool]
"""The folders of the user's own code (none: all but installed packages), or what tells of a file whether it is."""


def read_reports(reports: Iterable[str], own_paths: OwnPaths = ()) -> tuple[Break, ...]:
    """The breaks of an arm, one a line, kind and own line that led there, in the order they were met."""
    found: dict[tuple[str, int, str, tuple[str, int] | None], Break] = {}
    for report in reports:
        broken = _read(report, own_paths)
        if broken is None:
            continue
        key = (broken.filename, broken.row, broken.gb, broken.called_from)
        if broken.called_from is None:  # the report of a frame that Dynamo takes up by itself does not say who calls it
            key = next((known for known in found if known[:3] == key[:3]), key)
        known = found.get(key, broken)
        latest = broken if broken.gave_up else known  # the report that comes when a frame is given up says more
        found[key] = replace(latest, gave_up=tuple(dict.fromkeys((*known.gave_up, *broken.gave_up))))
    return tuple(found.values())


def _read(report: str, own_paths: OwnPaths) -> Break | None:
    named = [(path, int(row), name) for path, row, name in _FRAME.findall(_user_traceback(report))]
    named = [frame for frame in named if _HARNESS not in frame[0]]
    frames = [frame[:2] for frame in named]
    place = _PLACE.search(report)
    if place is None and not frames:
        return None
    filename, row = (place.group(1), int(place.group(2))) if place else frames[-1]
    # What Dynamo traces in place of a builtin is its own code, but the user's line is what breaks.
    outside = [frame for frame in frames if not _DYNAMO.search(frame[0])]
    if _DYNAMO.search(filename) and outside:
        filename, row = outside[-1]
    own = is_own(filename, own_paths)
    callers = [frame for frame in frames if is_own(frame[0], own_paths)]
    called_from = callers[-1] if callers and not own else None
    ids, skips = _ID.search(report), any(words in report for words in _SKIPS)
    return Break(
        filename=filename,
        row=row,
        gb=f"GB{ids.group(1)}" if ids else "",
        reason=_reason(report),
        own=own,
        called_from=called_from,
        gave_up=(_given_up(report, named) or GivenUp(*(called_from or (filename, row))),) if skips else (),
    )


def _given_up(report: str, frames: Sequence[tuple[str, int, str]]) -> GivenUp | None:
    """The frame that was traced, if the report tells: that of a caller, where the line that breaks was inlined."""
    traced = recompile_logs.TRACED.search(report)
    for path, row, name in reversed(frames if traced else ()):
        if traced and (path, _resumed(name)) == (traced["filename"], _resumed(traced["function"])):
            return GivenUp(path, row, _resumed(name))
    return None


def _resumed(name: str) -> str:
    """The function that a part of it belongs to, which Dynamo compiles by itself."""
    return re.sub(r"^torch_dynamo_resume_in_(.+)_at_\d+$", r"\1", name)


def _user_traceback(report: str) -> str:
    for heading in ("User code traceback:", "in the following user code:"):
        if heading in report:
            return report.split(heading, 1)[1]
    return ""


def _reason(report: str) -> str:
    explained = _EXPLANATION.search(report)
    if explained:
        title = explained.group(1).removeprefix("Graph Break Reason:").strip()
        return f"{title}: {explained.group(2).strip()}"
    body = report.split("Graph Break Reason:", 1)[-1].strip()
    return (body.splitlines() or ["unknown"])[0]


def is_own(filename: str, own_paths: OwnPaths = ()) -> bool:
    """Is this the user's code: under one of `own_paths`, or, with none given, outside installed packages?"""
    if callable(own_paths):
        return own_paths(filename)
    if own_paths:
        path = Path(filename).resolve()
        return any(Path(own).resolve() in (path, *path.parents) for own in own_paths)
    return _LIBRARY.search(filename) is None


def gated(breaks: Iterable[Break], allow: Sequence[str], own_paths: Sequence[str]) -> list[Break]:
    """The breaks that may not stay: dependency code counts unless the user said which code is their own."""
    return [b for b in breaks if (b.own or not own_paths) and not any(_allowed(b, pattern) for pattern in allow)]


def _allowed(broken: Break, pattern: str) -> bool:
    places = (broken.gb, broken.filename, f"{broken.filename}:{broken.row}", Path(broken.filename).name)
    return any(fnmatch(place, pattern) for place in (*places, f"{Path(broken.filename).name}:{broken.row}"))


def join(findings: Iterable[Finding], breaks: Sequence[Break]) -> FindingsJoin:
    """Which findings of effect break are real, and which real breaks no finding covers."""
    claims = [f for f in findings if f.effect is Effect.BREAK]
    return FindingsJoin(
        confirmed=tuple(f for f in claims if any(covers(f, b) for b in breaks)),
        not_confirmed=tuple(f for f in claims if not any(covers(f, b) for b in breaks)),
        missed=tuple(b for b in breaks if b.own and not any(covers(f, b) for f in claims)),
    )


def covers(finding: Finding, broken: Break) -> bool:
    """Does the break, or the own line that called into the dependency it is in, lie in the finding's rows?"""
    places = [(broken.filename, broken.row), *([broken.called_from] if broken.called_from else [])]
    rows = range(finding.span.start.row, finding.span.end.row + 1)
    return any(row in rows and _same_file(filename, finding.filename) for filename, row in places)


def _same_file(one: str, other: str) -> bool:
    return one == other or Path(one).resolve() == Path(other).resolve()


Texts = Callable[[str], tuple[str, str]]
"""The texts of a file before and after, by its path."""


def giving_up(finding: Finding, text: str, breaks: Iterable[Break]) -> tuple[GivenUp, Break] | None:
    """Where Dynamo gave up the frame of the finding's function before it came to its line, and for which break."""
    row = finding.span.start.row
    function = innermost(text, row)
    for broken in breaks if function is not None else ():
        for frame in broken.gave_up:
            is_above = frame.row < row and _same_file(frame.filename, finding.filename)
            if is_above and innermost(text, frame.row) == function:
                return frame, broken
    return None


def still_broken(finding: Finding, before: str, after: str, breaks: Iterable[Break]) -> list[Break]:
    """Of the fixed source's breaks, those on rows written in place of the finding's, or on those left alone, also where
    the break is in a dependency that such a row calls."""
    origins = row_origins(before, after)
    rows = range(finding.span.start.row, finding.span.end.row + 1)

    def is_its_own(path: str, row: int) -> bool:
        _, stood_on = origins.get(row, (False, ()))
        return not set(rows).isdisjoint(stood_on) and _same_file(path, finding.filename)

    return [b for b in breaks if is_its_own(b.filename, b.row) or (b.called_from and is_its_own(*b.called_from))]


def newly_broken(old: Iterable[Break], new: Iterable[Break], texts: Texts) -> list[Break]:
    """Breaks of the fixed source on rows that did not break before, in whichever file; rows are mapped by the diff."""
    known = {(b.filename, b.row) for b in old}
    kinds = {(b.filename, b.row, b.gb) for b in old}
    found = []
    for b in new:
        try:
            before, after = texts(b.filename)
        except SourceError:  # generated code
            before = after = ""
        is_kept, rows = row_origins(before, after).get(b.row, (True, (b.row,)))
        if not any((b.filename, row) in known if is_kept else (b.filename, row, b.gb) in kinds for row in rows):
            found.append(b)
    return found


def changed_rows(before: str, after: str) -> list[tuple[int, int]]:
    """The rows of `before` that `after` does not keep: first and last of every run."""
    matcher = SequenceMatcher(a=before.splitlines(), b=after.splitlines(), autojunk=False)
    return [(start + 1, end) for tag, start, end, _, _ in matcher.get_opcodes() if tag in ("replace", "delete")]


def row_origins(before: str, after: str) -> dict[int, tuple[bool, Sequence[int]]]:
    """For every row of `after`: is it one of `before`, and which, or else the rows in whose place it was written.

    Lines are compared whatever their indentation, since a fix may move code into a block or out of it.
    """
    one, other = ([line.strip() for line in text.splitlines()] for text in (before, after))
    origins: dict[int, tuple[bool, Sequence[int]]] = {}
    for tag, start, end, new_start, new_end in SequenceMatcher(a=one, b=other, autojunk=False).get_opcodes():
        for row in range(new_start, new_end):
            is_kept = tag == "equal"
            origins[row + 1] = is_kept, (start + row - new_start + 1,) if is_kept else range(start + 1, end + 1)
    return origins


def given_up_at(frame: GivenUp, broken: Break) -> str:
    """Why a line is not known to break: its function was run eagerly because of another line."""
    of = f"the frame of {frame.function}" if frame.function else "its whole frame"
    is_here = (frame.filename, frame.row) in ((broken.filename, broken.row), broken.called_from)
    where = broken.summary if is_here else f"{shown(frame.filename)}:{frame.row}, for the break at {broken.summary}"
    return f"Dynamo gave {of} up at {where}, so that this line was never traced"
