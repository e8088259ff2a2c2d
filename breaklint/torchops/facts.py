"""What torch's functions take and give, which of them Dynamo skips: from what `scripts/torch_facts.py` generates.

Needs no torch. A table is read once, rows are understood when they are first requested.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from breaklint.torchops.results import ModuleFact, OpFact, Result, parse_result, understood
from breaklint.torchops.signatures import TENSOR, Signature, parse_signature, read_signatures

TABLE: Final = Path(__file__).with_name("facts.json")
# Where an operator is looked for by its short name, in this order.
OPERATORS: Final = (("methods", ""), ("functions", "torch."), ("functions", "torch.nn.functional."))


class Facts(NamedTuple):
    """The facts of one torch version."""

    version: str
    table: dict[str, dict[str, Any]]

    def function(self, qualified: str) -> OpFact | None:
        """A function by the name users import: `torch.nn.functional.relu`."""
        return understood(self._row("functions", qualified))

    def method(self, name: str) -> OpFact | None:
        """A method of Tensor."""
        return understood(self._row("methods", name))

    def operator(self, name: str) -> OpFact | None:
        """An operator by its short name, be it called as a method or as a function of torch or torch.nn.functional."""
        rows = (self._row(section, prefix + name) for section, prefix in OPERATORS)
        return next((understood(row) for row in rows if row), None)

    def is_inplace(self, name: str) -> bool:
        """Whether the operator of this short name changes its first tensor."""
        fact = self.operator(name)
        return fact is not None and fact.inplace

    def is_view(self, name: str) -> bool:
        """Whether the result of the operator of this short name may lie in the memory of an argument."""
        fact = self.operator(name)
        return fact is not None and fact.view

    def is_fresh(self, name: str) -> bool:
        """Whether the result of the operator of this short name always lies in memory of its own."""
        fact = self.operator(name)
        return fact is not None and fact.fresh

    def is_pointwise(self, name: str) -> bool:
        """Whether the operator of this short name computes each element from the same elements."""
        fact = self.operator(name)
        return fact is not None and fact.pointwise

    def is_random(self, name: str) -> bool:
        """Whether the operator of this short name draws random numbers, in whatever form it is called."""
        return any("random" in self._row(section, prefix + name).split(" ") for section, prefix in OPERATORS)

    def keeps_values(self, name: str) -> bool:
        """Whether the operator of this short name copies or converts its tensor and leaves integers what they are."""
        fact = self.operator(name)
        return fact is not None and fact.values

    def keeps_dtype(self, name: str) -> bool:
        """Whether the operator of this short name gives a tensor of its tensor's dtype."""
        fact = self.operator(name)
        return fact is not None and fact.keeps_dtype

    def signature(self, qualified: str) -> Signature | None:
        """What a function takes, by the name users import (`torch.clamp`), or a method (`torch.Tensor.clamp`).

        A method's signature is without its receiver.
        """
        section = "method_signatures" if qualified.startswith(TENSOR) else "function_signatures"
        row = read_signatures()[section].get(qualified.removeprefix(TENSOR), "")
        row = row.get(self.version, "") if isinstance(row, dict) else row
        return parse_signature(row) if row else None

    def attribute(self, name: str) -> Result | None:
        """An attribute of Tensor that is not a method."""
        row = self._row("attributes", name)
        return parse_result(row) if row else None

    def module(self, qualified: str) -> ModuleFact | None:
        """A module class: `torch.nn.LSTM`."""
        row = self._row("modules", qualified)
        return _parse_module(row) if row else None

    def skipped(self, qualified: str) -> bool:
        """Whether Dynamo breaks the graph at every call of the function."""
        return self.skip_reason(qualified) != ""

    def skip_reason(self, qualified: str) -> str:
        """The id of the graph break of a skipped function, or an empty string."""
        return self._row("skipped", qualified)

    @property
    def graph_breaks(self) -> dict[str, str]:
        """The kind of every graph break in torch's registry, by id."""
        return {key: row for key in self.table["graph_breaks"] if (row := self._row("graph_breaks", key))}

    @property
    def config(self) -> dict[str, str]:
        """Dynamo's defaults, as Python writes them."""
        return {key: row for key in self.table["config"] if (row := self._row("config", key))}

    def _row(self, section: str, key: str) -> str:
        row = self.table[section].get(key, "")
        return row if row.__class__ is str else str(row.get(self.version, ""))


@cache
def _parse_module(row: str) -> ModuleFact:
    result, *words = row.split(" ")
    return ModuleFact(parse_result(result), "".join(words).removeprefix("unsupported:"))


@cache
def facts(target: str) -> Facts:
    """The facts of torch `target` (`2.13`, `2.13.1`), or of the nearest version that is known."""
    table = read_table()
    return Facts(nearest(target, tuple(table["versions"])), table)


def doubt(target: str) -> str:
    """The note on a torch version that was not measured; "" of the others."""
    known = tuple(read_table()["versions"])
    if release(target) in map(release, known):
        return ""
    instead = nearest(target, known)
    return f"torch {target} was not measured: what holds for {instead} is used (known: {', '.join(known)})"


@cache
def read_table() -> dict[str, dict[str, Any]]:
    """The whole table: sections of rows."""
    table: dict[str, dict[str, Any]] = json.loads(TABLE.read_bytes())
    return table


def nearest(target: str, known: tuple[str, ...]) -> str:
    """The newest known version that is not newer than the target, or else the oldest."""
    not_newer = [version for version in known if release(version) <= release(target)]
    return max(not_newer, key=release) if not_newer else min(known, key=release)


def release(version: str) -> tuple[int, int]:
    """Major and minor number of a version; 0 where it has none."""
    numbers = [int(part) for part in version.split(".")[:2] if part.isdigit()]
    return (*numbers, 0, 0)[0], (*numbers, 0, 0)[1]
