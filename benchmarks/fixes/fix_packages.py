"""What the fixes do to whole packages with known graph breaks: what is offered, what still imports, what is gone.

    python benchmarks/fixes/fix_packages.py FOLDER --packages NAME ... --labels LABELS --out WORK [--fix] [--json OUT]

FOLDER is a site-packages folder. The packages are checked whole, so that calls across files are followed. With --fix
(needs torch) they are fixed in copies, once with safe fixes and once with all; every module that changed is imported,
and the cases of fix_packages_worker.py run: breaks are counted and outputs compared.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fix_sites import Site, judge, labelled_rows, shares, sites_of, table

from breaklint.lint.run import Mode, run
from breaklint.model import Finding, Settings

VERSIONS = ("before", "safe", "all")
WORKER = Path(__file__).with_name("fix_packages_worker.py")


def sites(folder: Path, packages: list[str], rows: dict[str, list[int]]) -> list[Site]:
    """The labelled rows of the packages, with what the findings on them offer."""
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for finding in run([str(folder / package) for package in packages], Settings()).findings:
        by_file[finding.filename].append(finding)
    wanted = {file: broken for file, broken in rows.items() if file.partition("/")[0] in packages}
    return [
        site for file, broken in wanted.items() for site in sites_of(file, broken, by_file.get(str(folder / file), ()))
    ]


def fix(folder: Path, packages: list[str], out: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Fix copies of the packages; the files that changed by version, and what went wrong."""
    changed: dict[str, list[str]] = {}
    errors: list[str] = []
    for version in VERSIONS:
        for package in packages:
            shutil.copytree(folder / package, out / version / package, dirs_exist_ok=True)
        if version != "before":
            paths = [str(out / version / package) for package in packages]
            errors += run(paths, Settings(), Mode(fix=True, unsafe=version == "all", write=True)).errors
        files = [
            path.relative_to(out / version) for package in packages for path in (out / version / package).rglob("*.py")
        ]
        changed[version] = sorted(
            str(file) for file in files if not filecmp.cmp(folder / file, out / version / file, shallow=False)
        )
    return changed, errors


def observe(out: Path, version: str, files: list[str]) -> dict[str, Any]:
    """Which of the files import, and what the cases do, in one version."""
    command = [sys.executable, str(WORKER), str(out), version, json.dumps(files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    if line is None:
        raise SystemExit(f"{WORKER.name} {version}: {done.stderr}")
    result: dict[str, Any] = json.loads(line.removeprefix("RESULT "))
    return result


def main() -> None:
    """Check the packages, fix and run them when asked to, print and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--packages", nargs="+", required=True)
    parser.add_argument("--labels", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = sites(options.folder, options.packages, labelled_rows(options.labels))
    figures: dict[str, Any] = {}
    if options.fix:
        changed, errors = fix(options.folder, options.packages, options.out)
        touched = sorted({file for files in changed.values() for file in files})
        seen = {version: observe(options.out, version, touched) for version in VERSIONS}
        for file in {site.file for site in found} & set(seen["before"]["rows"]):
            texts = {version: (options.out / version / file).read_text("utf-8") for version in VERSIONS}
            rows = {version: set(seen[version]["rows"][file]) for version in VERSIONS}
            judge([site for site in found if site.file == file], texts, rows)
        figures = {
            "files_changed": {version: len(files) for version, files in changed.items()},
            "errors": errors,
            "imported": sum(not error for error in seen["before"]["imports"].values()),
            "no_longer_import": [
                file
                for file, error in seen["before"]["imports"].items()
                if not error and any(seen[version]["imports"][file] for version in VERSIONS)
            ],
            "differing": {version: seen[version]["differing"] for version in VERSIONS},
        }
    figures |= {
        "packages": options.packages,
        "sites": shares(found),
        "by_rule": table(found),
        "rows": [
            {k: v for k, v in asdict(site).items() if k not in ("measured", "removed")} | {"state": site.state}
            for site in found
        ],
    }
    text = json.dumps(figures, indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
