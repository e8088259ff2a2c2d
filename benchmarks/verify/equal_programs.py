"""How often verify calls two arms of one program faster, and what is faster so, on simulated machines.

python benchmarks/verify/equal_programs.py --pairs 2000 --out benchmarks/results/equal-programs.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests" / "verify")]

from noisy_machine import NOISES, Machine  # noqa: E402 - found in the folder of the tests

APART = (0.01, 0.02)
GAINS = (1.0, 1.1, 1.3)


def main() -> int:
    """Time pairs of each kind, and write how many got which verdict."""
    parser = argparse.ArgumentParser(description="False claims of speed, and gains that are missed.")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--out", type=Path, help="a JSON file for the results")
    asked = parser.parse_args()
    kinds = [(gain, noise, dict[str, Any]()) for gain in GAINS for noise in NOISES]
    kinds += [(1.0, "quiet", {"apart": apart}) for apart in APART]
    kinds += [(gain, "quiet", {"slow_cores": True, "gathered": True}) for gain in GAINS]
    kinds += [(1.0, "quiet", {"slow_cores": True, "gathered": False})]
    results = []
    for gain, noise, how in kinds:
        pairs = asked.pairs if gain == 1.0 else asked.pairs // 10
        verdicts = Counter(Machine(gain, NOISES[noise], seed, **how).timed().value for seed in range(pairs))
        results.append({"gain": gain, "noise": noise, **how, "pairs": pairs, **dict(sorted(verdicts.items()))})
        print(json.dumps(results[-1]), flush=True)
    if asked.out:
        command = f"python benchmarks/verify/equal_programs.py --pairs {asked.pairs}"
        lines = ",\n  ".join(map(json.dumps, results))
        asked.out.write_text(f'{{"command": {json.dumps(command)}, "kinds": [\n  {lines}\n]}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
