"""Check and fix on programs that nobody wrote; what must hold of each is in tests/robustness/properties.py.

    python benchmarks/fuzz.py --seconds 600 --seed 1 --out benchmarks/results/fuzz.json

`mutations` are seeded changes of real model code, `grammar` are programs that hypothesmith makes from Python's grammar,
put into a model, `noise` are bytes. Exits with 1 when a property is broken; the seed and the text are then printed.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests"), str(PROJECT / "tests/robustness")]

from mutations import corpus, mutated  # noqa: E402 - found in the folder of the tests
from properties import Tally, engine, examine  # noqa: E402

from breaklint import __version__  # noqa: E402
from breaklint.engine import Engine  # noqa: E402

SLOWEST_S = 20
HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
Texts = Iterator[tuple[str, str]]


def mutations(seed: int) -> Texts:
    """Mutated model code, by seed."""
    texts = [text for _, text in corpus()]
    while True:
        yield f"seed {seed}", mutated(texts, Random(seed))
        seed += 1


def grammar(seed: int) -> Texts:
    """Programs of Python's grammar as the body of a forward, in batches of hypothesis."""
    import hypothesmith
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    quiet: dict[str, Any] = {
        "max_examples": 50, "database": None, "deadline": None, "phases": [Phase.generate],
        "suppress_health_check": list(HealthCheck),
    }  # fmt: skip
    while True:
        made: list[str] = []

        def collect(text: str) -> None:
            made.append(text)  # noqa: B023 - called in this very round

        seeded(seed)(settings(**quiet)(given(hypothesmith.from_node(auto_target=False))(collect)))()
        for number, text in enumerate(made):
            yield f"batch {seed}, program {number}", f"{text}\n{HEAD}{indent(text, ' ' * 8)}\n        return x.item()\n"
        seed += 1


def noise(seed: int) -> Texts:
    """Bytes behind the words that make breaklint look."""
    while True:
        random = Random(seed)
        text = random.randbytes(random.randint(0, 2000)).decode(random.choice(["latin-1", "utf-8"]), "replace")
        yield f"seed {seed}", HEAD + text.replace("\r", "\n")
        seed += 1


def fuzz(texts: Texts, seconds: float) -> tuple[Tally, list[str]]:
    """Examine texts for so long; the tally, and a line for each that broke a property."""
    shared, tally, bad = engine(), Tally(), []
    end = time.monotonic() + seconds
    for name, text in texts:
        if time.monotonic() > end:
            break
        for problem in _within_limit(shared, text, tally):
            bad.append(f"{name}: {problem}")
            print(f"{bad[-1]}\n{text}", flush=True)
    return tally, bad


def _within_limit(shared: Engine, text: str, tally: Tally) -> list[str]:
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(SLOWEST_S)
    try:
        return examine(shared, text, tally)
    finally:
        signal.alarm(0)


def _too_slow(_number: int, _frame: object) -> None:
    raise TimeoutError(f"more than {SLOWEST_S} s")


KINDS: dict[str, tuple[Callable[[int], Texts], float]] = {
    "mutations": (mutations, 0.6), "grammar": (grammar, 0.3), "noise": (noise, 0.1),
}  # fmt: skip


def main() -> int:
    """Fuzz for some time, print what was tried, and write it down."""
    parser = argparse.ArgumentParser(description="Fuzz check and fix.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a JSON file for the counts")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    report: dict[str, object] = {
        "breaklint": __version__, "python": sys.version.split()[0], "seed": asked.seed, "seconds": asked.seconds,
    }  # fmt: skip
    failed = False
    for kind, (make, share) in KINDS.items():
        tally, bad = fuzz(make(asked.seed), asked.seconds * share)
        report[kind] = {
            "programs": tally.programs, "parsed": tally.parsed, "findings": tally.findings, "fixed": tally.fixed,
            "broken": bad,
        }  # fmt: skip
        failed = failed or bool(bad)
    print(json.dumps(report, indent=2))
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
