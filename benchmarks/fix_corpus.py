"""What the fixes do to a corpus: how many findings they mend, and (with --run) how many real graph breaks are gone.

    python benchmarks/fix_corpus.py FOLDER --labels LABELS.jsonl --out WORK [--run] [--json RESULT.json]

Each file is fixed in a copy, once with safe fixes and once with all. With --run (needs torch), the test cases of every
file that a fix changed run before and after: the rows that break the graph are counted, and outputs are compared.
`--labels` names the files to take, a JSON object a line with `file` and `breaks`; without it all files are taken.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from breaklint.engine import Engine
from breaklint.model import Settings
from breaklint.source.decoding import read_source

VERSIONS = ("before", "safe", "all")
WORKER = Path(__file__).with_name("fix_corpus_worker.py")


@dataclass
class FixedFile:
    """One file: its findings by what can be done about them, and what was fixed in the two versions."""

    name: str
    offered: Counter[str] = field(default_factory=Counter)
    declined: Counter[str] = field(default_factory=Counter)
    fixed: dict[str, dict[str, int]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    run: list[dict[str, Any]] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether a fix changed the file."""
        return any(self.fixed.values())


def fix(path: Path, out: Path) -> FixedFile:
    """Fix a copy of the file with safe fixes and with all, and write the three versions."""
    text, done = read_source(str(path)).text, FixedFile(path.name)
    for finding in Engine(Settings()).check(str(path), text).findings:
        done.offered[finding.fix.applicability.value if finding.fix else "none"] += 1
        if finding.fix is None:
            done.declined[f"{finding.code}: {finding.no_fix}"] += 1
    texts = {"before": text}
    for version, unsafe in (("safe", False), ("all", True)):
        result = Engine(Settings()).fix(str(path), text, unsafe)
        done.errors += result.errors
        done.fixed[version] = dict(result.fixed)
        texts[version] = result.text or text
    for version, content in texts.items():
        ast.parse(content)
        target = out / version / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, "utf-8")
    return done


def run(name: str, out: Path, seconds: int) -> list[dict[str, Any]]:
    """What the test cases of the three versions do."""
    command = [sys.executable, str(WORKER), *(str(out / version / name) for version in VERSIONS)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return [{"import": f"more than {seconds} s"}] * len(VERSIONS)
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    if line is None:
        return [{"import": (done.stderr.strip().splitlines() or ["no result"])[-1]}] * len(VERSIONS)
    result: list[dict[str, Any]] = json.loads(line.removeprefix("RESULT "))
    return result


def files(folder: Path, labels: Path | None) -> Iterator[tuple[Path, int]]:
    """The files to take, each with the number of rows known to break (0 when unknown)."""
    if labels is None:
        yield from ((path, 0) for path in sorted(folder.rglob("*.py")))
        return
    for line in labels.read_text("utf-8").splitlines():
        label = json.loads(line)
        breaks = {entry["line"] for entry in label["breaks"] if not entry.get("mock")}
        if (folder / label["file"]).is_file():
            yield folder / label["file"], len(breaks)


def summary(done: list[FixedFile], labelled: int) -> dict[str, Any]:
    """The figures of the whole corpus."""
    ran = [file for file in done if file.run and all("rows" in version for version in file.run)]
    figures: dict[str, Any] = {
        "files": len(done),
        "labelled_break_rows": labelled,
        "findings": dict(sum((file.offered for file in done), Counter())),
        "files_changed": sum(file.changed for file in done),
        "errors": [error for file in done for error in file.errors],
        "files_run": len(ran),
        "files_not_run": {f.name: f.run[0]["import"] for f in done if f.run and "import" in f.run[0]},
        "no_longer_import": [f.name for f in done if f.run and "import" not in f.run[0] and f not in ran],
        "declined": dict(sum((file.declined for file in done), Counter()).most_common(40)),
    }
    for number, version in enumerate(VERSIONS):
        figures[version] = {
            "break_rows": sum(len(file.run[number]["rows"]) for file in ran),
            "whole_models": sum(file.run[number]["whole"] for file in ran),
            "models": sum(file.run[number]["ran"] for file in ran),
            "differing": [f"{file.name}: {text}" for file in ran for text in file.run[number]["differing"]],
        }
    return figures


def main() -> None:
    """Fix the corpus, run it when asked to, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seconds", type=int, default=300, help="the most that one file may take")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    started, done, labelled = time.perf_counter(), [], 0
    for path, breaks in files(options.folder, options.labels):
        file = fix(path, options.out)
        labelled += breaks
        if options.run and file.changed:
            file.run = run(file.name, options.out, options.seconds)
            rows = [len(version.get("rows", ())) for version in file.run]
            print(
                f"{file.name}: {rows if 'rows' in file.run[0] else file.run[0]['import']}", file=sys.stderr, flush=True
            )
        done.append(file)
    figures = {**summary(done, labelled), "seconds": round(time.perf_counter() - started)}
    text = json.dumps(figures, indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
