"""Which tests notice small faults in the package: a sample of mutants, each with the tests that kill it.

    python scripts/mutation_score.py --out mutants.json --mutants 300 --jobs 14 [PATH ...]
    python scripts/mutation_score.py --check mutants.json --jobs 14

PATH is a file or folder of the package; the default is PATHS. Tests that start torch do not run. The first command
samples mutants and writes the tests that kill each one (at most five), or none for a survivor; mutants that the file
holds already are not run again. With --check every stored mutant has to die again, by the
stored tests or by any other: run it after tests are deleted or moved. Exit code 1: a mutant survives that was killed
before. Mutants of code that no longer exists are counted as gone. Needs pytest, neither coverage nor pytest-xdist.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

from mutants import Mutant, mutants, sampled

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
PATHS = tuple(f"breaklint/{name}" for name in ("interp", "rules", "fixes", "analysis", "lint", "verify/judge"))
OTHERS = ("tests/lint", "tests/commands")  # for a function that only processes of the command line enter
FIRST = 150  # so many tests are tried first, from different files: most mutants die there
KILLERS = 5
MARKERS = "not nightly and not slow and not torch"
TOO_SLOW_S = 300
FAILS_ANYWAY = "fails without a mutant"


@dataclass(frozen=True)
class Copy:
    """A copy of the project in which one mutant at a time is written."""

    folder: Path

    def run(self, tests: Iterable[str], **record: Path) -> list[str]:
        """Run tests by id, or whole files; returns the ids of those that fail, and of all if the run does not end."""
        tests = list(tests)
        expected, failed = self.folder / ".wanted.json", self.folder / ".failed.json"
        failed.unlink(missing_ok=True)
        env = {**os.environ, "PYTHONPATH": f"{self.folder}{os.pathsep}{HERE}", "PYTHONDONTWRITEBYTECODE": "1"}
        env["MUTATION_FAILED"] = str(failed)
        env |= {f"MUTATION_{name.upper()}": str(path) for name, path in record.items()}
        if any("::" in test for test in tests):
            expected.write_text(json.dumps(tests), "utf-8")
            env["MUTATION_TESTS"] = str(expected)
        names = dict.fromkeys(test.partition("::")[0] for test in tests)
        files = [name for name in names if (self.folder / name).exists()]
        if not files:
            return []
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutation_plugin"]
        command += ["-m", MARKERS, *([] if record else [f"--maxfail={KILLERS}"]), *files]
        limit = None if record else TOO_SLOW_S
        try:
            result = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return tests[:KILLERS]
        if failed.is_file():
            ids: list[str] = json.loads(failed.read_text("utf-8"))
            return ids
        return tests[:KILLERS] if result.returncode not in (0, 5) else []  # it did not get as far as a test


@dataclass
class Bench:
    """The copies, and the tests that enter each function."""

    root: Path
    jobs: int
    files: list[Path]
    copies: Queue[Copy] = field(default_factory=Queue)
    tests: dict[str, set[str]] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)  # fail without a mutant

    def __post_init__(self) -> None:
        """Make the copies."""
        ignored = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "site")
        for number in range(self.jobs):
            shutil.copytree(PROJECT, self.root / str(number), ignore=ignored, symlinks=True)
            self.copies.put(Copy(self.root / str(number)))

    def survey(self) -> None:
        """Find the tests that enter each function, without those that fail before anything is changed."""
        files = sorted(self.files, key=lambda path: -path.stat().st_size)
        result: dict[str, set[str]] = defaultdict(set)
        with ThreadPoolExecutor(self.jobs) as pool:
            for record, failing in pool.map(self._survey_file, (str(path.relative_to(PROJECT)) for path in files)):
                self.failing |= failing
                for test, names in record.items():
                    for name in names if test not in failing else ():
                        result[name].add(test)
        print(f"{len(set().union(*result.values()))} tests enter {len(result)} functions", flush=True)
        self.tests = dict(result)

    def _survey_file(self, file: str) -> tuple[dict[str, list[str]], set[str]]:
        copy = self.copies.get()
        record = copy.folder / ".record.json"
        record.unlink(missing_ok=True)
        failing = copy.run([file], record=record)
        tests: dict[str, list[str]] = json.loads(record.read_text("utf-8")) if record.exists() else {}
        self.copies.put(copy)
        if failing:
            print(f"{FAILS_ANYWAY}: {', '.join(failing[:5])}", flush=True)
        return tests, set(failing)

    def killers(self, mutant: Mutant, recorded: Iterable[str] | None) -> list[str]:
        """At most five tests that fail with the mutant: of the recorded ones, or of those that enter its function."""
        copy = self.copies.get()
        file = copy.folder / mutant.path
        text = file.read_text("utf-8")
        file.write_text(mutant.applied(text), "utf-8")
        try:
            failed = self._search(copy, mutant) if recorded is None else copy.run(recorded)
            return [test for test in failed if test not in self.failing]
        finally:
            file.write_text(text, "utf-8")
            self.copies.put(copy)

    def _search(self, copy: Copy, mutant: Mutant) -> list[str]:
        prefix = f"{mutant.path.as_posix()}:"
        entering = self.tests.get(prefix + mutant.function, set())
        entering = entering or set().union(*(result for name, result in self.tests.items() if name.startswith(prefix)))
        if not entering:
            return copy.run(OTHERS)
        by_file: dict[str, list[str]] = defaultdict(list)
        for test in sorted(entering):
            by_file[test.partition("::")[0]].append(test)
        places = {test: place for every in by_file.values() for place, test in enumerate(every)}
        ordered = sorted(entering, key=lambda test: (places[test], test))
        return copy.run(ordered[:FIRST]) or (copy.run(ordered[FIRST:]) if ordered[FIRST:] else [])


def all_mutants(paths: Iterable[str]) -> dict[str, Mutant]:
    """Every mutant of files and folders of the package, by name."""
    places = [path if path.exists() else PROJECT / path for path in map(Path, paths)]
    files = [file for place in places for file in (sorted(place.rglob("*.py")) or [place])]
    files = [file.resolve().relative_to(PROJECT) for file in files]
    return {mutant.name: mutant for file in files for mutant in mutants(PROJECT, file)}


def write(path: Path, seed: int, outcomes: dict[str, list[str]]) -> None:
    """One mutant per line, in the order of their names."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(outcomes[name])}" for name in sorted(outcomes))
    path.write_text(f'{{"seed": {seed}, "mutants": {{\n{lines}\n}}}}\n', "utf-8")


def main() -> int:
    """Record or check; print one line per mutant and the score."""
    parser = argparse.ArgumentParser(description="Sample mutants, and record or check the tests that kill them.")
    parser.add_argument("paths", nargs="*", default=PATHS, metavar="PATH")
    parser.add_argument("--mutants", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--tests", nargs="*", default=["tests"], metavar="PATH", help="files and folders of tests")
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--out", type=Path, metavar="FILE")
    group.add_argument("--check", type=Path, metavar="FILE")
    options = parser.parse_args()
    files = [
        path
        for folder in options.tests
        for path in ((PROJECT / folder).rglob("test_*.py") if (PROJECT / folder).is_dir() else [PROJECT / folder])
    ]
    every = all_mutants(options.paths)
    before: dict[str, list[str]] = json.loads(options.check.read_text("utf-8"))["mutants"] if options.check else {}
    killed = {name: tests for name, tests in before.items() if tests}
    chosen = [every[name] for name in killed if name in every]
    chosen = chosen if options.check else sampled(list(every.values()), options.mutants, options.seed)
    outcomes: dict[str, list[str]] = {}
    if options.out and options.out.exists():
        outcomes = json.loads(options.out.read_text("utf-8"))["mutants"]

    def one(mutant: Mutant, recorded: list[str] | None = None) -> None:
        began = time.monotonic()
        outcomes[mutant.name] = killers = bench.killers(mutant, recorded)
        word = f"killed by {killers[0]}" if killers else "SURVIVES"
        print(f"{len(outcomes)}/{len(chosen)} {time.monotonic() - began:.0f} s {mutant.name}: {word}", flush=True)
        if options.out:
            write(options.out, options.seed, dict(outcomes))

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        bench = Bench(Path(folder).resolve(), options.jobs, files)
        if options.check:
            list(pool.map(lambda mutant: one(mutant, killed[mutant.name]), chosen))
        open_ones = [mutant for mutant in chosen if not outcomes.get(mutant.name)]
        if options.out:
            open_ones = [mutant for mutant in chosen if mutant.name not in outcomes]
        if open_ones:
            bench.survey()
            list(pool.map(one, open_ones))
    alive = [name for name, killers in outcomes.items() if not killers]
    missing = f", {len(killed.keys() - every.keys())} gone" if options.check else ""
    print(f"{len(outcomes) - len(alive)} of {len(outcomes)} killed{missing}, of {len(every)} possible")
    return 1 if options.check and alive else 0


if __name__ == "__main__":
    sys.exit(main())
