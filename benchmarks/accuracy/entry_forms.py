"""Run the forms of compiling in tests/interp/entry_forms, and record what Dynamo does in each.

    python benchmarks/accuracy/entry_forms.py [NAME...]

Every form is a file, or a folder with a `main.py`, that has a function `run()`. It is called in a process of its own,
with Dynamo's structured trace recorded. `labels.json` beside the forms tells for each file: `breaks`, the rows that
broke the graph or on which an export failed; `traced` rows; and for each form the `recompiles` of the first call of
`run()` and the compilations of two further calls (`later_compilations`). The rows of breaks are marked with `# break`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch
import torch._inductor.compile_fx
from exam_worker import Rows, followed, load

from breaklint.dynamo.listener import Listener

FORMS = Path(__file__).resolve().parents[2] / "tests" / "interp" / "entry_forms"
MARK = "  # break"
_FRAME = re.compile(r'File "?([^"\n]+?)"?, line(?:no)? (\d+)')


def main() -> int:
    """Record the named forms, or all."""
    torch.set_num_threads(1)
    labels_path = FORMS / "labels.json"
    labels = json.loads(labels_path.read_text("utf-8")) if labels_path.exists() else {"files": {}}
    known = labels["files"] if sys.argv[1:] else {}
    for form in forms():
        if not sys.argv[1:] or form in sys.argv[1:]:
            told = in_own_process(form)
            known.update(told["files"])
            breaks = {name: row["breaks"] for name, row in told["files"].items()}
            print(form, told["error"].splitlines()[:1], breaks, flush=True)
    files = {name: known[name] for name in sorted(known)}
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in files.items())
    version = torch.__version__.split("+")[0]
    labels_path.write_text(f'{{\n "torch": "{version}",\n "files": {{\n{rows}\n }}\n}}\n', "utf-8")
    for name, row in files.items():
        mark(FORMS / name, set(row["breaks"]))
    return 0


def forms() -> list[str]:
    """The files and folders that are a form each."""
    return sorted(path.name for path in FORMS.iterdir() if path.suffix == ".py" or (path / "main.py").exists())


def in_own_process(form: str) -> dict[str, Any]:
    """What a form does, recorded in a fork of this process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            json.dump(record(form), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)  # type: ignore[no-any-return]


def record(form: str) -> dict[str, Any]:
    """Run a form and tell what Dynamo did on the rows of its files."""
    warnings.simplefilter("ignore")
    torch._inductor.compile_fx.compile_fx = lambda graph, *_, **__: graph.forward
    place = FORMS / form
    paths = [place] if place.suffix == ".py" else sorted(place.glob("*.py"))
    sys.path.insert(0, str(paths[0].parent))
    own = [str(path) for path in paths]
    traced: Rows = defaultdict(set)
    error, later = "", 0
    torch.manual_seed(0)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        with Listener() as trace, followed(traced, own):
            try:
                run = load(place if place.suffix == ".py" else place / "main.py").run
                run()
            except Exception as raised:  # noqa: BLE001 (an export that fails tells the row in its message)
                error = str(raised)
        if not error:
            with Listener() as again:
                run()
                run()
            later = again.compilations
    breaks: dict[str, set[int]] = defaultdict(set)
    for broken in trace.breaks(own):
        where = (broken.filename, broken.row) if broken.own else broken.called_from
        if where is not None and where[1] in traced[where[0]]:  # a frame of torch's is compiled below code that is not
            breaks[where[0]].add(where[1])
    failed = [(name, int(row)) for name, row in _FRAME.findall(error) if name in own]
    for name, row in failed[-1:]:
        breaks[name].add(row)
    return {
        "error": error,
        "files": {
            os.path.relpath(name, FORMS): {
                "breaks": sorted(breaks[name]),
                "traced": sorted(traced[name]),
                "recompiles": trace.recompiles,
                "later_compilations": later,
            }
            for name in own
        },
    }


def mark(path: Path, rows: set[int]) -> None:
    """Write `# break` on the rows that broke, and on no other."""
    text = path.read_text("utf-8").split("\n")
    plain = [line.removesuffix(MARK) for line in text]
    path.write_text("\n".join(line + MARK if row in rows else line for row, line in enumerate(plain, 1)), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
