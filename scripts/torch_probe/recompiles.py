"""Counts the graphs that torch compiles at each call of small programs, and writes them into their files.

`python -m scripts.torch_probe.recompiles tests/recompiles/loops/*.yaml` is run under the torch that counts.
A call counts graphs, or is `error` if it raises. The function `run` of a program is called twelve times, with the
number of the call, under no limit that calls reach. Versions of torch that count the same share a line.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch
import yaml

HEAD = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\nX = torch.ones(4, 8)\n\n"
CALLS = 12


class Counter:
    """A backend that counts the graphs it is given."""

    def __init__(self) -> None:
        self.graphs = 0

    def __call__(self, graph: Any, inputs: Any) -> Any:
        """The graph as it is."""
        self.graphs += 1
        return graph.forward


def counted(code: str, folder: Path, name: str) -> list[int | str]:
    """The graphs that each call of a program compiles."""
    torch._dynamo.reset()
    counter = Counter()
    torch._dynamo.config.recompile_limit = 64
    with patch("torch.compile", partial(_compile, torch.compile, counter)):
        module = _loaded(HEAD + code, folder / f"{name}.py")
        return [*_counts(module, counter)]


def _compile(compile_: Callable[..., Any], counter: Counter, model: Any = None, **options: Any) -> Any:
    """`torch.compile` with the backend that counts."""
    return compile_(model, **{"backend": counter, **options})


def _counts(module: ModuleType, counter: Counter) -> Iterator[int | str]:
    for call in range(CALLS):
        counter.graphs = 0
        try:
            module.run(call)
            yield counter.graphs
        except Exception:  # noqa: BLE001 - whatever a program raises is its result
            yield "error"


def _loaded(text: str, path: Path) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def programs_in(text: str) -> list[dict[str, Any]]:
    """The programs of a file, each with its counts by version."""
    programs: list[dict[str, Any]] = yaml.safe_load(text)
    for program in programs:
        counts = program["counted"]
        program["counted"] = {version: row for names, row in counts.items() for version in names.split()}
    return programs


def written(programs: list[dict[str, Any]]) -> str:
    """The programs as their file has them."""
    lines = []
    for program in programs:
        lines += [f"- name: {program['name']}", "  code: |"]
        lines += [f"    {row}" for row in program["code"].splitlines() if row.strip()]
        rows: dict[str, list[str]] = {}
        for version, counts in sorted(program["counted"].items()):
            rows.setdefault(json.dumps(counts), []).append(version)
        shared = ", ".join(f'"{" ".join(versions)}": {row}' for row, versions in rows.items())
        lines.append(f"  counted: {{{shared}}}")
    return "\n".join(lines) + "\n"


def main(paths: list[str]) -> None:
    """Count the programs of some files under this torch."""
    version = ".".join(re.findall(r"\d+", torch.__version__)[:2])
    torch.set_num_threads(1)
    for path in map(Path, paths):
        text = path.read_text()
        head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
        programs = programs_in(text)
        with tempfile.TemporaryDirectory() as folder:
            for program in programs:
                program["counted"][version] = counted(program["code"], Path(folder), program["name"].replace("-", "_"))
        path.write_text(head + written(programs))


if __name__ == "__main__":
    main(sys.argv[1:])
