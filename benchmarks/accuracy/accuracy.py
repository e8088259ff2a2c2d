"""How well findings match Dynamo, on files with known break lines.

    python benchmarks/accuracy/accuracy.py --oracle DIR --paritybench DIR --site-packages DIR [--show fn,fp]

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
LABELS = Path(__file__).resolve().parent / "labels"
CORPORA = (
    ("paritybench-dev.jsonl", "2.11", "paritybench"),
    ("paritybench-dev-213.jsonl", "2.13", "paritybench"),
    ("paritybench-2.15.jsonl", "2.15", "paritybench"),  # in LABELS
    ("libraries-dev.jsonl", "2.13", "site_packages"),
)
KINDS = {"without a condition": False, "under a condition": True}  # whether `when` says something


def main() -> int:
    """Check, score and print one corpus after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", type=Path, required=True)
    parser.add_argument("--paritybench", type=Path, required=True)
    parser.add_argument("--site-packages", type=Path, required=True)
    parser.add_argument("--show", default="")
    options = parser.parse_args()
    for name, torch, place in CORPORA:
        labels = read_labels(options.oracle / name if (options.oracle / name).is_file() else LABELS / name)
        source: Path = getattr(options, place)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / name
            file.write_text("\n".join(map(json.dumps, labels)), "utf-8")
            findings = check(paths(labels, source, whole=place == "site_packages"), torch, Path(folder))
            seconds = time.perf_counter() - started
            print(f"\n== {name}, torch {torch}: {len(labels)} files, {seconds:.0f} s, {silence(labels, findings)}")
            evaluate = [
                sys.executable,
                str(options.oracle / "evaluate.py"),
                "--labels",
                str(file),
                "--source",
                str(source),
            ]
            evaluate += ["--findings", str(Path(folder) / "findings.json")]
            subprocess.run([*evaluate, "--show", options.show], check=True)
            for title, conditional in KINDS.items():
                some = [finding for finding in findings if bool(finding["when"]) is conditional]
                (Path(folder) / "findings.json").write_text(json.dumps(some), "utf-8")
                scored = subprocess.run(evaluate, check=True, capture_output=True, text=True).stdout.splitlines()
                print(f"{title}: {scored[-2].partition('  ')[2]}")
    return 0


def read_labels(path: Path) -> list[dict[str, Any]]:
    """The labels of a file; rows that it keeps as spans, as in "3 7-9", are counted out."""
    labels = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for label in labels:
        for key in ("executed", "untraced"):
            if isinstance(label[key], str):
                spans = [[int(row) for row in span.split("-")] for span in label[key].split()]
                label[key] = [row for span in spans for row in range(span[0], span[-1] + 1)]
    return labels


def paths(labels: list[dict[str, Any]], source: Path, whole: bool) -> list[str]:
    """The files to check, or the packages that they belong to."""
    names = {label["file"].split("/")[0] if whole else label["file"] for label in labels}
    return [str(source / name) for name in sorted(names)]


def check(places: list[str], torch: str, folder: Path, *options: str) -> list[dict[str, Any]]:
    """The findings of `breaklint check`, also written to `findings.json` in the folder."""
    target = folder / "findings.json"
    isolated = [] if "--config" in options else ["--isolated"]
    command = [sys.executable, "-m", "breaklint", "check", *isolated, "--no-cache", "--target-torch", torch, *options]
    result = subprocess.run(
        [*command, "--output-format", f"json:{target}", *places], capture_output=True, text=True, check=False
    )
    if result.returncode > 1:
        print(result.stderr.strip().splitlines()[-1])
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
