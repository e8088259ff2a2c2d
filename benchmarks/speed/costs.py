"""The cost of `breaklint check` for users: the start, a change, a whole package, a repeated run, and growth.

    python benchmarks/speed/costs.py transformers --changed models/speecht5/modeling_speecht5.py --output costs.json

CPU seconds of a process with its children and the peak of its own memory; compared commands alternate.
The screen is the minimal work of a check: reading and parsing all files, and walking those that may contain a model.
With `--most-screens` or `--most-mb` it fails where the whole package takes more than so many times the CPU seconds of
the screen, or more megabytes in any run; with `--most-growth`, where two copies of the package take more than so many
times the CPU seconds of a quarter, file for file. `--jobs` commands run at once, on a machine that has the cores.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SCREEN = """
import ast, gc, sys
from pathlib import Path
from breaklint.project.screen import may_matter
gc.disable()
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree) if may_matter(text) else ():
        pass
"""
CHECK = (sys.executable, "-m", "breaklint", "check", "--isolated", "--exit-zero", "--statistics")
SIZES = (100, 400, 1000, 4000)
SHARES = (4, 2, 1)  # of the files of a package: a quarter, half, all
LANES = threading.Semaphore(1)  # for the commands that run at once
ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "breaklint"
LAYER = ROOT / "fixtures" / "mixtral-router" / "before.py"


def cost(command: Sequence[str]) -> dict[str, float]:
    """CPU and wall seconds of a command that has to succeed, and the peak of its own memory in megabytes."""
    with LANES:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command}: ended with {os.waitstatus_to_exitcode(status)}")
    unit = 1024 if platform.system() != "Darwin" else 1024**2
    return {
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
        "wall_s": round(time.perf_counter() - began, 3),
        "peak_mb": round(usage.ru_maxrss / unit, 1),
    }


def start(rounds: int, folder: Path, changed: Path) -> dict[str, Any]:
    """Python alone, a file without torch, and one changed modeling file, each from the start of the process."""
    plain = folder / "plain.py"
    plain.write_text("x = 1\n", encoding="utf-8")
    commands = {
        "python": (sys.executable, "-c", "pass"),
        "file without torch": (*CHECK, str(plain)),
        "changed modeling file": (*CHECK, "--no-cache", str(changed)),
    }
    rows = [{name: cost(command)["cpu_s"] for name, command in commands.items()} for _ in range(rounds)]
    return {"lines": changed.read_text(encoding="utf-8").count("\n"), "cpu_s": rows}


def package(rounds: int, folder: Path, where: Path) -> dict[str, Any]:
    """A whole package in one process: the screen alone, then with an empty cache, and with a filled one."""
    rows = []
    for number in range(rounds):
        cached = (*CHECK, "-j", "1", "--cache-dir", str(folder / f"cache{number}"), str(where))
        names = ("screen", "cold", "warm", "warm again")
        commands = ((sys.executable, "-c", SCREEN, str(where)), cached, cached, cached)
        rows.append({name: cost(command) for name, command in zip(names, commands, strict=True)})
    times = [round(row["cold"]["cpu_s"] / row["screen"]["cpu_s"], 2) for row in rows]
    return {"rounds": rows, "cold_times_screen": times}


def shares(folder: Path, where: Path) -> list[dict[str, float]]:
    """A quarter, half and all of a package, and two copies of it, in one process each, without a cache."""
    files = sorted(map(str, where.rglob("*.py")))
    twice = folder / "twice"
    for name in ("one", "two"):
        shutil.copytree(where, twice / f"{where.name}_{name}")
    parts = {1 / share: files[::share] for share in SHARES}
    uncached = (*CHECK, "--no-cache", "--no-follow-callers", "-j", "1")
    commands = [*((*uncached, *some) for some in parts.values()), (*uncached, str(twice))]
    sizes = {**{share: len(some) for share, some in parts.items()}, 2: 2 * len(files)}
    with ThreadPoolExecutor() as pool:
        costs = zip(sizes.items(), pool.map(cost, commands), strict=True)
        rows = [{"packages": share, "files": size, **one} for (share, size), one in costs]
    for row in rows:
        row["cpu_ms_a_file"] = round(1000 * row["cpu_s"] / row["files"], 2)
    return rows


def failures(result: dict[str, Any], options: argparse.Namespace) -> list[str]:
    """The floors that do not hold."""
    screens = statistics.median(result["whole package"]["cold_times_screen"])
    peaks = [row["peak_mb"] for row in result["shares"]]
    peaks += [run["peak_mb"] for row in result["whole package"]["rounds"] for run in row.values()]
    costs = [row["cpu_ms_a_file"] for row in result["shares"]]
    floors = {
        f"{screens} times the screen": (screens, options.most_screens),
        f"{max(peaks)} MB": (max(peaks), options.most_mb),
        f"{costs[-1]} ms a file in two copies, {costs[0]} in a quarter": (costs[-1] / costs[0], options.most_growth),
    }
    return [f"{name}, more than {most}" for name, (value, most) in floors.items() if most and value > most]


def growth(folder: Path) -> list[dict[str, float]]:
    """CPU milliseconds a file over projects of more and more files, all different and one importing another."""
    text = LAYER.read_text(encoding="utf-8")
    rows = []
    for size in SIZES:
        project = folder / f"p{size}"
        project.mkdir()
        (project / "__init__.py").touch()
        for number in range(size):
            above = f"from p{size}.layer{number - 1} import *\n" if number % 10 else ""
            (project / f"layer{number}.py").write_text(f"{above}# {number}\n{text}", encoding="utf-8")
        seconds = cost((*CHECK, "--no-cache", "-j", "1", str(project)))["cpu_s"]
        rows.append({"files": size, "cpu_ms_a_file": round(1000 * seconds / size, 2)})
    return rows


def main() -> None:
    """Measure, print, and write the raw numbers where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="the folder of a large package, such as transformers")
    parser.add_argument("--changed", required=True, help="one of its files, of about 3,000 lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="commands that run at once")
    parser.add_argument("--most-screens", type=float, help="fail where the package takes more times the screen")
    parser.add_argument("--most-mb", type=float, help="fail where a process takes more megabytes")
    parser.add_argument("--most-growth", type=float, help="fail where a file takes more times as long in two copies")
    parser.add_argument("--output", type=Path, help="where the numbers go, as JSON")
    options = parser.parse_args()
    where = options.package.resolve()
    compileall.compile_dir(PACKAGE, quiet=2)  # the first run does not pay for it
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        folder = Path(name)
        cost((*CHECK, "--no-cache", str(LAYER)))  # the cards are read once and kept
        for _ in range(options.jobs - 1):
            LANES.release()
        parts = {
            "start": pool.submit(start, max(options.rounds, 9), folder, where / options.changed),
            "whole package": pool.submit(package, options.rounds, folder, where),
            "shares": pool.submit(shares, folder, where),
            "growth": pool.submit(growth, folder),
        }
        result: dict[str, Any] = {
            "environment": {"python": platform.python_version(), "machine": platform.machine()},
            "load": os.getloadavg(),
            "package": options.package.name,
            **{name: part.result() for name, part in parts.items()},
        }
    text = json.dumps(result, indent=2)
    print(text)
    for name in result["start"]["cpu_s"][0]:
        print(name, statistics.median(row[name] for row in result["start"]["cpu_s"]), "s")
    print("cold, times the screen:", statistics.median(result["whole package"]["cold_times_screen"]))
    if options.output:
        options.output.write_text(text + "\n", encoding="utf-8")
    if failed := failures(result, options):
        raise SystemExit("\n".join(failed))


if __name__ == "__main__":
    main()
