"""Proves the examples of rule cards on the installed torch. Needs torch and the standard library only."""

from __future__ import annotations

import json
import logging
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breaklint.dynamo.listener import Listener
from breaklint.verify.arm.calls import seed_all
from breaklint.verify.arm.process import in_one_line
from breaklint.verify.prove.examples import Example, inputs, load, marked_rows, outcome, quiet

GRAPH_BREAK = re.compile(r"gb(\d{4})\b", re.IGNORECASE)
CALLS = 5


@dataclass
class Observed:
    """The work of Dynamo while a model ran: the breaks with reasons, and the size of every compiled graph."""

    file: str
    breaks: list[tuple[int, str, str]] = field(default_factory=list)
    graphs: list[int] = field(default_factory=list)


def parse_break(text: str, file: str) -> tuple[int, str, str]:
    """The row in `file` (0 when none), the id and the first line of a graph break's report."""
    place = re.search(rf"in user code at {re.escape(file)}:(\d+)", text)
    rows = [place[1]] if place else re.findall(rf'{re.escape(file)}(?:", line |:)(\d+)', text)
    found = GRAPH_BREAK.search(text)
    reason = re.search(r"Graph Break Reason: *(.*)", text)
    first = reason[1].strip() if reason else text.strip().split("\n")[0]
    return int(rows[-1]) if rows else 0, f"GB{found[1]}" if found else registered(first), first[:200]


def registered(kind: str) -> str:
    """The id of a kind of graph break in torch's registry, or an empty string."""
    import torch._dynamo

    registry = json.loads(Path(torch._dynamo.__file__).with_name("graph_break_registry.json").read_text())
    return next((key for key, entries in registry.items() if entries[0]["Gb_type"] == kind), "")


@dataclass
class Proof:
    """The result of the bad version of an example, and one line per difference from the card."""

    seen: Observed
    failures: list[str]


def prove(example: Example, folder: Path) -> Proof:
    """Run every version of an example and hold it against the card's claims."""
    proof = Proof(Observed(""), [])
    if example["bad"]:
        proof.seen = observe(example, "bad", folder)
        proof.failures += [f"bad: {line}" for line in EFFECTS[example["effect"]](example, folder, proof.seen)]
        proof.failures += [f"bad: {line}" for line in counted(example, folder)]
    for key in ("good", "fixed"):
        if example[key]:
            proof.failures += [f"{key}: {line}" for line in clean(example, key, folder)]
    if example["fixed"]:
        proof.failures += [f"fixed: {line}" for line in different(example, folder)]
    return proof


def breaks_as_marked(example: Example, _: Path, seen: Observed) -> Iterator[str]:
    """The graph breaks on exactly the marked lines, for the reasons that the card lists."""
    marked = marked_rows(example["bad"])
    if not marked:
        yield "no line ends in `# break`"
    for row, identifier, reason in seen.breaks:
        if row not in marked:
            yield f"breaks on line {row} too: {identifier} {reason}"
        elif identifier and identifier not in example["dynamo"]:  # before 2.13 some breaks have no id
            listed = ", ".join(example["dynamo"]) or "none"
            yield f"line {row} breaks for {identifier} ({reason}), the card lists {listed}"
    for row in sorted(marked - {row for row, _, _ in seen.breaks}):
        yield f"line {row} does not break"


def unrolls(example: Example, folder: Path, seen: Observed) -> Iterator[str]:
    """No break, but the graph of inputs twice as large is larger."""
    yield from unbroken(example, folder, seen)
    larger = observe(example, "bad", folder, scales=(2,))
    if max(larger.graphs, default=0) <= max(seen.graphs, default=0):
        yield f"the graph does not grow with the input: {seen.graphs}, then {larger.graphs} operations"


def recompiles(example: Example, folder: Path, seen: Observed) -> Iterator[str]:
    """No break, but later calls compile again, with equal inputs or with inputs of other sizes."""
    yield from unbroken(example, folder, seen)
    same = observe(example, "bad", folder, scales=(1,) * CALLS)
    sizes = observe(example, "bad", folder, scales=tuple(range(1, CALLS + 1)))
    # One graph for the first size and one for all others is what torch.compile does with any model.
    if len(same.graphs) < 2 and len(sizes.graphs) < 3:
        yield f"{len(same.graphs)} graphs for {CALLS} equal calls, {len(sizes.graphs)} for {CALLS} sizes"


def counted(example: Example, folder: Path) -> Iterator[str]:
    """As often compiled as claimed, `3 for batch 4, 5, 6`: one call for each number of rows of all inputs."""
    count, _, sizes = example.get("compilations", "").partition(" for batch ")
    if count:
        seen = observe(example, "bad", folder, batches=tuple(map(int, sizes.split(","))))
        if len(seen.graphs) != int(count):
            yield f"{len(seen.graphs)} compilations for batch {sizes}, the card says {count}"


def unbroken(_: Example, __: Path, seen: Observed) -> Iterator[str]:
    """No break; that a GPU waits cannot be seen without one."""
    yield from (f"breaks on line {row}: {identifier} {reason}" for row, identifier, reason in seen.breaks)


EFFECTS: dict[str, Callable[[Example, Path, Observed], Iterator[str]]] = {
    "break": breaks_as_marked,
    "unroll": unrolls,
    "recompile": recompiles,
    "sync": unbroken,
}


def clean(example: Example, key: str, folder: Path) -> Iterator[str]:
    """No graph break, and fullgraph compiles it."""
    yield from unbroken(example, folder, observe(example, key, folder))
    try:
        observe(example, key, folder, fullgraph=True)
    except Exception as error:  # noqa: BLE001 (whatever stops fullgraph is the finding)
        yield f"fullgraph fails: {in_one_line(error)}"


def different(example: Example, folder: Path) -> Iterator[str]:
    """How outputs or gradients of the fixed model differ from the bad one's, without compiling."""
    import torch

    (bad, bad_gradients), (fixed, fixed_gradients) = (outcome(example, key, folder) for key in ("bad", "fixed"))
    for what, left, right in (("output", bad, fixed), ("gradient", bad_gradients, fixed_gradients)):
        if len(left) != len(right):
            yield f"{len(right)} {what}s instead of {len(left)}"
        for place, (one, other) in enumerate(zip(left, right), 1):  # noqa: B905 (the lengths are compared above)
            try:
                torch.testing.assert_close(other, one, equal_nan=True)
            except AssertionError as error:
                yield f"{what} {place} differs: {str(error).splitlines()[0]}"


def observe(
    example: Example,
    key: str,
    folder: Path,
    scales: tuple[int, ...] = (1, 1),
    fullgraph: bool = False,
    batches: tuple[int, ...] = (),
) -> Observed:
    """Compile the example's model and call it once a scale, with inputs that many times as large in every dimension;
    for `batches` once a batch, with so many rows."""
    import torch

    torch._dynamo.reset()
    build = load(example, key, folder)
    seen = Observed(sys.modules[build.__module__].__file__ or "")

    def backend(graph: Any, _: Any) -> Any:
        seen.graphs.append(sum(node.op.startswith("call") for node in graph.graph.nodes))
        return graph.forward

    with quiet(), Listener() as heard:
        compiled: Any = torch.compile(build(), backend=backend, fullgraph=fullgraph)
        sets = of_batches(example["inputs"], batches) or [inputs(example["inputs"], each) for each in scales]
        for given in sets:
            seed_all(0)
            compiled(*given)
    seen.breaks = [parse_break(report, seen.file) for report in heard.reports]
    return seen


def of_batches(specs: list[str], batches: tuple[int, ...]) -> list[list[Any]]:
    """Inputs with a given number of rows each."""
    return [[x.new_zeros(rows, *x.shape[1:]) if x.ndim else x for x in inputs(specs, 1)] for rows in batches]


def proved(example: Example) -> dict[str, Any]:
    """The breaks of an example, and what is not as its card claims, in a process that has done nothing else."""
    import torch

    torch.set_num_threads(1)
    logging.lastResort = None
    with tempfile.TemporaryDirectory() as folder:
        try:
            proof = prove(example, Path(folder))
        except Exception as error:  # noqa: BLE001 (an example that raises is a failed proof; the others still count)
            proof = Proof(Observed(""), [f"raises {in_one_line(error)}"])
    breaks = [{"row": row, "gb": identifier} for row, identifier, _ in proof.seen.breaks]
    return {"breaks": breaks, "failures": proof.failures}
