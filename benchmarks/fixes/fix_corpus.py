"""Apply the fixes to a corpus of known graph breaks: the removed breaks, the others with reasons, and changed results.

    python benchmarks/fixes/fix_corpus.py FOLDER --labels LABELS.jsonl ... --out WORK [--run --jobs N] [--json OUT]

Each labelled file is fixed in a copy, once with safe fixes and once with all. With --run (needs torch) the three
versions run, in all test cases that reach a row which breaks or which a fix changed: rows that break the graph are
counted, and outputs are compared. What ran is kept under WORK and runs again only when a version changed. `--labels`
name the files and the rows that break, a JSON object a line with `file` and `breaks`. Shares are of the rows that break
in this run, since labels may stem from another torch version.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import itertools
import json
import multiprocessing
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fix_sites import Site, judge, labelled_rows, shares, sites_of, table

from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.source.decoding import read_source

VERSIONS = ("before", "safe", "all")
WORKER = Path(__file__).with_name("fix_corpus_worker.py")


@dataclass
class FixedFile:
    """One file: its three versions, its sites, its findings by kind of fix, and the results of its run."""

    name: str
    texts: dict[str, str]
    sites: list[Site]
    offered: Counter[str] = field(default_factory=Counter)
    fixed: dict[str, dict[str, int]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    run: dict[str, Any] = field(default_factory=dict)


def fix(folder: Path, name: str, rows: list[int], out: Path, settings: Settings) -> FixedFile:
    """Fix a copy of the file with safe fixes and with all, and write the three versions."""
    path = folder / name
    text = read_source(str(path)).text
    findings = [f for f in Engine(settings).check(str(path), text).findings if f.filename == str(path)]
    fixed_file = FixedFile(name, {"before": text}, sites_of(name, rows, findings))
    fixed_file.offered.update(finding.fix.applicability.value if finding.fix else "none" for finding in findings)
    for version, unsafe in (("safe", False), ("all", True)):
        result = Engine(settings).fix(str(path), text, unsafe)
        fixed_file.errors += result.errors
        fixed_file.fixed[version] = dict(result.fixed)
        fixed_file.texts[version] = result.text or text
    for version, content in fixed_file.texts.items():
        ast.parse(content)
        target = out / version / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, "utf-8")
    return fixed_file


def run(file: FixedFile, out: Path, seconds: int) -> dict[str, Any]:
    """The results of the test cases of the three versions, from an earlier run if nothing has changed since."""
    rows = json.dumps([site.row for site in file.sites])
    digest = hashlib.sha256(json.dumps([WORKER.read_text("utf-8"), rows, file.texts]).encode()).hexdigest()[:16]
    cache = out / "runs" / f"{file.name}.{digest}.json"
    if cache.is_file():
        return dict(json.loads(cache.read_text("utf-8")))
    import fix_corpus_worker

    paths = [(out / version / file.name).resolve() for version in VERSIONS]
    cache.parent.mkdir(parents=True, exist_ok=True)
    lines = cache.with_suffix(".lines")
    # A process of its own, for the memory and the crashes of the models; forked, because importing torch takes long.
    process = multiprocessing.get_context("fork").Process(
        target=fix_corpus_worker.run_file, args=(paths, {site.row for site in file.sites}, lines)
    )
    process.start()
    process.join(seconds)
    late = process.is_alive()
    process.kill()
    process.join()
    results = [json.loads(line) for line in lines.read_text("utf-8").splitlines()] if lines.is_file() else []
    unknown = [f"more than {seconds} s" if late else f"exit code {process.exitcode}"] * len(VERSIONS)
    result = {"imports": results[0] if results else unknown, "cases": results[1:], "late": late}
    cache.write_text(json.dumps(result), "utf-8")
    return result


def take(file: FixedFile, result: dict[str, Any]) -> None:
    """Judge the file's sites by its run."""
    file.run = result
    broken = {
        version: {row for case in result["cases"] if version in case for row in case[version]["rows"]}
        for version in VERSIONS
    }
    judge(file.sites, file.texts, broken)


def summary(files: list[FixedFile]) -> dict[str, Any]:
    """The figures of the whole corpus."""
    sites = [site for file in files for site in file.sites]
    ran = [file for file in files if file.run and not any(file.run["imports"])]
    cases = [case for file in ran for case in file.run["cases"]]
    return {
        "files": len(files),
        "findings": dict(sum((file.offered for file in files), Counter())),
        "files_changed": {v: sum(file.texts[v] != file.texts["before"] for file in files) for v in ("safe", "all")},
        "errors": [error for file in files for error in file.errors],
        "files_run": len(ran),
        "files_cut_short": [file.name for file in ran if file.run["late"]],
        "files_not_run": {f.name: f.run["imports"][0] for f in files if f.run and f.run["imports"][0]},
        "no_longer_import": [f.name for f in files if f.run and not f.run["imports"][0] and any(f.run["imports"][1:])],
        "cases": len(cases),
        "cases_not_comparable": sum(bool(case["random"]) for case in cases),
        **{version: _version(ran, version) for version in VERSIONS},
        "sites": shares(sites),
        "by_rule": table(sites),
        "rows": [
            {k: v for k, v in asdict(site).items() if k not in ("measured", "removed")} | {"state": site.state}
            for site in sites
        ],
    }


def _version(ran: list[FixedFile], version: str) -> dict[str, Any]:
    cases = [(file.name, case) for file in ran for case in file.run["cases"] if version in case]
    rows = {(name, row) for name, case in cases for row in case[version]["rows"]}
    return {
        "break_rows": len(rows),
        "whole_models": sum(not case[version]["rows"] for _, case in cases),
        "differing": [f"{name}: {case[version]['differing']}" for name, case in cases if case[version]["differing"]],
    }


def work(name: str, rows: list[int], options: argparse.Namespace) -> FixedFile:
    """Fix one file, and run its versions when asked to."""
    file = fix(options.folder, name, rows, options.out, Settings())
    if options.run and (rows or any(file.fixed.values())):
        take(file, run(file, options.out, options.seconds))
        print(name, *(site.state for site in file.sites), sep=" | ", file=sys.stderr, flush=True)
    return file


def main() -> None:
    """Fix the corpus, run it when asked to, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--seconds", type=int, default=600, help="the most that one file may take")
    parser.add_argument("--jobs", type=int, default=1, help="files at the same time")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = sorted(labelled_rows(options.labels).items(), key=lambda item: not item[1])
    with ProcessPoolExecutor(options.jobs) as pool:
        files = list(pool.map(work, *zip(*rows, strict=True), itertools.repeat(options)))
    text = json.dumps(summary(files), indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
