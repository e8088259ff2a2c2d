"""Compare the break marks of cases with Dynamo: runs every case of a page that has a function `run()`.

    python scripts/prove_cases.py [PAGE.md ...]

The default is the pages of tests/cases/entry_points and tests/cases/values, and tests/cases/models/reported.md. Each
case runs in its own process, with the structured trace of Dynamo recorded. A line breaks if the graph breaks there, or
a compilation fails there. A mark with a condition "… does not break" names a line that Dynamo does not reach. Lines
that differ from the marks are printed, and the exit code is 1 then. Needs torch.
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

import torch
import torch._dynamo.convert_frame
import torch._inductor.compile_fx

from breaklint.dynamo.listener import Listener
from breaklint.lint.cases import Case, marks, read_cases
from breaklint.model import Effect
from breaklint.rules.cards import load_rules

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "benchmarks" / "accuracy"))
from exam_worker import Rows, followed, load  # noqa: E402

CASES = PROJECT / "tests" / "cases"
PAGES = [*CASES.glob("entry_points/*.md"), *CASES.glob("values/*.md"), CASES / "models" / "reported.md"]
BREAKS = {rule.code for rule in load_rules() if rule.effect is Effect.BREAK}
_FRAME = re.compile(r'File "?([^"\n]+?)"?, line(?:no)? (\d+)')


def main() -> int:
    """Run the cases of the given pages; print the lines that differ."""
    torch.set_num_threads(1)
    wrong = 0
    for page in [Path(name) for name in sys.argv[1:]] or sorted(PAGES):
        for case in read_cases(page):
            if any("\ndef run():" in file.text for file in case.files.values()):
                measured = in_own_process(case)
                for name, file in case.files.items():
                    expected = marked(file.text)
                    for row in sorted(expected.symmetric_difference(measured[name])):
                        wrong += 1
                        word = "breaks" if row in measured[name] else "does not break"
                        print(f"{page}:{file.line + row - 1}: {word} ({case.name})", flush=True)
    return 1 if wrong else 0


def marked(text: str) -> set[int]:
    """The lines that a text says break."""
    lines = text.splitlines()
    return {
        row
        for row, mark in marks(text).items()
        if lines[row - 1].endswith("# missed")
        or ("# wrong " not in lines[row - 1] and BREAKS & {*mark.codes} and not mark.when.endswith("does not break"))
    }


def in_own_process(case: Case) -> dict[str, list[int]]:
    """The lines of each file of a case that break, measured in a fork of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # torch logs every break
        with os.fdopen(writer, "w") as pipe, tempfile.TemporaryDirectory() as folder:
            json.dump(record(case, Path(folder).resolve()), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)  # type: ignore[no-any-return]


def record(case: Case, folder: Path) -> dict[str, list[int]]:
    """Run a case in a folder; returns the lines of its files that break."""
    warnings.simplefilter("ignore")
    torch._inductor.compile_fx.compile_fx = lambda graph, *_, **__: graph.forward
    for name, file in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(file.text, "utf-8")
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
    return {os.path.relpath(name, folder): sorted(breaks[name]) for name in own}


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
