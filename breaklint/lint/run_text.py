"""One text that may not be a file: checked or fixed, such as standard input."""

from __future__ import annotations

import os
from typing import NamedTuple

from breaklint.errors import RuleBug, SourceError, UsageError
from breaklint.lint.merging import total, unique
from breaklint.lint.results import Change, RunResult
from breaklint.lint.run import ONE_TORCH, in_cells, merged, untrusted_notices, version_notices
from breaklint.lint.workers import LOOK, Mode, Worker
from breaklint.model import FileResult, Settings
from breaklint.source.decoding import decode
from breaklint.source.source_text import NOTEBOOK, SourceText


def run_text(data: bytes, filename: str, settings: Settings, mode: Mode = LOOK) -> RunResult:
    """Check or fix the bytes of one source that may not be a file; findings use `filename`."""
    if "," in settings.target_torch:
        return _run_text_each(data, filename, settings, mode)
    try:
        source = decode(filename, data)
        reported = frozenset([os.path.abspath(filename)])
        result = _text_result(source, Worker(settings, (), mode, reported=reported))
    except (SourceError, RuleBug) as error:
        return RunResult(files=1, errors=(str(error),))
    change = None if result.text is None else Change(source, result.text)
    run = merged([result], [filename])._replace(
        errors=result.errors,
        notices=unique(
            version_notices([settings.target_torch]), untrusted_notices([(settings, [filename])]), result.notices
        ),
        fixed=total([result.fixed]),
        assumed_torch=settings.target_torch if settings.assumes_torch else "",
        changes=(change,) if change else (),
        texts=((filename, _display_text(source, change.text if change else source.text)),),
    )
    return in_cells(run, [filename])


def _text_result(source: SourceText, worker: Worker) -> FileResult:
    """The result of a text. Raises SourceError and RuleBug as `Worker.source` does."""
    if not worker.mode.fix:
        return worker.source(source).result
    from breaklint.fixes.apply import fix_until_stable

    return fix_until_stable(_Texts(source, worker), source.path, source.text, worker.mode.unsafe)


class _Texts(NamedTuple):
    """Checks new texts of a source."""

    source: SourceText
    worker: Worker

    def check(self, _path: str, text: str) -> FileResult:
        """The findings of a text."""
        return self.worker.source(self.source._replace(text=text)).result


def _run_text_each(data: bytes, filename: str, settings: Settings, mode: Mode) -> RunResult:
    from breaklint.lint import several_torches

    if mode.fix:
        raise UsageError(ONE_TORCH)
    versions = {torch: several_torches.for_torch(settings, torch) for torch in several_torches.torches([settings])}
    results = {torch: run_text(data, filename, own, mode) for torch, own in versions.items()}
    return several_torches.combine_versions(results)


def _display_text(source: SourceText, text: str) -> str:
    if not source.path.endswith(NOTEBOOK):
        return text
    from breaklint.source.notebooks import shown

    return shown(source, text)
