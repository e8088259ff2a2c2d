"""How many small faults in what checks and fixes the tests notice: a sampled mutation score, module by module.

    python benchmarks/robustness/mutation_score.py --each 6 --seed 1 --out benchmarks/results/mutation-score.json

A first run under coverage tells which test runs which line; of each mutant, only the tests that run its line are asked.
One that fails kills it. Survivors that no test could kill stand with the reason in equivalent_mutants.json.
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
from collections.abc import Sequence
from pathlib import Path

from coverage import CoverageData
from mutants import Mutant, mutants, sampled

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
MODULES = (
    "rules/checks/*.py", "fixes/*.py", "source/*.py", "lint/engine.py", "lint/findings.py", "rules/selection.py",
    "lint/merging.py",
)  # fmt: skip
TESTS = (
    "tests/rules", "tests/fixes", "tests/interp", "tests/source", "tests/robustness/test_mutations.py",
    "tests/lint/test_engine.py", "tests/lint/test_merging.py", "tests/lint/test_suppressed_elsewhere.py",
)  # fmt: skip
SLOW = ("tests/fixes/test_differential.py", "tests/fixes/test_graphmend.py")  # each says again what others say
CLI_TESTS = {  # what is asked in addition about parts that only the command line reaches
    "breaklint/source/changed_lines.py": ("tests/commands/test_cli_adoption.py", "tests/source/test_notebooks.py"),
    "breaklint/source/discovery.py": ("tests/robustness/test_permissions.py",),
    "breaklint/source/git.py": ("tests/commands/test_cli_adoption.py", "tests/robustness/test_hostile_settings.py"),
    "breaklint/rules/selection.py": ("tests/commands/test_cli_settings.py",),
    "breaklint/source/notebook_json.py": ("tests/source/test_notebooks.py",),
    "breaklint/source/notebooks.py": ("tests/source/test_notebooks.py",),
    "breaklint/source/ignore_comments.py": ("tests/commands/test_cli_adoption.py",),
    "breaklint/source/writing.py": (
        "tests/robustness/test_writes.py", "tests/robustness/test_permissions.py", "tests/commands/test_cli_fix.py",
    ),
    "breaklint/source/decoding.py": ("tests/commands/test_cli_fix.py", "tests/robustness/test_permissions.py"),
}  # fmt: skip
TOO_SLOW_S = 300
EQUIVALENT: dict[str, str] = json.loads((HERE / "equivalent_mutants.json").read_text("utf-8"))


class Bench:
    """A copy of the project in which faults are made one after the other."""

    def __init__(self, folder: Path) -> None:
        self._copy, self._wanted, self._data = folder / "project", folder / "tests.json", folder / "coverage"
        ignored = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", ".coverage_data")
        shutil.copytree(PROJECT, self._copy, ignore=ignored)
        self._env = {**os.environ, "PYTHONPATH": f"{self._copy}{os.pathsep}{HERE}", "PYTHONDONTWRITEBYTECODE": "1"}
        self._tests: dict[str, dict[int, set[str]]] = {}

    def survey(self) -> bool:
        """Learn which test runs which line; False when the tests fail without any fault."""
        measure = ["coverage", "run", f"--rcfile={os.devnull}", "--source=breaklint", f"--data-file={self._data}"]
        if not self._passes([*measure, "-m", "pytest"], TESTS, False):
            return False
        data = CoverageData(str(self._data))
        data.read()
        for file in data.measured_files():
            lines = {row: {name for name in names if name} for row, names in data.contexts_by_lineno(file).items()}
            self._tests[os.path.relpath(file, os.path.realpath(self._copy))] = lines
        return True

    def killed_by(self, mutant: Mutant) -> bool:
        """Whether a test fails with the fault."""
        tests, others = self._asked(mutant), CLI_TESTS.get(mutant.path.as_posix(), ())
        file = self._copy / mutant.path
        text = file.read_text("utf-8")
        self._wanted.write_text(json.dumps(sorted(tests)), "utf-8")
        file.write_text(mutant.applied(text), "utf-8")
        try:
            files = sorted({test.partition("::")[0] for test in tests})
            passed = not files or self._passes(["pytest"], files, True)
            return not passed or bool(others and not self._passes(["pytest"], others, False))
        except subprocess.TimeoutExpired:
            return True
        finally:
            file.write_text(text, "utf-8")

    def _asked(self, mutant: Mutant) -> set[str]:
        """The tests that run its line; for what runs at import, as defaults do, all that run anything of the file."""
        lines = self._tests.get(mutant.path.as_posix(), {})
        rows = range(mutant.node.lineno, (mutant.node.end_lineno or 0) + 1)
        return set().union(*(lines.get(row, ()) for row in rows)) or set().union(*lines.values())

    def _passes(self, program: list[str], tests: Sequence[str], only_wanted: bool) -> bool:
        command = [sys.executable, "-m", *program, "-q", "-x", "-p", "no:cacheprovider", "-p", "mutation_tests", *tests]
        only = {"MUTATION_TESTS": str(self._wanted)} if only_wanted else {}
        done = subprocess.run(
            [*command, *(f"--ignore={file}" for file in SLOW)], cwd=self._copy, env={**self._env, **only},
            capture_output=True, check=False, timeout=TOO_SLOW_S if only_wanted else None,
        )  # fmt: skip
        return done.returncode == 0


def summary(outcomes: dict[str, bool], possible: dict[str, int]) -> dict[str, object]:
    """The score by module and in all; `outcomes` says of each mutant whether it was killed."""
    modules: dict[str, dict[str, int]] = defaultdict(lambda: {"tried": 0, "killed": 0, "equivalent": 0})
    for name, killed in outcomes.items():
        counts = modules[name.partition(":")[0]]
        counts["tried"] += 1
        counts["killed"] += killed
        counts["equivalent"] += not killed and name in EQUIVALENT
    killed, equal = (sum(counts[what] for counts in modules.values()) for what in ("killed", "equivalent"))
    survivors = [name for name, killed in outcomes.items() if not killed]
    return {
        "possible": sum(possible.values()), "tried": len(outcomes), "killed": killed, "equivalent": equal,
        "score": round(killed / max(len(outcomes) - equal, 1), 3),
        "modules": {path: {**counts, "possible": possible[path]} for path, counts in sorted(modules.items())},
        "survivors": {name: EQUIVALENT.get(name, "") for name in survivors},
        "killed_mutants": [name for name, killed in outcomes.items() if killed],
    }  # fmt: skip


def main() -> int:
    """Sample, ask the tests about each mutant, and write down the score and the survivors."""
    parser = argparse.ArgumentParser(description="Sampled mutation score of what checks and fixes.")
    parser.add_argument("--each", type=int, default=6, metavar="N", help="mutants a module")
    parser.add_argument("--modules", nargs="*", default=list(MODULES), help="patterns below breaklint/")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="a report: what it killed is not tried again")
    parser.add_argument("--out", type=Path, help="a JSON file for the score")
    asked = parser.parse_args()
    before = json.loads(asked.again.read_text("utf-8")) if asked.again else None
    files = sorted(path for pattern in asked.modules for path in (PROJECT / "breaklint").glob(pattern))
    found = {path.relative_to(PROJECT).as_posix(): list(mutants(PROJECT, path.relative_to(PROJECT))) for path in files}
    chosen = [mutant for every in found.values() for mutant in sampled(every, asked.each, asked.seed)]
    outcomes: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        if not bench.survey():
            print("the tests fail without any fault: a score would say nothing", file=sys.stderr)
            return 2
        for mutant in chosen:
            began = time.monotonic()
            settled = before is not None and mutant.name in before["killed_mutants"]
            outcomes[mutant.name] = settled or bench.killed_by(mutant)
            word = "killed" if outcomes[mutant.name] else "SURVIVED"
            print(f"{len(outcomes)}/{len(chosen)} {time.monotonic() - began:.0f} s {word} {mutant.name}", flush=True)
            report = {"seed": asked.seed, **summary(outcomes, {path: len(every) for path, every in found.items()})}
            if asked.out:
                asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    print(f"score {report['score']}: {report['killed']} killed of {report['tried']}, {report['equivalent']} equivalent")
    return 0


if __name__ == "__main__":
    sys.exit(main())
