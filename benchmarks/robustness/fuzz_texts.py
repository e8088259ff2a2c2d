"""What fuzz.py gives to check and fix: real files, model code changed by seed, made programs, and noise."""

from __future__ import annotations

import ast
import itertools
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

from mutations import corpus, mutated

from breaklint.errors import SourceError
from breaklint.source.decoding import read_source

HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
MODEL_BYTES = 30_000  # of real model code that is mutated; a larger file takes too much of the time
Texts = Iterator[tuple[str, str]]


def files(folders: Sequence[Path], named: frozenset[str]) -> list[Path]:
    """The Python files below the folders, in order; where `named` is not empty only those."""
    found = [Path(place, name) for folder in folders for place, _, names in os.walk(folder) for name in names]
    return sorted(path for path in found if path.suffix == ".py" and (not named or path.name in named))


def listed(labels: Sequence[Path]) -> frozenset[str]:
    """The names of the files that lists of JSON lines have as `file`."""
    return frozenset(json.loads(line)["file"] for label in labels for line in label.read_text("utf-8").splitlines())


def as_they_are(paths: Sequence[Path]) -> Texts:
    """Real files; what cannot be decoded is left out."""
    for path in paths:
        try:
            yield "/".join(path.parts[-3:]), read_source(str(path)).text
        except SourceError:
            continue


def compiled(paths: Sequence[Path]) -> Texts:
    """Real files with every function of theirs given to torch.compile, so that each is followed to its end."""
    for name, text in as_they_are(paths):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
        lines = text.split("\n")
        for row in sorted({min([n.lineno, *(d.lineno for d in n.decorator_list)]) for n in functions}, reverse=True):
            line = lines[row - 1]
            lines.insert(row - 1, f"{line[: len(line) - len(line.lstrip())]}@torch.compile")
        head = next((n.end_lineno or 0 for n in reversed(tree.body) if _is_future(n)), 0)
        yield name, "\n".join([*lines[:head], "import torch", *lines[head:]])


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def mutations(seed: int) -> Texts:
    """Changed code of the fixtures, cards and clean models, by seed."""
    return _mutated([text for _, text in corpus()], seed)


def models(paths: Sequence[Path], seed: int) -> Texts:
    """Changed code of real models, with lines of the cards and fixtures in it, by seed."""
    texts = [text for _, text in as_they_are(paths) if "def forward" in text and len(text) < MODEL_BYTES]
    return _mutated(texts, seed, [text for _, text in corpus()]) if texts else iter(())


def _mutated(texts: Sequence[str], seed: int, donors: Sequence[str] = ()) -> Texts:
    for number in itertools.count(seed):
        yield f"seed {number}", mutated(texts, Random(number), donors)


def grammar(seed: int) -> Texts:
    """Programs of Python's grammar as the body of a forward, in batches of hypothesis."""
    for batch in itertools.count(seed):
        for number, text in enumerate(_made(batch)):
            body = indent(text, " " * 8)
            yield f"batch {batch}, program {number}", f"{text}\n{HEAD}{body}\n        return x.item()\n"


def _made(seed: int) -> list[str]:
    import hypothesmith
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    quiet: dict[str, Any] = {
        "max_examples": 10, "database": None, "deadline": None, "phases": [Phase.generate],
        "suppress_health_check": list(HealthCheck),
    }  # fmt: skip
    made: list[str] = []

    def collect(text: str) -> None:
        made.append(re.sub("\r\n?", "\n", text))  # as every source is read

    seeded(seed)(settings(**quiet)(given(hypothesmith.from_node(auto_target=False))(collect)))()
    return made


def noise(seed: int) -> Texts:
    """Bytes behind the words that make breaklint look."""
    for number in itertools.count(seed):
        random = Random(number)
        text = random.randbytes(random.randint(0, 2000)).decode(random.choice(["latin-1", "utf-8"]), "replace")
        yield f"seed {number}", HEAD + text.replace("\r", "\n")
