"""Compare check with Dynamo of the installed torch: runs every case of a page that has a function `run()`.

    python scripts/prove_cases.py [PAGE.md ...]

The default is the pages of tests/cases/entry_points and tests/cases/values, and tests/cases/models/reported.md. Each
case runs in its own process, with the structured trace of Dynamo recorded. A line breaks if the graph breaks there, or
a compilation fails there. Dynamo does not reach a line with a condition "… does not break". Lines on which check and
Dynamo differ are printed, and the exit code is 1 then. Needs torch.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import torch
import torch._dynamo.convert_frame
import torch._inductor.compile_fx

from breaklint.dynamo.listener import Listener
from breaklint.lint.cases import Case, check_files, read_cases, write_files
from breaklint.lint.config import load_settings
from breaklint.model import Effect

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "benchmarks" / "accuracy"))
from exam_worker import Rows, followed, load  # noqa: E402

CASES = PROJECT / "tests" / "cases"
PAGES = [*CASES.glob("entry_points/*.md"), *CASES.glob("values/*.md"), CASES / "models" / "reported.md"]
_FRAME = re.compile(r'File "?([^"\n]+?)"?, line(?:no)? (\d+)')


class Lines(NamedTuple):
    """Lines of a file that break the graph: according to check, and measured."""

    reported: list[int]
    measured: list[int]


def main() -> int:
    """Run the cases of the given pages; print the lines that differ."""
    torch.set_num_threads(1)
    wrong = 0
    for page in [Path(name) for name in sys.argv[1:]] or sorted(PAGES):
        for case in read_cases(page):
            if any("\ndef run():" in file.text for file in case.files.values()):
                for name, lines in in_own_process(case).items():
                    file = case.files[name]
                    for row in sorted(corrected(file.text, lines.reported).symmetric_difference(lines.measured)):
                        wrong += 1
                        word = "breaks" if row in lines.measured else "does not break"
                        print(f"{page}:{file.line + row - 1}: {word} ({case.name})", flush=True)
    return 1 if wrong else 0


def corrected(text: str, reported: list[int]) -> set[int]:
    """The reported lines with the ones that a text marks as missed, without the ones that it marks as wrong."""
    lines = dict(enumerate(text.splitlines(), 1))
    missed = {row for row, line in lines.items() if line.endswith("# missed")}
    return missed | {row for row in reported if "# wrong " not in lines[row]}


def in_own_process(case: Case) -> dict[str, Lines]:
    """The lines of each file of a case that break, in a fork of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # torch logs every break
        with os.fdopen(writer, "w") as pipe, tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            write_files(case, place)
            reported = report(case, place)
            measured = record(case, place)
            json.dump({name: (sorted(reported[name]), sorted(measured[name])) for name in case.files}, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return {name: Lines(*lines) for name, lines in json.loads(text).items()}


def report(case: Case, folder: Path) -> dict[str, set[int]]:
    """The lines of the case's files on which check reports a break for the installed torch."""
    target = {"target-torch": ".".join(torch.__version__.split(".")[:2])}
    findings, _ = check_files(case, folder, load_settings(folder, isolated=True, inline={**case.settings, **target}))
    lines: dict[str, set[int]] = defaultdict(set)
    for finding in findings:
        if finding.effect is Effect.BREAK and not finding.when.endswith("does not break"):
            lines[os.path.relpath(finding.filename, folder)].add(finding.span.start.row)
    return lines


def record(case: Case, folder: Path) -> dict[str, set[int]]:
    """Run a case in a folder; returns the lines of its files that break."""
    warnings.simplefilter("ignore")
    torch._inductor.compile_fx.compile_fx = lambda graph, *_, **__: graph.forward
    own = [str(folder / name) for name in case.files]
    main_file = next(name for name, file in case.files.items() if "\ndef run():" in file.text)
    sys.path.insert(0, str(folder))
    traced: Rows = defaultdict(set)
    torch.manual_seed(0)
    with contextlib.redirect_stdout(io.StringIO()), Listener() as trace, followed(traced, own), failures() as errors:
        try:
            load(folder / main_file).run()
        except Exception as raised:  # noqa: BLE001 - the message of a failed export names the line
            errors.append(str(raised))
    breaks: dict[str, set[int]] = defaultdict(set)
    for broken in trace.breaks(own):
        where = (broken.filename, broken.row) if broken.own else broken.called_from
        if where is not None and where[1] in traced[where[0]]:  # torch's own frames are compiled below skipped code
            breaks[where[0]].add(where[1])
    for error in errors:
        for name, row in [frame for frame in _FRAME.findall(error) if frame[0] in own][-1:]:
            breaks[name].add(int(row))
    return {os.path.relpath(name, folder): breaks[name] for name in own}


@contextlib.contextmanager
def failures() -> Iterator[list[str]]:
    """The errors of the compilations that fail, also if the case catches them. A message names the line."""
    errors: list[str] = []
    handler = torch._dynamo.convert_frame.exception_handler

    def handle(error: Exception, *args: object, **kwargs: object) -> None:
        handler(error, *args, **kwargs)
        errors.append(str(error))

    torch._dynamo.convert_frame.exception_handler = handle
    yield errors


if __name__ == "__main__":
    sys.exit(main())
