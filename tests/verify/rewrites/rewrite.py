"""A model before and after a rewrite, and the differences that an arm finds between the two."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import indent

import torch

from breaklint.verify.arm.arm import Arm
from breaklint.verify.arm.importing import Location
from breaklint.verify.arm.session import Setup
from breaklint.verify.judge.breaks import changed_rows

TEXT = """\
import collections, dataclasses, random, time, types, warnings
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

{top}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))
{init}

    {signature}
{forward}


def get_inputs():
    return [{inputs}]
"""
INPUTS = "torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])"
EQUAL = ""
Sides = str | tuple[str, str]
"""The lines of both sources, or those before and those after."""


@dataclass(frozen=True)
class Rewrite:
    """Lines of forward, at the top level and of the constructor; `words` are those of the difference, "" if none is."""

    name: str
    words: str
    forward: Sides
    init: Sides = ""
    top: Sides = ""
    inputs: str = INPUTS
    signature: Sides = "def forward(self, x):"
    train: bool = False

    def sources(self) -> tuple[str, str]:
        """The text before, and the text after."""
        before, after = (
            TEXT.format(
                top=_side(self.top, number),
                init=indent(_side(self.init, number), " " * 8),
                forward=indent(_side(self.forward, number), " " * 8),
                signature=_side(self.signature, number),
                inputs=self.inputs,
            )
            for number in (0, 1)
        )
        return before, after

    def differences(self, folder: Path) -> tuple[str, list[str]]:
        """The first difference that is found uncompiled or once Dynamo has traced the model ("" if none), and notes."""
        before, after = self.sources()
        path = str(folder / "model.py")
        Path(path).write_text(before, encoding="utf-8")
        branches = tuple((path, *rows) for rows in changed_rows(before, after))
        setup = asdict(Setup("cpu", "eager", None, None, self.train, 0, str(folder / "reference.pt")))
        setup |= {"branches": branches, "rewritten": True}
        with _as_in_an_arm():
            original, rewritten = Arm(), Arm()
            original.load(asdict(Location(path, "", str(folder), "", False)), setup)
            told = original.reference()
            assert told["exception"] is None, told
            rewritten.load(asdict(Location(path, "", str(folder), "", False, {path: after})), setup)
            found = rewritten.rewritten()
            lines = [*told["unstable"], *found["rewrite_differences"]]
            if not lines:
                compiled = rewritten.compile()
                calls = [line for call in rewritten.probes(raising=False)["probes"] for line in call["differences"]]
                lines = [f"compiled, {line}" for line in (*compiled["differences"], *calls)]
        return lines[0] if lines else EQUAL, [told["incomparable"], *told["notes"], *found["notes"]]


@contextmanager
def _as_in_an_arm() -> Iterator[None]:
    """The random numbers, the search path and the modules are as before afterwards."""
    path, modules = list(sys.path), set(sys.modules)
    with torch.random.fork_rng():
        try:
            yield
        finally:
            sys.path[:] = path
            for name in sys.modules.keys() - modules:
                if name == "breaklint_target":
                    del sys.modules[name]


def _side(sides: Sides, number: int) -> str:
    return sides if isinstance(sides, str) else sides[number]
