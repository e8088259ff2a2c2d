"""Runs `breaklint verify` on every hostile model and tells whether each verdict is right.

    python benchmarks/verify/hostile.py --device cuda --out benchmarks/results/hostile.json

Exits with 1 when a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from hostile_rewrites import REWRITES  # noqa: E402 - found in the folder of the tests
from hostile_rewrites_by_hand import MORE_REWRITES  # noqa: E402 - the same
from hostile_rewrites_in_a_row import FIFTH_ATTACK  # noqa: E402 - the same
from hostile_rewrites_numerics import THIRD_ATTACK  # noqa: E402 - the same
from hostile_rewrites_styles import FOURTH_ATTACK  # noqa: E402 - the same
from hostile_set import HOSTILE, Hostile  # noqa: E402 - found in the folder of the tests

from breaklint.verify.command import VerifyOptions, verify  # noqa: E402
from breaklint.verify.judge.results import TargetReport  # noqa: E402


def main() -> int:
    """Run, print a line a model, and write the results."""
    parser = argparse.ArgumentParser(description="Verdicts on hostile models.")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--backend", default="inductor")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds a step of an arm may take")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--jobs", type=int, help="arms prepared at the same time")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--out", type=Path, help="a JSON file for the results")
    parser.add_argument("--rewrites", action="store_true", help="the rewrites of tests/hostile_rewrites*.py, untimed")
    asked = parser.parse_args()
    if asked.rewrites:
        return _rewrites(asked)
    chosen = [h for h in HOSTILE if (asked.device == "cuda" or not h.cuda_only) and h.name in (asked.only or [h.name])]
    options = VerifyOptions(
        device=asked.device, backend=asked.backend, timeout_s=asked.timeout, rounds=asked.rounds, jobs=asked.jobs
    )
    with tempfile.TemporaryDirectory() as folder:
        targets = [str(hostile.write(Path(folder))) for hostile in chosen]
        report = verify(targets, options, lambda line: print(line, file=sys.stderr))
    results = [_result(hostile, target) for hostile, target in zip(chosen, report.targets, strict=True)]
    for result in results:
        print(f"{'right' if result['right'] else 'WRONG'}  {result['name']}: {result['verdict']}, {result['why']}")
    right = sum(result["right"] for result in results)
    print(f"{right} of {len(results)} verdicts are right")
    if asked.out:
        command = " ".join(["python", "benchmarks/verify/hostile.py", *sys.argv[1:]])
        told = {"command": command, "environment": report.environment, "right": right, "models": results}
        asked.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return 0 if right == len(results) else 1


def _rewrites(asked: argparse.Namespace) -> int:
    usual = VerifyOptions(device=asked.device, backend="eager", timeout_s=asked.timeout, jobs=asked.jobs, quick=True)
    right = total = 0
    for rewrite in [
        each
        for each in (*REWRITES, *MORE_REWRITES, *THIRD_ATTACK, *FOURTH_ATTACK, *FIFTH_ATTACK)
        if each.name in (asked.only or [each.name])
    ]:
        with tempfile.TemporaryDirectory() as folder:
            options = replace(usual, **rewrite.options)
            target = verify([str(rewrite.write(Path(folder)))], options, lambda line: None).targets[0]
        is_right = target.verdict.value == rewrite.verdict and rewrite.words in target.why
        right, total = right + is_right, total + 1
        print(f"{'right' if is_right else 'WRONG'}  {rewrite.name}: {target.verdict.value}, {target.why}")
    print(f"{right} of {total} verdicts are right")
    return 0 if right == total else 1


def _result(hostile: Hostile, target: TargetReport) -> dict[str, object]:
    right = target.verdict.value in hostile.verdicts and hostile.words in target.why
    why = re.sub(r"[^\s(]*/(?=\S+\.py)", "", target.why)  # folders differ from run to run
    expected = list(hostile.verdicts)
    return {"name": hostile.name, "right": right, "verdict": target.verdict.value, "expected": expected, "why": why}


if __name__ == "__main__":
    sys.exit(main())
