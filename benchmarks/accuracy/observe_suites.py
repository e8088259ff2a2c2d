"""What `pytest --breaklint-observe` costs, and what it finds, over test suites of packages as their sdists have them.

    python benchmarks/accuracy/observe_suites.py FOLDER PACKAGE [FOLDER PACKAGE …] [--results FILE]

Each FOLDER is an unpacked sdist and PACKAGE the folder of its code; tests are those in FOLDER/tests, or FOLDER/PACKAGE
where there is no such folder. Every suite runs plainly, then observed, in processes of its own with one thread each.
Times are those on the clock until the command ends, and processor time with all processes that it left: replays are
no children of the tests, so this process takes over what others leave behind (Linux).
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from importlib import metadata
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
_SUBREAPER = 36  # of prctl
_OBSERVED = re.compile(r"observed (\d+) module class\w* in (\d+) forms? of inputs(?:, (\d+) not replayed)?")


def main() -> int:
    """Run every suite and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", metavar="FOLDER PACKAGE")
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)
    found = []
    for folder, package in zip(given.suites[::2], given.suites[1::2], strict=True):
        found.append(suite(Path(folder).resolve(), package))
        print(json.dumps({key: value for key, value in found[-1].items() if key not in ("why_not", "only_seen")}))
        if given.results:
            given.results.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def suite(folder: Path, package: str) -> dict[str, Any]:
    """Times and outcomes of a suite, plain and observed, and what `check` says with the profile."""
    told: dict[str, Any] = {"package": folder.name}
    (folder / ".breaklint" / "observed.json").unlink(missing_ok=True)
    tests = "tests" if (folder / "tests").is_dir() else package
    text = ""
    for mode, options in (("plain", ()), ("observed", ("--breaklint-observe",))):
        told[mode], text = tested(folder, [*options, tests])
    told["wall_ratio"] = round(told["observed"]["wall_s"] / told["plain"]["wall_s"], 2)
    if counted := _OBSERVED.search(text):
        classes, forms, lost = (int(each or 0) for each in counted.groups())
        told |= {"module_classes": classes, "forms": forms + lost, "not_replayed": lost}
    told["why_not"] = [line for line in text.splitlines() if re.match(r"\w+: not replayed: ", line)]
    report = breaklint(folder, "report", "observed").stdout
    if entries := re.search(r"(\d+) of (\d+) entries", report):
        told |= {"entries_reached": int(entries[1]), "entries": int(entries[2])}
    options = ("--isolated", "--no-cache", "-j", "1", "--output-format", "json", "--target-torch", version())
    findings = json.loads(breaklint(folder, "check", *options, package).stdout or "[]")
    own = [each for each in findings if each["code"] < "BRK9"]
    states = Counter(str((each["observed"] or {}).get("state")) for each in own)
    told["findings_of_check"] = dict(sorted(states.items()))
    told["only_seen"] = {
        code: [f"{each['filename']}:{each['location']['row']}" for each in findings if each["code"] == code]
        for code in ("BRK950", "BRK951")
    }
    return told


def tested(folder: Path, arguments: list[str]) -> tuple[dict[str, Any], str]:
    """One run of the tests, and its output."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "breaklint.pytest_plugin",
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-o", "python_files=*test*.py", *arguments]
    before, began = _cpu(), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment(folder), check=False, capture_output=True, text=True)
    wall = time.monotonic() - began
    while True:  # what it has left behind
        try:
            os.wait()
        except ChildProcessError:
            break
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", done.stdout[-300:])}
    return {"wall_s": round(wall, 1), "cpu_s": round(_cpu() - before, 1), **counts}, done.stdout + done.stderr


def breaklint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run breaklint in a folder."""
    command = [sys.executable, "-m", "breaklint", *arguments]
    return subprocess.run(command, cwd=folder, env=environment(folder), check=False, capture_output=True, text=True)


def environment(folder: Path) -> dict[str, str]:
    """The environment in which breaklint and the package are found, with one thread a process."""
    before = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    path = os.pathsep.join([str(folder), str(PROJECT), *before])
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def version() -> str:
    """Torch's, as `--target-torch` takes it."""
    return ".".join(metadata.version("torch").split(".")[:2])


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
