"""Counts the graphs that torch compiles at each call of small programs, and writes them into their files.

`python -m scripts.torch_probe.recompiles tests/recompiles/*/*.yaml` is run under the torch that counts.
A call counts graphs, or is `error` where it raises. A program with a function `run` compiles by itself what that calls;
it is called with the number of the call, under no limit that calls reach.
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

HEAD = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"
TAIL = "\n\ndef T(*sizes): return torch.randn(*sizes)\n"


class Counter:
    """A backend that counts the graphs it is given."""

    def __init__(self) -> None:
        self.graphs = 0

    def __call__(self, graph: Any, inputs: Any) -> Any:
        """The graph as it is."""
        self.graphs += 1
        return graph.forward


def counted(code: str, calls: list[str], folder: Path, name: str) -> list[int | str]:
    """The graphs that each call of a program compiles."""
    torch._dynamo.reset()
    counter = Counter()
    torch._dynamo.config.recompile_limit = 64 if "def run(" in code else 8
    with patch("torch.compile", partial(_compile, torch.compile, counter)):
        module = _loaded(HEAD + code + TAIL, folder / f"{name}.py")
        return [*_counts(module, calls, counter)]


def _compile(compile_: Callable[..., Any], counter: Counter, model: Any = None, **options: Any) -> Any:
    """`torch.compile` with the backend that counts."""
    return compile_(model, **{"backend": counter, **options})


def _counts(module: ModuleType, calls: list[str], counter: Counter) -> Iterator[int | str]:
    run = _entry(module, counter)
    for call in calls:
        counter.graphs = 0
        args = eval(f"({call},)" if call else "()", vars(module) | {"m": module})
        try:
            run(*args)
            yield counter.graphs
        except Exception:  # noqa: BLE001 - whatever a program raises is its result
            yield "error"


def _entry(module: ModuleType, backend: Counter) -> Callable[..., Any]:
    if hasattr(module, "run"):
        run: Callable[..., Any] = module.run
        return run
    if hasattr(module, "make"):
        made: Callable[..., Any] = module.make(backend)
        return made
    target = module.Net().eval() if hasattr(module, "Net") else module.f
    compiled: Callable[..., Any] = torch.compile(target, backend=backend)
    return compiled


def _loaded(text: str, path: Path) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(programs: list[dict[str, Any]]) -> str:
    """The programs as their file has them."""
    lines = []
    for each in programs:
        lines += [
            "",
            f"- name: {each['name']}",
            "  code: |",
            *(f"    {row}".rstrip() for row in each["code"].splitlines()),
        ]
        numbers = all(call.isdigit() for call in each["calls"])
        lines += [f"  calls: {json.dumps(each['calls'])}"] if numbers else ["  calls:"]
        lines += [] if numbers else [f"    - {json.dumps(call)}" for call in each["calls"]]
        lines += ["  counted:"]
        lines += [f'    "{version}": {json.dumps(counts)}' for version, counts in sorted(each["counted"].items())]
    return "\n".join(lines[1:]) + "\n"


def main(paths: list[str]) -> None:
    """Count the programs of some files under this torch."""
    version = ".".join(re.findall(r"\d+", torch.__version__)[:2])
    torch.set_num_threads(1)
    for path in map(Path, paths):
        text = path.read_text()
        head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
        programs = yaml.safe_load(text)
        with tempfile.TemporaryDirectory() as folder:
            for each in programs:
                counts = counted(each["code"], each["calls"], Path(folder), each["name"].replace("-", "_"))
                each.setdefault("counted", {})[version] = counts
        path.write_text(head + written(programs))


if __name__ == "__main__":
    main(sys.argv[1:])
