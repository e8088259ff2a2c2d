"""What `breaklint check` costs on a folder, in multiples of parsing it: `python speed.py FOLDER [ROUNDS]`.

Both run in processes of their own, on one core, in alternation; CPU seconds are compared, never wall time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

PARSE = """
import ast, gc, sys
from pathlib import Path
gc.disable()
for path in Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except SyntaxError:
        pass
"""


COMPILE = """
import compileall
from pathlib import Path
import breaklint
compileall.compile_dir(Path(breaklint.__file__).parent, quiet=2)
"""


def compile_bytecode() -> None:
    """Write the bytecode of the installed breaklint, as pip does when it installs."""
    subprocess.run([sys.executable, "-c", COMPILE], check=True)


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a finished child process; stops when it failed."""
    before = os.times()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1) and "not valid Python" not in done.stderr:
        raise SystemExit(done.stderr)
    return _children_since(before)


def cpu_seconds_of(command: list[str], folder: Path, environment: dict[str, str]) -> float:
    """User and system time of a tool run in `folder`, whatever it says and found."""
    before = os.times()
    subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return _children_since(before)


def _children_since(before: os.times_result) -> float:
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Print a row a round, then the median ratio."""
    folder, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    files = list(Path(folder).rglob("*.py"))
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{folder}: {len(files)} files, {size:.1f} MB, Python {sys.version.split()[0]}")
    check = [sys.executable, "-m", "breaklint", "check", "--isolated", "--no-cache", "-j", "1", "--statistics", folder]
    ratios = []
    for number in range(1, rounds + 1):
        parse_s, check_s = cpu_seconds([sys.executable, "-c", PARSE, folder]), cpu_seconds(check)
        ratios.append(check_s / parse_s)
        print(f"round {number}: ast.parse {parse_s:.2f} s, breaklint check {check_s:.2f} s, ratio {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
