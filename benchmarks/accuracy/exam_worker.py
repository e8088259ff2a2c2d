"""Run the cases of one file under torch.compile (backend eager) and report the lines that ran, were traced or broke.

    python exam_worker.py CASES.py FOLDER SECONDS MODES NAME...

A JSON object a line: `{"start": NAME}` and, when the case is through, its `executed` and `traced` rows by file and its
`breaks`. A case that takes longer than SECONDS ends the process. Only files of `PACKAGES` below FOLDER are recorded.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib.util
import json
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import torch
from torch._dynamo.symbolic_convert import InstructionTranslatorBase

from breaklint.dynamo.listener import Listener

Rows = dict[str, set[int]]


def main() -> int:
    """Run the named cases in this process."""
    path, folder, seconds, modes, *names = sys.argv[1:]
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    pipe, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115 (output of the cases is not a result)
    cases = load(Path(path))
    own = [entry for package in cases.PACKAGES if (entry := place_of(folder, package))]
    for name in names:
        print(json.dumps({"start": name}), file=pipe, flush=True)
        faulthandler.dump_traceback_later(float(seconds), exit=True)
        for mode in modes.split(","):
            result = run(getattr(cases, name), mode == "training", own)
            print(json.dumps({"case": name, "mode": mode, **result}), file=pipe, flush=True)
        faulthandler.cancel_dump_traceback_later()
    return 0


def load(path: Path) -> ModuleType:
    """The module of a case file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)  # Dynamo imports what its functions name
    spec.loader.exec_module(module)
    return module


def place_of(folder: str, package: str) -> str:
    """The path of an installed package or module, "" if there is none."""
    for name in (package, f"{package}.py"):
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return ""


def run(case: Callable[[], tuple[Any, ...]], training: bool, own: list[str]) -> dict[str, Any]:
    """One case in one mode: rows that ran, rows that Dynamo traced, and its breaks."""
    executed: Rows = defaultdict(set)
    traced: Rows = defaultdict(set)
    torch._dynamo.reset()
    try:
        with torch.set_grad_enabled(training):
            model, args, kwargs = instantiate(case, training)
            with recorded(executed, own):
                model(*args, **kwargs)
            model, args, kwargs = instantiate(case, training)
            with Listener() as trace, followed(traced, own):
                torch.compile(model, backend="eager")(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 (a library's model may raise anything)
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    return {"executed": listed(executed), "traced": listed(traced), "breaks": breaks_of(trace, own)}


def instantiate(case: Callable[[], tuple[Any, ...]], training: bool) -> tuple[Any, Any, Any]:
    """A new model, args and kwargs of a case: a call may change its model or its inputs."""
    torch.manual_seed(0)
    with torch.enable_grad():
        model, args, kwargs = (*case(), {})[:3]
    model = getattr(
        model, "_orig_mod", getattr(model, "_torchdynamo_orig_callable", model)
    )  # a user's file compiles it
    if isinstance(model, torch.nn.Module):
        model.train(training)
    return model, args, kwargs


def breaks_of(trace: Listener, own: list[str]) -> list[dict[str, Any]]:
    """The breaks in code of the packages, or in code that they called."""
    rows = []
    for broken in trace.breaks(own):
        place = (broken.filename, broken.row) if broken.own else broken.called_from
        if place is not None:
            lib = "" if broken.own else f"{broken.filename}:{broken.row}"
            fields = {"type": broken.reason, "gb": broken.gb, "lib": lib, "loop": broken.skips_frame}
            rows.append({"filename": place[0], "line": place[1], **fields})
    return rows


def listed(rows: Rows) -> dict[str, list[int]]:
    """The rows in order."""
    return {name: sorted(lines) for name, lines in rows.items()}


@contextlib.contextmanager
def recorded(rows: Rows, own: list[str]) -> Iterator[None]:
    """Record the rows that Python runs."""

    def enter(frame: FrameType, event: str, _: object) -> Any:
        return step if frame.f_code.co_filename.startswith(tuple(own)) else None

    def step(frame: FrameType, event: str, _: object) -> Any:
        if event == "line" and not defines(frame.f_code, frame.f_lineno):
            rows[frame.f_code.co_filename].add(frame.f_lineno)
        return step

    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)


def defines(code: CodeType, row: int) -> bool:
    """Whether a lambda is created in a row: its body, on the same row, then counts neither as run nor as traced."""
    bodies = (part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == "<lambda>")
    return any(body.co_firstlineno == row for body in bodies)


@contextlib.contextmanager
def followed(rows: Rows, own: list[str]) -> Iterator[None]:
    """Record the rows that Dynamo traces."""
    original = InstructionTranslatorBase.starts_line

    def starts_line(self: Any, row: int) -> None:
        if self.f_code.co_filename.startswith(tuple(own)) and not defines(self.f_code, row):
            rows[self.f_code.co_filename].add(row)
        original(self, row)

    InstructionTranslatorBase.starts_line = starts_line  # type: ignore[method-assign]
    try:
        yield
    finally:
        InstructionTranslatorBase.starts_line = original  # type: ignore[method-assign]


if __name__ == "__main__":
    sys.exit(main())
