"""Fixes of breaks that only Dynamo reported: made after the others, because the profile identifies functions by
their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from breaklint.errors import RuleBug, SourceError
from breaklint.fixes.apply import apply_chosen, choose
from breaklint.lint.fixing import Links, Made, write_changes
from breaklint.lint.results import Change, RunResult
from breaklint.model import Finding
from breaklint.observe.only_seen import BROKEN
from breaklint.source.decoding import read_source
from breaklint.source.source_text import SourceText


def fixed(result: RunResult, paths: Sequence[str] | None, sources: Mapping[str, SourceText]) -> RunResult:
    """The result of a run that fixes, joined with a profile, with the fixes of BRK950 made too.

    They change the files below `paths`; None: they are not written. `sources` are texts without files.
    """
    before = {change.source.path: change for change in result.changes}
    only_seen = [finding for finding in result.findings if finding.code == BROKEN and not finding.cell]
    created: list[Made] = []
    gone: set[Finding] = set()
    errors = [*result.errors]
    for path in sorted({item.filename for item in only_seen}):
        chosen = choose(only_seen, path, unsafe=True)
        if not chosen:
            continue
        try:
            old = before.get(path)
            source = sources.get(path) or (old.source if old and paths is None else read_source(path))
            text = apply_chosen(path, old.text if old and paths is None else source.text, chosen)
        except (SourceError, RuleBug) as error:
            errors.append(str(error))
            continue
        created.append((Change(source, text), tuple(Counter(item.code for item, _ in chosen).items())))
        gone.update(item for item, _ in chosen)
    links: Links = {}
    written = created if paths is None else write_changes(created, paths, errors, links)
    changes = before | {item.source.path: item for item, _ in written}
    counts = Counter(dict(result.fixed))
    for _, codes in written:
        counts.update(dict(codes))
    missing = {item.source.path for item, _ in created} - {item.source.path for item, _ in written}
    findings = tuple(finding for finding in result.findings if finding not in gone or finding.filename in missing)
    return result._replace(
        findings=findings, changes=tuple(changes.values()), fixed=tuple(sorted(counts.items())), errors=tuple(errors)
    )
