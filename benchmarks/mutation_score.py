"""How many small faults in the checks and the fixes the quick tests notice: a sampled mutation score.

    python benchmarks/mutation_score.py --mutants 40 --seed 1 --out benchmarks/results/mutation-score.json

Each mutant is a copy of the package with one comparison, connective, constant or return changed; a test that fails
kills it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

PROJECT = Path(__file__).resolve().parent.parent
TESTS = (
    "tests/checks", "tests/fixes/test_fix_examples.py", "tests/fixes/test_written_fixes.py",
    "tests/fixes/test_fix_applicability.py", "tests/fixes/test_fix_apply.py", "tests/test_card_examples.py",
)  # fmt: skip
TOO_SLOW_S = 300
COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
Mutant = tuple[Path, ast.expr, str]


def mutants(path: Path) -> Iterator[Mutant]:
    """Every expression of a file that a fault can be made in, with the faulty text."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            yield path, node, f"({left} {COMPARED[type(node.ops[0])]} {right})"
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            yield path, node, f"({word.join(f'({ast.unparse(value)})' for value in node.values)})"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield path, node, f"bool({ast.unparse(node.operand)})"
        elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int)):
            yield path, node, str(not node.value if isinstance(node.value, bool) else node.value + 1)
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield path, node.value, "None"


def mutate(text: str, node: ast.expr, content: str) -> str:
    """The text with an expression replaced."""
    lines = text.encode().splitlines(keepends=True)
    assert node.end_lineno is not None
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + (node.end_col_offset or 0)
    data = text.encode()
    return (data[:begin] + content.encode() + data[end:]).decode()


def is_killed(mutant: Mutant, tests: list[str]) -> bool:
    """Whether the tests fail on a copy of the project with the fault."""
    path, node, content = mutant
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__"))
        changed = copy / path.relative_to(PROJECT)
        changed.write_text(mutate(path.read_text("utf-8"), node, content), "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, check=False,
                timeout=TOO_SLOW_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def main() -> int:
    """Sample, run the tests on each mutant, and write down the score and the survivors."""
    parser = argparse.ArgumentParser(description="Sampled mutation score of the checks and the fixes.")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=list(TESTS))
    parser.add_argument("--out", type=Path, help="a JSON file for the score")
    asked = parser.parse_args()
    files = sorted(path for part in ("checks", "fixes") for path in (PROJECT / "breaklint" / part).glob("*.py"))
    possible = [mutant for path in files for mutant in mutants(path)]
    if subprocess.run([sys.executable, "-m", "pytest", "-q", "-x", *asked.tests], cwd=PROJECT, check=False).returncode:
        print("the tests fail without any fault: a score would say nothing", file=sys.stderr)
        return 2
    killed, survivors = 0, []
    for mutant in Random(asked.seed).sample(possible, asked.mutants):
        path, node, content = mutant
        name = f"{path.relative_to(PROJECT)}:{node.lineno}: {ast.unparse(node)} -> {content}"
        if is_killed(mutant, asked.tests):
            killed += 1
        else:
            survivors.append(name)
        print(f"{killed} killed, {len(survivors)} survived: {name}", flush=True)
        report = {
            "seed": asked.seed, "possible": len(possible), "tried": killed + len(survivors), "killed": killed,
            "tests": asked.tests, "survivors": survivors,
        }  # fmt: skip
        if asked.out:
            asked.out.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
