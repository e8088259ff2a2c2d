"""What torch's functions take and give, which of them Dynamo skips: from what `scripts/torch_facts.py` generates.

Needs no torch. A table is read once, rows are understood when they are first requested.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from breaklint.torchops.results import ModuleFact, OpFact, Result, parse_result, understood
from breaklint.torchops.signatures import Signature, signature_of
from breaklint.torchops.tables import Table, nearest, read_table, release, versions
from breaklint.torchops.torch_versions import holds

# Where an operator is looked for by its short name, in this order.
OPERATORS: Final = (("methods", ""), ("functions", "torch."), ("functions", "torch.nn.functional."))


# No schema tells what Dynamo does with state. "stores in classes": an attribute of a class is stored without a break;
# "guards reads": a number of a module's top level is guarded on only where something computes with it; "skips
# recurrent": a frame that calls an RNN, GRU or LSTM is not compiled at all (counted, in tests/recompiles/programs);
# "makes namespaces": `SimpleNamespace` is known. "takes iterators": a generator is traced as an argument.
SINCE: Final = {
    "stores in classes": ">=2.13",
    "guards reads": ">=2.15",
    "skips recurrent": "<2.15",
    "makes namespaces": ">=2.15",
    "takes iterators": ">=2.15",
}


class Facts(NamedTuple):
    """The facts of one torch version."""

    version: str
    table: Table

    def does(self, what: str) -> bool:
        """Whether Dynamo of this torch version does one of the things of SINCE."""
        return holds(SINCE[what], self.version)

    def function(self, qualified: str) -> OpFact | None:
        """A function by the name users import: `torch.nn.functional.relu`."""
        return understood(self._row("functions", qualified))

    def method(self, name: str) -> OpFact | None:
        """A method of Tensor."""
        return understood(self._row("methods", name))

    def operator(self, name: str) -> OpFact | None:
        """An operator by its short name, as a method or as a function of torch or torch.nn.functional."""
        rows = (self._row(section, prefix + name) for section, prefix in OPERATORS)
        return next((understood(row) for row in rows if row), None)

    def is_inplace(self, name: str) -> bool:
        """Whether the operator of this short name changes its first tensor."""
        fact = self.operator(name)
        return fact is not None and fact.inplace

    def is_view(self, name: str) -> bool:
        """Whether the result of the operator of this short name may share memory with an argument."""
        fact = self.operator(name)
        return fact is not None and fact.view

    def is_fresh(self, name: str) -> bool:
        """Whether the result of the operator of this short name always has its own memory."""
        fact = self.operator(name)
        return fact is not None and fact.fresh

    def is_pointwise(self, name: str) -> bool:
        """Whether the operator of this short name computes each element from the same elements."""
        fact = self.operator(name)
        return fact is not None and fact.pointwise

    def is_random(self, name: str) -> bool:
        """Whether the operator of this short name draws random numbers, as a function or a method."""
        return any("random" in self._row(section, prefix + name).split(" ") for section, prefix in OPERATORS)

    def keeps_values(self, name: str) -> bool:
        """Whether the operator of this short name copies or converts its tensor without changing integers."""
        fact = self.operator(name)
        return fact is not None and fact.values

    def keeps_dtype(self, name: str) -> bool:
        """Whether the operator of this short name returns a tensor of its input's dtype."""
        fact = self.operator(name)
        return fact is not None and fact.keeps_dtype

    def signature(self, qualified: str) -> Signature | None:
        """What a function takes, by the name users import (`torch.clamp`), or a method (`torch.Tensor.clamp`).

        A method's signature is without its receiver.
        """
        return signature_of(qualified, self.version)

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

    def traces(self, construct: str) -> bool:
        """Whether Dynamo traces one of the pieces of code in scripts/torch_probe/constructs.py, by its name."""
        return self._row("constructs", construct) == "traced"

    def of_size(self, function: str) -> str:
        """What Dynamo makes of a function of a size that varies, by its qualified name (`math.log`, `int.bit_length`):
        `symbolic`, `specialized` (it compiles again for each value), the id of a graph break, or "" for others.
        """
        return self._row("sizes", function)

    def refuses_number(self, function: str) -> bool:
        """Whether Dynamo does not trace a function of a number that is read from a tensor in the graph
        (`builtins.hash`, `math.log`, `int.bit_length`).
        """
        return self._row("numbers", function) not in ("", "traced")

    def use(self, name: str) -> str:
        """The id of the graph break of a use of an object, by its key in scripts/torch_probe/uses.py: a call
        (`threading.Lock.acquire()`), an attribute (`logging.Logger.level`, `logging.Logger.level=`) or a `with`
        (`with threading.Lock`). `error` if compiling it raises, "" if Dynamo traces it or nobody measured it.
        """
        return self._row("uses", name)

    @property
    def graph_breaks(self) -> dict[str, str]:
        """The kind of every graph break in torch's registry, by id."""
        return {key: row for key, row in self.table["graph_breaks"].items() if row}

    @property
    def config(self) -> dict[str, str]:
        """Dynamo's defaults, as Python writes them."""
        return {key: row for key, row in self.table["config"].items() if row}

    def _row(self, section: str, key: str) -> str:
        return self.table[section].get(key, "")


@cache
def _parse_module(row: str) -> ModuleFact:
    result, *words = row.split(" ")
    return ModuleFact(parse_result(result), "".join(words).removeprefix("unsupported:"))


@cache
def for_target(target: str) -> Facts:
    """The facts of torch `target` (`2.13`, `2.13.1`), or of the nearest measured version."""
    version = nearest(target, versions())
    return Facts(version, read_table(version))


def doubt(target: str) -> str:
    """The note on a torch version that was not measured; "" of the others."""
    if release(target) in map(release, versions()):
        return ""
    instead, known = nearest(target, versions()), ", ".join(versions())
    return f"torch {target} was not measured: the facts of {instead} are used (measured: {known})"
