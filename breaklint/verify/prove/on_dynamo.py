"""Compare an example of a rule card with Dynamo on the installed torch. Needs torch and the standard library only."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from breaklint.dynamo.events import Break
from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import Case, Observation, seed_all
from breaklint.verify.arm.compare import compare
from breaklint.verify.arm.importing import Location, execute
from breaklint.verify.arm.loading import random_tensor
from breaklint.verify.arm.process import in_one_line

MARK = re.compile(r"#\s*(break|unroll|recompile|sync)\s*$")
CALLS = 5
"""How many calls show whether a model recompiles."""
COMPARED = ("raised", "output", "gradients")
"""The parts of a record that are the same before and after the fix of a card."""


@dataclass(frozen=True)
class Trace:
    """The breaks of a compiled model, and the number of operations of each graph."""

    breaks: tuple[Break, ...]
    graphs: list[int]


class Example:
    """The versions `bad`, `good` and `fixed` of an example, and the claims of its card about them."""

    def __init__(self, claims: dict[str, Any], folder: Path) -> None:
        self.claims, self._folder = claims, folder

    def model(self, version: str) -> Any:
        """A new model of a version."""
        path = self._folder / f"{version}.py"
        path.write_text(self.claims[version])
        build: Any = execute(Location(str(path), "", str(self._folder), "", False)).Net
        seed_all(0)
        return build()

    def inputs(self, scale: int = 1) -> list[torch.Tensor]:
        """Random inputs, with every dimension `scale` times as large."""
        specs = enumerate(self.claims["inputs"])
        return [random_tensor(spec, {}, torch.Generator().manual_seed(seed), scale) for seed, spec in specs]

    def trace(self, version: str, *calls: list[torch.Tensor], fullgraph: bool = False) -> Trace:
        """Compile a version, and call it with each of the inputs (by default, twice with the same)."""
        graphs = list[int]()

        def backend(graph: torch.fx.GraphModule, _: object) -> Callable[..., Any]:
            graphs.append(sum(node.op.startswith("call") for node in graph.graph.nodes))
            return graph.forward

        torch._dynamo.reset()
        compiled: Any = torch.compile(self.model(version), backend=backend, fullgraph=fullgraph)
        with Listener() as heard:
            for inputs in calls or [self.inputs()] * 2:
                seed_all(0)
                compiled(*inputs)
        return Trace(heard.breaks(), graphs)


def failures(example: dict[str, Any]) -> dict[str, list[str]]:
    """The differences of an example from its card, one line each."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return {"failures": list(_failures(Example(example, Path(folder))))}
        except Exception as error:  # noqa: BLE001 - an example may raise anything
            return {"failures": [f"raises {in_one_line(error)}"]}


def _failures(example: Example) -> Iterator[str]:
    claims = example.claims
    if claims["bad"]:
        yield from (f"bad: {line}" for line in EFFECTS[claims["effect"]](example, example.trace("bad")))
        yield from (f"bad: {line}" for line in _miscounted(example))
    for version in ("good", "fixed"):
        if claims[version]:
            yield from (f"{version}: {line}" for line in _not_whole(example, version))
    if claims["fixed"]:
        cases = [Case(example.model(version), tuple(example.inputs()), {}) for version in ("bad", "fixed")]
        records = [Observation(case, 0, gradients=True).first() for case in cases]
        own, new = ({part: record[part] for part in COMPARED if part in record} for record in records)
        yield from (f"fixed: {line}" for line in compare(own, new))


def _not_as_marked(example: Example, seen: Trace) -> Iterator[str]:
    """The graph breaks on exactly the marked lines, for the reasons that the card lists."""
    reasons = example.claims["dynamo"]
    marks = {row for row, line in enumerate(example.claims["bad"].splitlines(), 1) if MARK.search(line)}
    if not marks:
        yield "no line ends in `# break`"
    for broken in seen.breaks:
        if _row(broken) not in marks:
            yield f"breaks on line {_row(broken)} too: {_reason(broken)}"
        elif broken.gb and broken.gb not in reasons:  # before torch 2.13 some breaks have no id
            yield f"line {_row(broken)} breaks for {_reason(broken)}, the card lists {', '.join(reasons) or 'none'}"
    yield from (f"line {row} does not break" for row in sorted(marks - {_row(broken) for broken in seen.breaks}))


def _not_unrolled(example: Example, seen: Trace) -> Iterator[str]:
    """No break, but the graph of inputs twice as large is larger."""
    yield from _broken(example, seen)
    larger = example.trace("bad", example.inputs(2))
    if max(larger.graphs, default=0) <= max(seen.graphs, default=0):
        yield f"the graph does not grow with the input: {seen.graphs}, then {larger.graphs} operations"


def _not_recompiled(example: Example, seen: Trace) -> Iterator[str]:
    """No break, but later calls compile again, with equal inputs or with inputs of other sizes."""
    yield from _broken(example, seen)
    same = example.trace("bad", *[example.inputs()] * CALLS)
    sizes = example.trace("bad", *map(example.inputs, range(1, CALLS + 1)))
    # torch.compile makes one graph for the first size and one for all others with any model.
    if len(same.graphs) < 2 and len(sizes.graphs) < 3:
        yield f"{len(same.graphs)} graphs for {CALLS} equal calls, {len(sizes.graphs)} for {CALLS} sizes"


def _miscounted(example: Example) -> Iterator[str]:
    """As many compilations as the card claims: `3 for batch 4, 5, 6` is a call for each number of rows."""
    count, _, sizes = example.claims.get("compilations", "").partition(" for batch ")
    if count:
        seen = example.trace("bad", *(_of_batch(example.inputs(), int(rows)) for rows in sizes.split(",")))
        if len(seen.graphs) != int(count):
            yield f"{len(seen.graphs)} compilations for batch {sizes}, the card says {count}"


def _of_batch(inputs: Sequence[torch.Tensor], rows: int) -> list[torch.Tensor]:
    return [x.new_zeros(rows, *x.shape[1:]) if x.ndim else x for x in inputs]


def _broken(_: Example, seen: Trace) -> Iterator[str]:
    """No break; that a GPU waits cannot be seen without one."""
    yield from (f"breaks on line {_row(broken)}: {_reason(broken)}" for broken in seen.breaks)


def _not_whole(example: Example, version: str) -> Iterator[str]:
    """No graph break, and fullgraph compiles it."""
    yield from _broken(example, example.trace(version))
    try:
        example.trace(version, fullgraph=True)
    except Exception as error:  # noqa: BLE001 - whatever Dynamo or the model raises
        yield f"fullgraph fails: {in_one_line(error)}"


def _row(broken: Break) -> int:
    """The line of the example that breaks, or that calls the breaking code."""
    return broken.called_from[1] if broken.called_from else broken.row


def _reason(broken: Break) -> str:
    return f"{broken.gb} {broken.title}"


EFFECTS: dict[str, Callable[[Example, Trace], Iterator[str]]] = {
    "break": _not_as_marked,
    "unroll": _not_unrolled,
    "recompile": _not_recompiled,
    "sync": _broken,
}
