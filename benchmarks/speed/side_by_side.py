"""What `breaklint check` costs beside other tools on the same files, in CPU seconds and paired ratios.

    python benchmarks/speed/side_by_side.py --files 'models/*/modeling_*.py' --every 10 --rounds 3 --tools BIN FOLDER

The Python that runs this has the breaklint that is measured. BIN is the `bin` folder of an environment that has
torchfix, fixit, flake8 and ruff (or some of them). Every tool is run on the same files, without caches, with one
process or thread, in alternation: each round runs each tool once. Ratios are taken within a round; their median and
range are told.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from speed import compile_bytecode, cpu_seconds_of

SCREEN = """
import ast, gc, sys
gc.disable()
for path in sys.argv[1:]:
    try:
        for node in ast.walk(ast.parse(open(path, 'rb').read())):
            pass
    except SyntaxError:
        pass
"""


def commands(tools: Path | None) -> dict[str, list[str]]:
    """The command line of every tool at hand, to which the files are added."""
    python = sys.executable
    found = {
        "ast screen": [python, "-c", SCREEN],
        "breaklint": [python, "-m", "breaklint", "check", "--isolated", "--no-cache", "-j", "1", "--statistics"],
    }
    others = {
        "ruff": ["ruff", "check", "--isolated", "--no-cache", "-q"],
        "flake8": ["flake8", "--isolated", "-j", "1", "-q"],
        "fixit": ["fixit", "lint"],
        "torchfix": ["torchfix", "--select", "ALL"],
    }
    for name, (program, *options) in others.items():
        if tools is not None and (tools / program).exists():
            found[name] = [str(tools / program), *options]
    return found


def versions(tools: Path | None) -> dict[str, str]:
    """The tools' versions as pip knows them, and the machine."""
    machine = f"{platform.system()} {platform.machine()}"
    found = {"python": platform.python_version(), "machine": machine}
    if tools is not None:
        listed = subprocess.run(
            [str(tools / "python"), "-m", "pip", "list", "--format", "json"], capture_output=True, text=True, check=True
        )
        wanted = ("torchfix", "fixit", "flake8", "ruff", "libcst")
        found |= {item["name"]: item["version"] for item in json.loads(listed.stdout) if item["name"] in wanted}
    return found


def measure(folder: Path, files: Sequence[str], tools: Path | None, rounds: int) -> list[dict[str, float]]:
    """CPU seconds of every tool, a row a round."""
    rows = []
    environment = {**os.environ, "RUFF_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    for number in range(1, rounds + 1):
        row = {
            name: round(cpu_seconds_of([*command, *files], folder, environment), 2)
            for name, command in commands(tools).items()
        }
        print(f"round {number}:", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in row.items()), flush=True)
        rows.append(row)
    return rows


def main() -> None:
    """Measure, print a table, and write the raw numbers where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", default="**/*.py", help="which files of the folder")
    parser.add_argument("--every", type=int, default=1, help="take every nth of them")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tools", type=Path, help="the bin folder of the other tools")
    parser.add_argument("--output", type=Path, help="where the numbers go, as JSON")
    options = parser.parse_args()
    files = sorted(str(path.relative_to(options.folder.parent)) for path in options.folder.glob(options.files))
    files = files[:: options.every]
    size = sum((options.folder.parent / file).stat().st_size for file in files)
    compile_bytecode()
    rows = measure(options.folder.parent, files, options.tools, options.rounds)
    ratios = {
        name: sorted(round(row[name] / row["breaklint"], 2) for row in rows) for name in rows[0] if name != "breaklint"
    }
    print(f"\n{len(files)} files, {size / 1e6:.2f} MB; times of breaklint's CPU seconds, median (range):")
    for name, values in ratios.items():
        print(f"{name:12} {statistics.median(values):8.2f} ({values[0]:.2f} to {values[-1]:.2f})")
    if options.output:
        result = {
            "folder": options.folder.name, "pattern": options.files, "every": options.every, "files": len(files),
            "bytes": size, "environment": versions(options.tools), "cpu_seconds": rows,
            "times_breaklint": ratios,
        }  # fmt: skip
        options.output.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
