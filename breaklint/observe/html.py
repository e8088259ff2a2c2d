"""Coverage of compilation as one HTML page: each observed file with its source in colours; no script, no network."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from breaklint import __version__
from breaklint.errors import SourceError
from breaklint.model import Entry
from breaklint.observe.coverage import reached
from breaklint.observe.functions import Functions
from breaklint.observe.join import Join
from breaklint.observe.known import File
from breaklint.observe.profile import Entry as Called
from breaklint.observe.profile import Profile
from breaklint.observe.rows import BROKEN, GIVEN_UP, GRAPH, UNREACHED, Row, rows_of
from breaklint.output.wording import printable_lines
from breaklint.source.decoding import read_source

WORDS = {GRAPH: "in a graph", BROKEN: "breaks the graph", GIVEN_UP: "given up", UNREACHED: "not reached"}
_TEMPLATES = Path(__file__).with_name("page")


class Page(NamedTuple):
    """A file: the rows of its functions by state, in numbers; `missing`: its source is not there."""

    path: str
    rows: list[Row]
    counts: Mapping[str, int]
    stale: tuple[str, ...]
    entries: Mapping[str, Called]
    missing: bool


def html_of(profile: Profile, root: Path, entries: Iterable[Entry]) -> str:
    """The page of a profile, `root` being the folder that its paths are in, and `entries` where tracing begins in the
    files there; what comes from outside is escaped."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable_lines(value) if type(value) is str else value,
    )
    share = reached(profile, root, entries)
    rows: dict[str, set[int]] = {}
    for entry in (*share.reached, *share.missed):
        rows.setdefault(entry.filename, set()).add(entry.row)
    paths = sorted({key.path for key in profile.functions} | {path for path, _ in profile.entries} | rows.keys())
    join = Join(profile, root, {})
    files = [_page(join, profile, root, path, rows.get(path, set())) for path in paths]
    total = sum((Counter(file.counts) for file in files), Counter[str]())
    torches = sorted({key.torch for key in profile.functions})
    template = environment.get_template("coverage.html.j2")
    values = {"files": files, "total": total, "words": WORDS, "torches": torches, "share": share}
    return template.render(**values, version=__version__) + "\n"


def _unobserved(path: str) -> File | None:
    """A file that is not in the profile; None if it does not exist."""
    try:
        text = read_source(path).text
    except SourceError:
        return None
    return File(path, text, Functions(path, text), {})


def _page(join: Join, profile: Profile, root: Path, path: str, entries: set[int]) -> Page:
    place = os.path.join(root, path)
    file = join.file(place) or _unobserved(place)
    rows = rows_of(file, entries) if file is not None else []
    counts = Counter(row.state for row in rows if row.state)
    called = {name: entry for (where, name), entry in sorted(profile.entries.items()) if where == path}
    return Page(path, rows, counts, tuple(file.stale if file else ()), called, file is None)
