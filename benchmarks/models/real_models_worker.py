"""Runs one case of real_models.py on one version of the libraries, or imports files of it.

    python real_models_worker.py CASES.py FOLDER VERSION case NAME TOLD.json
    python real_models_worker.py CASES.py FOLDER VERSION imports '["package/file.py", ...]' TOLD.json

What the model does without compiling is kept in FOLDER for the version `original`, and compared with it for the others:
outputs, gradients, state, what is printed and raised; so is what the compiled model gives.
"""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

sys.path.append(str(Path(__file__).resolve().parents[1] / "accuracy"))

from exam_worker import load, made

from breaklint.verify.arm.accuracy import compare
from breaklint.verify.arm.comparable import comparable
from breaklint.verify.arm.observe import Case, observe
from breaklint.verify.arm.snapshot import snapshot
from breaklint.verify.arm.trace import CompileTrace
from breaklint.verify.judge.breaks import read_reports


def main() -> None:
    """Write what was asked for as JSON."""
    path, folder, version, what, argument, told = sys.argv[1:]
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if what == "imports":
        answer: Any = {file: imported(file) for file in json.loads(argument)}
    else:
        answer = worked(Path(path), Path(folder), version, argument)
    Path(told).write_text(json.dumps(answer), "utf-8")


def imported(file: str) -> str:
    """Why a file does not import, "" where it does."""
    try:
        importlib.import_module(file.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    except Exception as error:  # noqa: BLE001 (a file that does not import is what we look for)
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def worked(path: Path, folder: Path, version: str, name: str) -> dict[str, Any]:
    """What a case does on a version."""
    case = getattr(load(path), f"case_{name}")
    row: dict[str, Any] = {"error": "", "breaks": [], "graphs": 0, "files": []}
    kept = folder / "records" / f"{name}.pt"
    try:
        record = observe(Case(*made(case, False)), 0, gradients=True)
        row["exception"] = record.get("exception", "")
        output = compiled(case, row, [str(folder / version), str(folder / "original")])
        if not row["breaks"]:
            row["fullgraph"] = fullgraph(case)
        if version == "original":
            kept.parent.mkdir(exist_ok=True)
            torch.save(record, kept)
            row["files"] = files(folder)
        before = torch.load(kept, weights_only=False)
        row["differing"] = compare(*comparable(before, record), "")
        row["differing_compiled"] = compare(before.get("output"), output, "")
    except Exception as error:  # noqa: BLE001 (a model may raise anything, and then it is no row)
        row["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    return row


def compiled(case: Any, row: dict[str, Any], roots: list[str]) -> Any:
    """Compile and call the model, count its graphs and list its breaks; what it gives."""
    graphs: list[torch.fx.GraphModule] = []

    def count(graph: torch.fx.GraphModule, _: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    model, args, kwargs = made(case, False)
    torch.manual_seed(0)
    with torch.no_grad(), CompileTrace() as trace:
        output = torch.compile(model, backend=count)(*args, **kwargs)
    row["graphs"] = len(graphs)
    for each in read_reports(trace.breaks, roots):
        place = (each.filename, each.row) if each.own else each.called_from or (each.filename, each.row)
        told = {"file": relative(place[0], roots), "row": place[1], "gb": each.gb, "reason": each.reason[:200]}
        row["breaks"].append(told if each.own else {**told, "in": f"{Path(each.filename).name}:{each.row}"})
    row["reports"] = len(trace.breaks)
    return snapshot(output)


def fullgraph(case: Any) -> str:
    """Why the model does not compile with fullgraph, "" where it does."""
    torch._dynamo.reset()
    model, args, kwargs = made(case, False)
    try:
        with torch.no_grad():
            torch.compile(model, backend="eager", fullgraph=True)(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 (the answer)
        return f"{type(error).__name__}: {error}".splitlines()[0][:200]
    return ""


def files(folder: Path) -> list[str]:
    """The files of the libraries that are imported by now."""
    root = folder / "original"
    places = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    own = [place for place in places if place.startswith(f"{root}/") and place.endswith(".py")]
    return sorted(str(Path(place).relative_to(root)) for place in own)


def relative(name: str, roots: list[str]) -> str:
    """A file's name below the folder of its version."""
    for root in roots:
        name = name.removeprefix(f"{root}/")
    return name


if __name__ == "__main__":
    main()
