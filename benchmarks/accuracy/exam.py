"""Recall and precision on libraries: findings in their files, compared with the breaks of Dynamo in their models.

    python benchmarks/accuracy/exam.py run CASES.py... --libraries DIR --labels LABELS.jsonl
    python benchmarks/accuracy/exam.py score --libraries DIR --labels LABELS.jsonl... [--cases CASES.py...]

A case file names `PACKAGES`, installed below DIR, and has functions `case_…` without arguments that return a model and
the arguments of a call: `(model, args)` or `(model, args, kwargs)`. `run` calls every model in eager and in training
mode, plain and under torch.compile, and writes one label per file: `breaks`, `executed` rows, and `untraced` rows of
these, whose frames Dynamo skipped. `score` checks the packages whole and lists every
break that no finding covers and every `break` finding on a row that Dynamo traced without one.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accuracy import ROWS, check

WORKER = Path(__file__).with_name("exam_worker.py")
MODES = ["eval", "training"]
Label = dict[str, Any]
ROWS_OF = ("executed", "untraced")


def main() -> int:
    """Make labels, or score findings on them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("run", "score"):
        command = commands.add_parser(name)
        command.add_argument("--libraries", type=Path, required=True)
        command.add_argument("--labels", type=Path, required=True, nargs="+" if name == "score" else None)
        if name == "run":
            command.add_argument("cases", type=Path, nargs="+")
            command.add_argument("--seconds", type=float, default=240, help="for one case")
            command.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
        else:
            command.add_argument(
                "--cases", type=Path, nargs="*", default=[], help="the cases' own models call libraries too"
            )
            command.add_argument("--target-torch", default="2.13")
            command.add_argument("--config", help="a configuration file, of entry points that the cases call directly")
            command.add_argument("--python", help="an environment that has what the packages import")
    options = parser.parse_args()
    folder = options.libraries.resolve()
    if options.command == "run":
        results = []
        for path in options.cases:
            for result in run_file(path, folder, options.seconds, options.modes):
                results.append(result)
                write(labels(results, folder), options.labels)  # after every case: an aborted run keeps its results
        return 0
    return score([label for path in options.labels for label in read(path)], folder, options)


def run_file(path: Path, folder: Path, seconds: float, modes: list[str]) -> Iterator[dict[str, Any]]:
    """The results of the worker for every case of a file; after a case that ends its process, a new one continues."""
    pending = [line[4:].split("(")[0] for line in path.read_text("utf-8").splitlines() if line.startswith("def case_")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(folder)])}
    while pending:
        command = [sys.executable, str(WORKER), str(path), str(folder), str(seconds), ",".join(modes), *pending]
        started = ""
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as worker:
            assert worker.stdout is not None
            assert worker.stderr is not None
            for line in worker.stdout:
                message = json.loads(line) if line.startswith("{") else {}
                if "start" in message:
                    started = message["start"]
                    pending.remove(started)
                elif message:
                    say(path, message)
                    yield message
            errors = worker.stderr.read()
        if worker.returncode and not started:
            sys.exit(f"{path}: {errors.strip().splitlines()[-1]}")
        if worker.returncode:
            print(f"{path.stem} {started}: took too long or crashed", flush=True)


def say(path: Path, message: dict[str, Any]) -> None:
    """One line a case and mode."""
    rows = sum(len(rows) for rows in message.get("executed", {}).values())
    print(
        f"{path.stem} {message['case']} {message['mode']}:",
        message.get("error") or f"{rows} rows, {len(message['breaks'])} breaks",
        flush=True,
    )


def labels(results: list[dict[str, Any]], folder: Path) -> list[Label]:
    """The joined results of all runs, by file."""
    executed: dict[str, set[int]] = defaultdict(set)
    traced: dict[str, set[int]] = defaultdict(set)
    breaks: dict[str, dict[int, Any]] = defaultdict(dict)
    for result in results:
        for name, rows in result.get("executed", {}).items():
            executed[name].update(rows)
        for name, rows in result.get("traced", {}).items():
            traced[name].update(rows)
        for broken in result.get("breaks", ()):
            fields = {key: broken[key] for key in ("line", "gb", "type", "lib")}
            breaks[broken["filename"]].setdefault(broken["line"], {**fields, "case": result["case"]})
    # After skipping a frame, Dynamo compiles the library's frames by themselves: not breaks of the calling row.
    rows = {
        name: [row for line, row in sorted(broken.items()) if not row["lib"] or line in traced[name]]
        for name, broken in breaks.items()
    }
    return [
        {
            "file": os.path.relpath(name, folder),
            "executed": sorted(executed[name] | traced[name]),
            "untraced": sorted(executed[name] - traced[name]),
            "breaks": rows.get(name, []),
        }
        for name in sorted(executed.keys() | traced.keys() | breaks.keys())
    ]


def write(rows: list[Label], path: Path) -> None:
    """Write one JSON object per line, with rows as ranges: `"3-9 12"`."""
    path.write_text("".join(json.dumps({**row, **{key: spans(row[key]) for key in ROWS_OF}}) + "\n" for row in rows))


def read(path: Path) -> list[Label]:
    """The labels of a file."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{**row, **{key: lines(row[key]) for key in ROWS_OF}} for row in rows]


def spans(rows: list[int]) -> str:
    """Rows in order, as spans."""
    starts = [row for row in rows if row - 1 not in rows]
    ends = [row for row in rows if row + 1 not in rows]
    return " ".join(f"{start}-{end}" if start < end else f"{start}" for start, end in zip(starts, ends, strict=True))


def lines(text: str) -> list[int]:
    """The rows of ranges."""
    ends = [[*map(int, span.split("-"))] for span in text.split()]
    return [row for span in ends for row in range(span[0], span[-1] + 1)]


def score(expected: list[Label], folder: Path, options: argparse.Namespace) -> int:
    """Check the packages that the labels name, list wrong findings and misses, and print recall and precision."""
    packages = sorted({str(folder / label["file"].split("/")[0]) for label in expected})
    copies = [Path(shutil.copy(path, place_beside(path, folder))) for path in options.cases]
    environment = ["--python", options.python] if options.python else ["--no-environment"]
    environment += ["--config", options.config] if options.config else []
    with tempfile.TemporaryDirectory() as scratch:
        findings = check([*packages, *map(str, copies)], options.target_torch, Path(scratch), *environment)
    for path in copies:
        path.unlink()
    spans: dict[str, list[tuple[range, dict[str, Any]]]] = defaultdict(list)
    for finding in findings:
        first, last = finding["location"]["row"], finding["end_location"]["row"]
        if finding["effect"] == "break" or "breaks here" in finding["note"]:  # on the first call, which it is here
            name = os.path.relpath(finding["filename"], folder)
            spans[name].append((range(first, min(last, first + ROWS) + 1), finding))
    missed, wrong, executed = [], [], 0
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for label in expected:
        count = counts[label["file"].split("/")[0]]
        text = (folder / label["file"]).read_text("utf-8").split("\n")
        broken = {row["line"]: row for row in label["breaks"]}
        covered = {line for line in broken if any(line in rows for rows, _ in spans[label["file"]])}
        traced = set(label["executed"]) - set(label["untraced"])
        executed += len(traced)
        count.update(real=len(broken), found=len(covered))
        missed += [f"{place(label, line, text)}  [{broken[line]['type'][:70]}]" for line in broken.keys() - covered]
        for rows, finding in spans[label["file"]]:
            hit = not broken.keys().isdisjoint(rows)
            if hit or (not traced.isdisjoint(rows) and set(label["untraced"]).isdisjoint(rows)):
                count.update(judged=1, right=hit)
                wrong += [] if hit else [f"{place(label, rows[0], text)}  [{finding['code']}]"]
    print(f"missed ({len(missed)})", *sorted(missed), f"false ({len(wrong)})", *sorted(wrong), sep="\n")
    rate = 1000 * len(wrong) / max(executed, 1)
    print(f"{len(expected)} files, {executed} rows executed and traced, {rate:.2f} false findings a thousand")
    print(*[figures(package, counts[package]) for package in sorted(counts)], sep="\n")
    print(figures("all", sum(counts.values(), Counter())))
    return 0


def place_beside(path: Path, folder: Path) -> Path:
    """The folder for a copy of a case file, from which its imports resolve: the arguments of `inside("A", "b")`."""
    parts = re.search(r"^inside\((.+)\)$", path.read_text("utf-8"), re.MULTILINE)
    return folder.joinpath(*ast.literal_eval(f"[{parts.group(1)}]"), f"user_{path.name}") if parts else folder


def figures(name: str, count: Counter[str]) -> str:
    """Recall and precision of a package, or of all."""
    real, hits, judged, right = (count[key] for key in ("real", "found", "judged", "right"))
    recall, precision = hits / max(real, 1), right / max(judged, 1)
    return f"{name}: recall {hits}/{real} = {recall:.3f}  precision {right}/{judged} = {precision:.3f}"


def place(label: Label, line: int, text: list[str]) -> str:
    """A row of a file with its text."""
    return f"{label['file']}:{line}: {text[line - 1].strip()[:100]}"


if __name__ == "__main__":
    sys.exit(main())
