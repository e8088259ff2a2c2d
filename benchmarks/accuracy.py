"""How well findings match Dynamo, on files with known break lines.

    python benchmarks/accuracy.py --oracle DIR --paritybench DIR --site-packages DIR [--show fn,fp]

ORACLE holds the label files and their `evaluate.py` (recall and precision by line); PARITYBENCH the files of
`generated/` that the labels name, SITE-PACKAGES the libraries, checked whole so that calls across files are followed.
Besides recall and precision it prints how often a `break` finding lies on executed lines of files without any break.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROWS = 12  # a finding is judged on this many rows at most, as evaluate.py does
CORPORA = (
    ("paritybench-dev.jsonl", "2.11", "paritybench"),
    ("paritybench-dev-213.jsonl", "2.13", "paritybench"),
    ("libraries-dev.jsonl", "2.13", "site_packages"),
)


def main() -> int:
    """Check, score and print one corpus after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("--paritybench", type=Path, required=True)
    parser.add_argument("--site-packages", type=Path, required=True)
    parser.add_argument("--show", default="")
    given = parser.parse_args()
    for name, torch, place in CORPORA:
        labels = [json.loads(line) for line in (given.oracle / name).read_text("utf-8").splitlines()]
        source: Path = getattr(given, place)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            findings = check(paths(labels, source, whole=place == "site_packages"), torch, Path(folder))
            seconds = time.perf_counter() - started
            print(f"\n== {name}, torch {torch}: {len(labels)} files, {seconds:.0f} s, {silence(labels, findings)}")
            evaluate = [sys.executable, str(given.oracle / "evaluate.py"), "--labels", str(given.oracle / name)]
            evaluate += [
                "--source",
                str(source),
                "--findings",
                str(Path(folder) / "findings.json"),
                "--show",
                given.show,
            ]
            subprocess.run(evaluate, check=True)
    return 0


def paths(labels: list[dict[str, Any]], source: Path, whole: bool) -> list[str]:
    """The files to check, or the packages that they belong to."""
    names = {label["file"].split("/")[0] if whole else label["file"] for label in labels}
    return [str(source / name) for name in sorted(names)]


def check(places: list[str], torch: str, folder: Path, *options: str) -> list[dict[str, Any]]:
    """The findings of `breaklint check`, also written to `findings.json` in the folder."""
    target = folder / "findings.json"
    isolated = [] if "--config" in options else ["--isolated"]
    command = [sys.executable, "-m", "breaklint", "check", *isolated, "--no-cache", "--target-torch", torch, *options]
    done = subprocess.run(
        [*command, "--output-format", f"json:{target}", *places], capture_output=True, text=True, check=False
    )
    if done.returncode > 1:
        print(done.stderr.strip().splitlines()[-1])
    findings: list[dict[str, Any]] = json.loads(target.read_text("utf-8"))
    return findings


def silence(labels: list[dict[str, Any]], findings: list[dict[str, Any]]) -> str:
    """How many `break` findings lie on executed lines of files whose modules ran without a break."""
    clean = {label["file"]: set(label["executed"]) - set(label["untraced"]) for label in labels if not label["breaks"]}
    wrong = 0
    for finding in findings:
        name = finding["filename"].replace("\\", "/")
        lines = next((lines for file, lines in clean.items() if f"/{name}".endswith(f"/{file}")), set())
        first, last = finding["location"]["row"], finding["end_location"]["row"]
        wrong += finding["effect"] == "break" and not lines.isdisjoint(range(first, min(last, first + ROWS) + 1))
    executed = sum(len(lines) for lines in clean.values())
    return f"{wrong} break findings on {executed} executed lines of clean files"


if __name__ == "__main__":
    sys.exit(main())
