"""Check and fix on generated programs; what must hold of each is in tests/robustness/properties.py.

    python benchmarks/robustness/fuzz.py --seconds 600 --seed 1 --out benchmarks/results/fuzz.json
    python benchmarks/robustness/fuzz.py --kinds files,compiled --folders FOLDER... --out fuzz-files.json

fuzz_texts.py says what the kinds of programs are. Those of real files end with the files, the others with the seconds,
of which each kind gets its share. Exits with 1 when a property is broken; the text is then printed.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests"), str(PROJECT / "tests/robustness")]

import fuzz_texts  # noqa: E402 - beside this file; it needs the folder of the tests
from properties import Problem, Tally, engine, examine  # noqa: E402

from breaklint import __version__  # noqa: E402
from breaklint.lint.engine import Engine  # noqa: E402

SLOWEST_S = 60  # what breaklint gives a file
SHARES = {"mutations": 0.4, "models": 0.3, "grammar": 0.2, "noise": 0.1}
PROPERTIES = ("crash", "place", "untouched", "elsewhere", "parses", "rests")
SHOWN = 4_000  # characters of a text that broke a property


def texts(kind: str, asked: argparse.Namespace) -> fuzz_texts.Texts:
    """The programs of a kind."""
    if kind in ("mutations", "grammar", "noise"):
        made: fuzz_texts.Texts = getattr(fuzz_texts, kind)(asked.seed)
        return made
    paths = fuzz_texts.files(asked.folders, fuzz_texts.listed(asked.listed))[:: asked.every]
    if kind == "models":
        return fuzz_texts.models(paths, asked.seed)
    return fuzz_texts.as_they_are(paths) if kind == "files" else fuzz_texts.compiled(paths)


def fuzz(programs: fuzz_texts.Texts, seconds: float) -> dict[str, Any]:
    """Examine programs for so long; what was tried, and what broke a property."""
    shared, tally, bad, slow, size = engine(), Tally(), [], [], 0
    began = time.monotonic()
    for name, text in programs:
        if time.monotonic() - began > seconds:
            break
        size += len(text)
        try:
            problems = _within_limit(shared, text, tally)
        except _TooSlow:
            slow.append(name)
            shared = engine()
            continue
        for problem in problems:
            bad.append(f"{name}: {problem.property}: {problem.line}")
            print(f"{bad[-1]}\n{text if len(text) < SHOWN else ''}", flush=True)
    counts = {name: getattr(tally, name) for name in ("programs", "parsed", "findings", "fixed", "given_up")}
    return {
        **counts, "characters": size, "seconds": round(time.monotonic() - began), "slower_than_the_limit": slow,
        "broken": {name: tally.broken[name] for name in PROPERTIES}, "problems": bad,
        "fixes_that_edit_beside_their_statement": {code: n for code, n in sorted(tally.beyond.items()) if n},
    }  # fmt: skip


def _within_limit(shared: Engine, text: str, tally: Tally) -> list[Problem]:
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(SLOWEST_S)
    try:
        return examine(shared, text, tally)
    finally:
        signal.alarm(0)


class _TooSlow(BaseException):
    """No Exception, so that what guards a single rule lets it pass."""


def _too_slow(_number: int, _frame: object) -> None:
    raise _TooSlow


def main() -> int:
    """Fuzz, print what was tried, and write it down."""
    parser = argparse.ArgumentParser(description="Fuzz check and fix.")
    parser.add_argument("--kinds", default=",".join(SHARES), help="of mutations,models,grammar,noise,files,compiled")
    parser.add_argument("--seconds", type=float, default=60, help="for all kinds that do not end by themselves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", type=Path, nargs="*", default=[], help="where real files are taken from")
    parser.add_argument("--listed", type=Path, nargs="*", default=[], help="JSON lines that name the files to take")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th file")
    parser.add_argument("--out", type=Path, help="a JSON file for the counts")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    report: dict[str, Any] = {"breaklint": __version__, "python": sys.version.split()[0], "seed": asked.seed}
    kinds = asked.kinds.split(",")
    whole = sum(SHARES.get(kind, 0) for kind in kinds) or 1
    for kind in kinds:
        seconds = asked.seconds * SHARES[kind] / whole if kind in SHARES else float("inf")
        report[kind] = fuzz(texts(kind, asked), seconds)
        print(kind, json.dumps(report[kind], indent=2), flush=True)
    if asked.out:
        asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    return 1 if any(report[kind]["problems"] for kind in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
