"""What torch's ways around a break do, measured: in one graph? effect kept? gradients equal? On each torch and backend.

    python benchmarks/verify/escape_hatches.py --torch PYTHON ... --out benchmarks/results/escape-hatches.json \\
        --page docs/escape-hatches.md

PYTHON is the interpreter of an environment with a torch. Every measurement is a process of its own.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("escape_hatches_worker.py")
BACKENDS = ("eager", "aot_eager", "inductor")
Answer = dict[str, Any]
MISSING: Answer = {}
PAGE = """# Escape hatches

What torch offers for code that does not fit into a graph, and what it does, on the CPU. Every row is one small
model (a layer, the effect, arithmetic) that is called three times, forward and backward, without and with
`torch.compile` (`benchmarks/verify/escape_hatches_worker.py`). *Graphs* are those of the first call: one is what a
hatch is for. *Effect* is what Python does besides computing, a number appended to a list, a line printed or logged:
kept where it happens as often as in eager mode, with the same numbers. Outputs and gradients are named where they
differ, and backends and versions where these differ. On CUDA, and with CUDA graphs, none of this is measured yet.

"""


def hatches() -> dict[str, str]:
    """The names of the worker's hatches, with what they are."""
    made = (node for node in ast.parse(WORKER.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
    modules = [node for node in made if node.returns is not None and ast.unparse(node.returns) == "nn.Module"]
    return {node.name: ast.get_docstring(node) or node.name for node in modules}


def measured(python: str, pairs: list[str]) -> Iterator[Answer]:
    """What the worker answers to `NAME:BACKEND`, one after the other."""
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    with subprocess.Popen(
        [python, str(WORKER), *pairs], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            if line.startswith("ANSWER "):
                yield json.loads(line.removeprefix("ANSWER "))


def version(python: str) -> str:
    """The torch of an environment."""
    command = [python, "-c", "import torch; print(torch.__version__.partition('+')[0])"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def words(answer: Answer) -> str:
    """One cell of the table."""
    if not answer:
        return "not measured"
    if answer["error"]:
        return f"fails: `{answer['error'].partition(':')[0]}`"
    before, after = answer["effects"]
    kept = "" if not before else "effect kept" if before == after and answer["effects_equal"] else "**effect lost**"
    if before and after and "lost" in kept:
        kept = f"effect {after} of {before} times" if after != before else "**effect with other values**"
    graphs = "1 graph" if answer["graphs"] == 1 else f"{answer['graphs']} graphs"
    wrong = [what for what in ("outputs", "gradients") if not answer[f"{what}_equal"]]
    return ", ".join([graphs, *([kept] if kept else []), *(f"**other {what}**" for what in wrong)])


def table(results: dict[str, Any]) -> str:
    """A row a hatch: what it does, and on which backends and versions where they differ, with the versions measured."""
    text = "| | what it does | torch |\n| --- | --- | --- |\n"
    for name, what in hatches().items():
        cells = {
            (backend, torch): words(rows[name][backend])
            for torch, rows in sorted(results.items(), key=lambda item: [int(part) for part in item[0].split(".")])
            for backend in BACKENDS
            if backend in rows.get(name, {})
        }
        measured_on = list(dict.fromkeys(short(torch) for _, torch in cells))
        told = [f"{said}{where(said, cells)}" for said in dict.fromkeys(cells.values())]
        text += f"| {what.removesuffix('.')} | {'; '.join(told)} | {', '.join(measured_on)} |\n"
    return text


def where(said: str, cells: dict[tuple[str, str], str]) -> str:
    """On which backends, and on which versions of these, a hatch does something; "" for everywhere."""
    if len({*cells.values()}) == 1:
        return ""
    backends = list(dict.fromkeys(backend for backend, _ in cells))
    found: dict[str, list[str]] = {}  # the backends by the versions on which they do it
    for backend in backends:
        every = [torch for other, torch in cells if other == backend]
        some = [torch for torch in every if cells[backend, torch] == said]
        if some:
            found.setdefault("" if some == every else f"on {', '.join(map(short, some))}", []).append(backend)
    parts = [f"{'' if names == backends else ', '.join(names)} {versions}".strip() for versions, names in found.items()]
    return f" ({'; '.join(parts)})"


def short(torch: str) -> str:
    """`2.13` of 2.13.0."""
    return ".".join(torch.split(".")[:2])


def main() -> None:
    """Measure all and write results and page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--backends", nargs="+", default=BACKENDS)
    options = parser.parse_args()
    results: dict[str, Any] = json.loads(options.out.read_text("utf-8")) if options.out.exists() else {}
    for python in options.torch:
        rows = results.setdefault(version(python), {})
        pairs = [
            f"{name}:{backend}"
            for name in hatches()
            for backend in options.backends
            if backend not in rows.get(name, {})
        ]
        for answer in measured(python, pairs):
            name, _, backend = answer.pop("pair").partition(":")
            rows.setdefault(name, {})[backend] = answer
            print(python, name, backend, words(answer), flush=True)
            options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    if options.page:
        old = options.page.read_text("utf-8") if options.page.exists() else ""
        lessons = old.partition("## What to use")
        options.page.write_text(PAGE + table(results) + "\n" + "".join(lessons[1:]), "utf-8")


if __name__ == "__main__":
    main()
