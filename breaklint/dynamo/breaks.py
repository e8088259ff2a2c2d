"""Read Dynamo's reports of graph breaks: the user's line, the id, the reason, and the frames that are given up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from breaklint.dynamo.events import Break, GivenUp
from breaklint.dynamo.trace_events import TRACED
from breaklint.model import Finding

_PLACE = re.compile(r"Graph break in user code at (.+):(\d+)")
_FRAME = re.compile(r'^\s*File "(.+?)", line (\d+), in (\S+)', re.MULTILINE)
_ID = re.compile(r"/gb(\d{4})\.html")
_EXPLANATION = re.compile(r"^(.+)\n\s+Explanation: (.+)$", re.MULTILINE)
_SKIPS = ("Skipping the function", "Skipping the frame", "will skip tracing the frame")
_LIBRARY = re.compile(r"[/\\](site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python3[^/\\]*[/\\]|^<")
_DYNAMO = re.compile(r"[/\\]torch[/\\]_dynamo[/\\]")
_BREAKLINT = str(Path(__file__).resolve().parent.parent)


OwnPaths = Sequence[str] | Callable[[str], bool]
"""The folders of the user's own code (none: all but installed packages), or a test of a file name."""


def read_reports(reports: Iterable[str], own_paths: OwnPaths = ()) -> tuple[Break, ...]:
    """The breaks of a variant, one per line, kind and calling line of the project, in order."""
    breaks: dict[tuple[str, int, str, tuple[str, int] | None], Break] = {}
    for report in reports:
        broken = _read(report, own_paths)
        if broken is None:
            continue
        key = (broken.filename, broken.row, broken.gb, broken.called_from)
        if broken.called_from is None:  # the report of a frame that Dynamo takes up by itself does not say who calls it
            key = next((previous for previous in breaks if previous[:3] == key[:3]), key)
        previous = breaks.get(key, broken)
        latest = broken if broken.gave_up else previous  # the report that comes when a frame is given up says more
        breaks[key] = replace(latest, gave_up=tuple(dict.fromkeys((*previous.gave_up, *broken.gave_up))))
    return tuple(breaks.values())


def _read(report: str, own_paths: OwnPaths) -> Break | None:
    stack = [(path, int(row), name) for path, row, name in _FRAME.findall(_user_traceback(report))]
    stack = [frame for frame in stack if not frame[0].startswith(_BREAKLINT)]
    frames = [frame[:2] for frame in stack]
    place = _PLACE.search(report)
    if place is None and not frames:
        return None
    filename, row = (place.group(1), int(place.group(2))) if place else frames[-1]
    # Dynamo traces code of its own in place of a builtin. The break is reported at the user's line.
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
        gave_up=(_given_up(report, stack) or GivenUp(*(called_from or (filename, row))),) if skips else (),
    )


def _given_up(report: str, frames: Sequence[tuple[str, int, str]]) -> GivenUp | None:
    """The traced frame, if the report contains it: that of a caller, if the line that breaks was inlined."""
    match = TRACED.search(report)
    for path, row, name in reversed(frames if match else ()):
        if match and (path, _original_name(name)) == (match["filename"], _original_name(match["function"])):
            return GivenUp(path, row, _original_name(name))
    return None


def _original_name(name: str) -> str:
    """The function that a part of it belongs to, which Dynamo compiles by itself."""
    return re.sub(r"^torch_dynamo_resume_in_(.+)_at_\d+$", r"\1", name)


def _user_traceback(report: str) -> str:
    for heading in ("User code traceback:", "in the following user code:"):
        if heading in report:
            return report.split(heading, 1)[1]
    return ""


def _reason(report: str) -> str:
    match = _EXPLANATION.search(report)
    if match:
        title = match.group(1).removeprefix("Graph Break Reason:").strip()
        return f"{title}: {match.group(2).strip()}"
    body = report.split("Graph Break Reason:", 1)[-1].strip()
    return (body.splitlines() or ["unknown"])[0]


def is_own(filename: str, own_paths: OwnPaths = ()) -> bool:
    """Whether code is the user's: below one of `own_paths`, or, without these, outside of installed packages."""
    if callable(own_paths):
        return own_paths(filename)
    if own_paths:
        path = Path(filename).resolve()
        return any(Path(own).resolve() in (path, *path.parents) for own in own_paths)
    return _LIBRARY.search(filename) is None


def failing_breaks(breaks: Iterable[Break], allow: Sequence[str], own_paths: Sequence[str]) -> list[Break]:
    """The breaks that fail a check: dependency code counts unless the user named their own folders."""
    return [b for b in breaks if (b.own or not own_paths) and not any(_is_allowed(b, pattern) for pattern in allow)]


def _is_allowed(broken: Break, pattern: str) -> bool:
    places = (broken.gb, broken.filename, f"{broken.filename}:{broken.row}", Path(broken.filename).name)
    return any(fnmatch(place, pattern) for place in (*places, f"{Path(broken.filename).name}:{broken.row}"))


def covers(finding: Finding, broken: Break) -> bool:
    """Whether the break, or the project line that called into its dependency, is in the lines of the finding."""
    places = [(broken.filename, broken.row), *([broken.called_from] if broken.called_from else [])]
    return any(row in finding.span.rows and same_file(filename, finding.filename) for filename, row in places)


def same_file(one: str, other: str) -> bool:
    """Whether two paths name one file."""
    return one == other or Path(one).resolve() == Path(other).resolve()
