"""What compilations cost before and after the remedy that breaklint writes, and the steady times of both.

    OUT=results python benchmarks/recompile_programs/recompiles_gpu.py [--small] [--seconds 220]

Each block of blocks.py is compiled with Inductor as it is, and with the marks, buffers and options of its remedies,
each in a module of its own. Every size is called once in turn, counted and timed; then both copies are timed
alternately, size by size. Caches of compiled code are off.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from breaklint.recompiles.objects import Tensor  # noqa: E402
from breaklint.recompiles.options import Options  # noqa: E402
from breaklint.recompiles.predict import Predicted, predict  # noqa: E402
from breaklint.recompiles.remedies import Remedy, remedies  # noqa: E402
from breaklint.recompiles.vary import Variation  # noqa: E402

BLOCKS = HERE / "blocks.py"
CALLS = 30
WARM_UP = 5


class Case(NamedTuple):
    """A block, the arguments of its class, and the shapes of its input, call by call."""

    entry: str
    options: dict[str, int]
    shapes: list[tuple[int, ...]]


def cases(small: bool) -> list[Case]:
    """The blocks with their sizes; `small` ones for a trial without a GPU."""
    batches = [2, 4, 6, 8, 12, 16, 1, 24]
    sides = [(32, 32), (32, 48), (48, 32), (48, 48), (64, 64), (64, 48), (40, 56), (96, 96)]
    if small:
        sides = [(height // 4, width // 4) for height, width in sides]
        return [
            Case("Diffusion", {"channels": 8, "heads": 2}, [(1, 8, *side) for side in sides]),
            Case("Decoder", {"width": 16, "heads": 2}, [(batch, 8, 16) for batch in batches]),
            Case("Sampler", {"channels": 4}, [(1, 4, 8, 8)] * 8),
        ]
    return [
        Case("Diffusion", {"channels": 320, "heads": 8}, [(2, 320, *side) for side in sides]),
        Case("Decoder", {"width": 2048, "heads": 16}, [(batch, 256, 2048) for batch in batches]),
        Case("Sampler", {"channels": 64}, [(2, 64, 64, 64)] * 8),
    ]


class Counted:
    """Inductor, with the graphs counted that it compiles."""

    def __init__(self) -> None:
        self.graphs = 0
        self.inductor: Any = torch._dynamo.lookup_backend("inductor")

    def __call__(self, graph: Any, inputs: Any) -> Any:
        """Compile a graph."""
        self.graphs += 1
        return self.inductor(graph, inputs)


def predicted(case: Case) -> tuple[Predicted, list[Remedy]]:
    """The compilations that breaklint predicts, and the remedies it writes."""
    dims = [dim for dim in range(len(case.shapes[0])) if len({shape[dim] for shape in case.shapes}) > 1] or [0]
    variations = [Variation(f"x.{dim}", "x", str(dim), tuple(shape[dim] for shape in case.shapes)) for dim in dims]

    def run(options: Options, tensors: frozenset[str]) -> Predicted:
        return predict(str(BLOCKS), case.entry, variations, options, "", {"x": Tensor(case.shapes[0])}, tensors)

    found = run(Options(), frozenset())
    target = ".".join(torch.__version__.split(".")[:2])
    return found, remedies(found, run, variations, Options(), target)


class Place(NamedTuple):
    """Where the blocks run."""

    device: str
    dtype: torch.dtype

    def wait(self) -> None:
        """Until the device has done its work."""
        if self.device == "cuda":
            torch.cuda.synchronize()


class Arm:
    """A block compiled in one way, in a module of its own: functions of one code object share their compilations."""

    def __init__(self, name: str, case: Case, place: Place, steps: Sequence[Remedy]) -> None:
        self.counted, self.place = Counted(), place
        self.options = steps[-1].options if steps else Options()
        self.patches = {"allow_unspec_int_on_nn_module": self.options.allow_unspec_int}
        torch.manual_seed(0)
        self.model = getattr(_loaded(f"{name}_{case.entry}"), case.entry)(**case.options)
        for each in steps[-1].tensors if steps else ():
            attribute = each.rpartition(".")[2]
            value = self.model.__dict__.pop(attribute)
            self.model.register_buffer(attribute, torch.tensor(value), persistent=False)
        self.model.to(place.device, place.dtype).eval()
        self.compiled = torch.compile(self.model, backend=self.counted)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """A call as the remedies write it."""
        with torch._dynamo.config.patch(**self.patches), torch.no_grad():
            out: torch.Tensor = self.compiled(x)
        return out

    def marked(self, x: torch.Tensor) -> torch.Tensor:
        """A copy of an input with the marks of the remedies."""
        x = x.clone()
        for mark in self.options.marks:
            kind = "maybe_mark_dynamic" if mark.is_weak else "mark_dynamic"
            getattr(torch._dynamo.decorators, kind)(x, mark.dim)
        return x

    def first(self, x: torch.Tensor) -> dict[str, Any]:
        """The first call with an input: the graphs it compiles, and its seconds."""
        self.counted.graphs = 0
        marked = self.marked(x)
        self.place.wait()
        started = time.perf_counter()
        self(marked)
        self.place.wait()
        return {"graphs": self.counted.graphs, "seconds": round(time.perf_counter() - started, 4)}


def _loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"blocks_{name}", BLOCKS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steady(arms: dict[str, Arm], x: torch.Tensor, place: Place, calls: int) -> dict[str, list[float]]:
    """The milliseconds of calls with one input, the arms in turn."""
    inputs = {name: arm.marked(x) for name, arm in arms.items()}
    samples: dict[str, list[float]] = {name: [] for name in arms}
    for turn in range(WARM_UP + calls):
        for name in list(arms) if turn % 2 else list(arms)[::-1]:
            place.wait()
            started = time.perf_counter()
            arms[name](inputs[name])
            place.wait()
            if turn >= WARM_UP:
                samples[name].append(round(1000 * (time.perf_counter() - started), 5))
    return samples


def measured(case: Case, place: Place, deadline: float, calls: int) -> dict[str, Any]:
    """A block before and after its remedies."""
    found, steps = predicted(case)
    arms = {"before": Arm("before", case, place, []), "after": Arm("after", case, place, steps)}
    inputs = [torch.randn(*shape, device=place.device, dtype=place.dtype) for shape in case.shapes]
    told: dict[str, Any] = {
        "entry": case.entry,
        "options": case.options,
        "shapes": case.shapes,
        "remedies": [{"text": step.text, "compilations": step.compilations} for step in steps],
        "predicted": [int(outcome.compiles) for _, outcome in found.calls],
        "equal": _agree(arms, inputs[0]) if case.entry != "Sampler" else None,
    }
    for name, arm in arms.items():
        told[name] = {"calls": [arm.first(x) for x in inputs]}
        told[name]["graphs"] = sum(call["graphs"] for call in told[name]["calls"])
        told[name]["seconds"] = round(sum(call["seconds"] for call in told[name]["calls"]), 3)
    told["steady_ms"] = []
    for x in {tuple(x.shape): x for x in inputs}.values():
        if time.monotonic() > deadline:
            told["stopped"] = "out of time: further sizes were not timed"
            break
        samples = steady(arms, x, place, calls)
        medians = {name: round(statistics.median(each), 5) for name, each in samples.items()}
        told["steady_ms"].append({"shape": tuple(x.shape), "median": medians, "samples": samples})
    return told


def _agree(arms: dict[str, Arm], x: torch.Tensor) -> bool:
    """Whether both blocks compute the same in eager."""
    with torch.no_grad():
        before, after = (arm.model(x) for arm in arms.values())
    return bool(torch.equal(before, after))


def main() -> None:
    """Measure all blocks, and write one file into $OUT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="small sizes, few calls")
    parser.add_argument("--seconds", type=float, default=220, help="no size is timed after this")
    asked = parser.parse_args()
    deadline = time.monotonic() + asked.seconds
    cuda = torch.cuda.is_available() and not asked.small
    place = Place("cuda", torch.bfloat16) if cuda else Place("cpu", torch.float32)
    torch._inductor.config.force_disable_caches = True
    results = [measured(case, place, deadline, 3 if asked.small else CALLS) for case in cases(not cuda)]
    environment = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "device": torch.cuda.get_device_name() if cuda else platform.processor() or platform.machine(),
        "dtype": str(place.dtype),
        "command": " ".join(["python", "benchmarks/recompile_programs/recompiles_gpu.py", *sys.argv[1:]]),
        "seconds": round(asked.seconds - deadline + time.monotonic(), 1),
    }
    path = Path(os.environ.get("OUT", ".")) / "recompiles-gpu.json"
    path.write_text(json.dumps({"environment": environment, "blocks": results}, indent=1) + "\n")
    for each in results:
        arms = {name: (each[name]["graphs"], each[name]["seconds"]) for name in ("before", "after")}
        sys.stdout.write(f"{each['entry']}: graphs and seconds {arms}; {[step['text'] for step in each['remedies']]}\n")
        for size in each["steady_ms"]:
            sys.stdout.write(f"  {size['shape']}: {size['median']} ms\n")


if __name__ == "__main__":
    main()
