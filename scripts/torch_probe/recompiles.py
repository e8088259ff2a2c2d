"""Counts the graphs that torch compiles at each call of small programs, and writes them into their files.

`python -m scripts.torch_probe.recompiles tests/rules/loops/*.txt` is run under the torch that counts.
A call counts graphs, or is `error` if it raises. The function `run` of a program is called twelve times, with the
number of the call, under no limit that calls reach. Versions of torch that count the same share a line.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch

HEAD = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\nX = torch.ones(4, 8)\n\n"
TAIL = "net = torch.compile(Net())\ndef run(i): return net(X)\n"
"""The end of a program that does not say how it is called."""
CALLS = 12


class Counter:
    """A backend that counts its graphs."""

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


@dataclass(frozen=True)
class Program:
    """A program whose function `run` is called, and the graphs of each call by version of torch."""

    name: str
    code: str
    counted: dict[str, list[int | str]]


def programs_in(text: str) -> list[Program]:
    """The programs of a file: each begins with `# name: 2.13 2.15 110000000000`, and `e` is a call that raises.

    Without a function `run`, `TAIL` is added.
    """
    first, *rest = re.split(r"^# ([\w-]+): (.*)\n", text, flags=re.MULTILINE)
    assert not first
    return [
        Program(name, code if "def run(" in code else code + TAIL, dict(_counted(heading)))
        for name, heading, code in zip(*[iter(rest)] * 3, strict=True)
    ]


def _counted(heading: str) -> Iterator[tuple[str, list[int | str]]]:
    for part in heading.split("; "):
        *versions, counts = part.split()
        for version in versions:
            yield version, ["error" if count == "e" else int(count) for count in counts]


def as_text(programs: list[Program]) -> str:
    """The programs as their file has them."""
    lines = []
    for program in programs:
        versions: dict[str, list[str]] = {}
        for version, counts in sorted(program.counted.items()):
            row = "".join("e" if count == "error" else str(min(int(count), 9)) for count in counts)
            versions.setdefault(row, []).append(version)
        heading = "; ".join(f"{' '.join(names)} {row}" for row, names in versions.items())
        lines.append(f"# {program.name}: {heading}\n{program.code.removesuffix(TAIL)}")
    return "".join(lines)


def main(paths: list[str]) -> None:
    """Count the programs of some files under this torch."""
    version = ".".join(re.findall(r"\d+", torch.__version__)[:2])
    torch.set_num_threads(1)
    for path in map(Path, paths):
        programs = programs_in(path.read_text())
        with tempfile.TemporaryDirectory() as folder:
            for program in programs:
                name = program.name.replace("-", "_")
                program.counted[version] = counted(program.code, Path(folder), name)
        path.write_text(as_text(programs))


if __name__ == "__main__":
    main(sys.argv[1:])
