"""What check and the fixes do to models of real libraries, built from configs, without weights.

    python benchmarks/models/real_models.py WORK [--cases real_cases/NAME.py ...] [--only CASE ...] [--out RESULTS]
    python benchmarks/models/real_models.py WORK --pack FOLDER    # the fixed copies, for verify on another machine

A case file names what to install (REQUIREMENTS, without dependencies, below WORK), whose code is fixed (PACKAGES), and
has functions `case_…` that give a model and the arguments of a call. Every case runs on the library as it is, on a
copy with the safe fixes, on one with all, and on one with all and `capture-options = true`. What was measured stays in
WORK: a run that was ended goes on where it was, and after a change of breaklint only the cases are run again whose
files come out differently. real_models_pack.py says how a packed copy is verified.
"""

from __future__ import annotations

import argparse
import ast
import filecmp
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from real_models_pack import pack
from real_models_table import markdown, summary

from breaklint.lint.run import Mode, run
from breaklint.model import Effect, Settings

HERE = Path(__file__).resolve().parent
WORKER = HERE / "real_models_worker.py"
MEASURING = (WORKER, *sorted((HERE.parents[1] / "breaklint/verify/arm").glob("*.py")))
FIXED = {"safe": Settings(), "all": Settings(), "options": Settings(capture_options=True)}
Row = dict[str, Any]


class Library:
    """The libraries of a case file in a folder: as they are, and with fixes."""

    def __init__(self, cases: Path, work: Path, seconds: float) -> None:
        self.cases, self.folder, self.seconds = cases, work / cases.stem, seconds
        self.module = load(cases)
        self.original = self.folder / "original"
        self.names = [name for name in vars(self.module) if name.startswith("case_")]

    def install(self) -> None:
        """Install what the cases need, unless it is there."""
        if not self.original.exists():
            part = self.folder / "part"
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(part)]
            subprocess.run([*pip, *self.module.REQUIREMENTS], check=True)
            part.rename(self.original)

    def measured(self, case: str, version: str) -> Row:
        """What the worker tells of a case in a version, from an earlier run where nothing has changed since."""
        key = self.key(case, version)
        kept = self.folder / "rows" / f"{case}-{key}.json"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(self.worked(case, version)), "utf-8")
        row: Row = json.loads(kept.read_text("utf-8"))
        return row

    def key(self, case: str, version: str) -> str:
        """A digest of the case, of what measures it and of the changed files that it imports: equal for equal work."""
        parts = ast.parse(self.cases.read_text("utf-8")).body
        others = [part for part in parts if getattr(part, "name", "") in self.names and part.name != f"case_{case}"]
        digest = hashlib.sha256("".join(ast.dump(part) for part in parts if part not in others).encode())
        for path in MEASURING:
            digest.update(path.read_bytes())
        if version != "original":
            for name in self.measured(case, "original")["files"]:
                fixed = self.folder / version / name
                if fixed.exists() and not filecmp.cmp(fixed, self.original / name, shallow=False):
                    digest.update(name.encode() + fixed.read_bytes())
        return digest.hexdigest()[:16]

    def worked(self, case: str, version: str) -> Row:
        """Run a case in a process of its own."""
        print(f"{self.cases.stem} {case} {version}", flush=True)
        told = self.folder / "told.json"
        told.unlink(missing_ok=True)
        error = self.worker(version, "case", case, str(told))
        if told.exists():
            row: Row = json.loads(told.read_text("utf-8"))
            return row
        return {"error": error or "no answer", "files": [], "breaks": [], "graphs": 0}

    def worker(self, version: str, *arguments: str) -> str:
        """Run the worker on a version; why it failed, "" where it did not."""
        paths = [str(self.folder / version), str(self.original), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "HF_HUB_OFFLINE": "1"}
        environment["PYTHONHASHSEED"] = "0"  # a model may keep the hash of a text
        command = [sys.executable, str(WORKER), str(self.cases), str(self.folder), version, *arguments]
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=self.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return f"took more than {self.seconds:.0f} s"
        lines = done.stderr.strip().splitlines()
        return (lines[-1] if lines else f"exit status {done.returncode}") if done.returncode else ""

    def fix(self, files: list[str]) -> list[str]:
        """Fix the files in copies of the packages, unless this breaklint has done so; what went wrong."""
        done, key = self.folder / "fixed.json", breaklint_key(files)
        if done.exists() and (kept := json.loads(done.read_text("utf-8")))["key"] == key:
            return list(kept["errors"])
        errors: list[str] = []
        for version, settings in FIXED.items():
            for package in self.module.PACKAGES:
                place = self.folder / version / package
                shutil.rmtree(place, ignore_errors=True)
                shutil.copytree(self.original / package, place, ignore=shutil.ignore_patterns("__pycache__"))
            mode = Mode(fix=True, unsafe=version != "safe", write=True)
            errors += run([str(self.folder / version / name) for name in files], settings, mode).errors
        done.write_text(json.dumps({"key": key, "errors": errors}), "utf-8")
        return errors

    def changed(self) -> list[str]:
        """The files that a fix changed."""
        names = set()
        for version in FIXED:
            for path in (self.folder / version).rglob("*.py"):
                name = str(path.relative_to(self.folder / version))
                if not filecmp.cmp(path, self.original / name, shallow=False):
                    names.add(name)
        return sorted(names)

    def imports(self, changed: list[str]) -> dict[str, dict[str, str]]:
        """Why changed files do not import, by version."""
        told = self.folder / "imports.json"
        found = {}
        for version in ("original", *FIXED):
            error = self.worker(version, "imports", json.dumps(changed), str(told))
            found[version] = {"the worker": error} if error else json.loads(told.read_text("utf-8"))
        return found

    def lines(self, files: list[str]) -> dict[str, list[tuple[int, int, str, str]]]:
        """Where check finds breaks in the files: first and last row, code, and the fix or why there is none."""
        found: dict[str, list[tuple[int, int, str, str]]] = {}
        for finding in run([str(self.original / name) for name in files], Settings()).findings:
            if finding.effect is Effect.BREAK:
                fix = finding.fix.applicability.value if finding.fix else f"none: {finding.no_fix}"
                place = (finding.span.start.row, finding.span.end.row, finding.code, fix)
                found.setdefault(str(Path(finding.filename).relative_to(self.original)), []).append(place)
        return found

    def statement(self, name: str, row: int) -> tuple[int, int]:
        """First and last row of the innermost statement around a row of a file, without the statements in it."""
        path, found = self.original / name, (row, row)
        tree = ast.parse(path.read_text("utf-8")) if path.exists() else ast.Module([], [])
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and node.lineno <= row <= (node.end_lineno or row):
                body = getattr(node, "body", None) or []
                last = body[0].lineno - 1 if body else node.end_lineno or row
                found = (node.lineno, last) if row <= last else found
        return found


def load(path: Path) -> ModuleType:
    """The module of a case file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def breaklint_key(files: list[str]) -> str:
    """A digest of breaklint as it is, and of the files that it is asked to fix."""
    digest = hashlib.sha256(json.dumps(files).encode())
    for folder in ("breaklint", "rules"):
        for path in sorted((HERE.parents[1] / folder).rglob("*")):
            if path.suffix in (".py", ".yaml", ".json"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def measure(library: Library, only: list[str]) -> dict[str, Any]:
    """All cases of a file in all versions."""
    library.install()
    names = [name.removeprefix("case_") for name in library.names]
    names = [name for name in names if not only or name in only]
    before = {name: library.measured(name, "original") for name in names}
    own = tuple(f"{package}/" for package in library.module.PACKAGES)
    files = sorted({file for row in before.values() for file in row["files"] if file.startswith(own)})
    errors, lines = library.fix(files), library.lines(files)
    rows = []
    for name in names:
        row = {"case": name, "original": before[name]}
        for version in FIXED:
            row[version] = library.measured(name, version)
        for broken in before[name]["breaks"]:
            first, last = library.statement(broken["file"], broken["row"])
            found = lines.get(broken["file"], [])
            broken["findings"] = [each[2:] for each in found if each[0] <= last and first <= each[1]]
        for version in ("original", *FIXED):
            row[version] = {key: value for key, value in row[version].items() if key != "files"}
        rows.append(row)
    changed = library.changed()
    imported = library.imports(changed)
    good = [file for file, error in imported["original"].items() if not error]
    lost = [file for file in good if any(imported[version].get(file) for version in FIXED)]
    return {
        "cases": library.cases.stem, "requirements": library.module.REQUIREMENTS, "rows": rows, "errors": errors,
        "files_changed": len(changed), "files_imported": len(good), "no_longer_import": lost, "summary": summary(rows),
    }  # fmt: skip


def main() -> None:
    """Measure, print the table and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--cases", type=Path, nargs="+", default=sorted((HERE / "real_cases").glob("*.py")))
    parser.add_argument("--only", nargs="+", default=[], help="names of cases, without `case_`")
    parser.add_argument("--seconds", type=float, default=400, help="for one run of one case")
    parser.add_argument("--out", type=Path, help="writes OUT.json and OUT.md")
    parser.add_argument("--pack", type=Path, help="writes FOLDER/NAME.tar.gz for every case file")
    parser.add_argument("--packed", choices=list(FIXED), default="all", help="the fixes of the copy that is packed")
    options = parser.parse_args()
    libraries = [Library(path.resolve(), options.work.resolve(), options.seconds) for path in options.cases]
    results = [measure(library, options.only) for library in libraries]
    print(markdown(results))
    for library in libraries if options.pack else ():
        print(
            pack(
                library.cases, library.folder, library.module.PACKAGES, library.changed(), options.pack, options.packed
            )
        )
    if options.out:
        options.out.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
        options.out.with_suffix(".md").write_text(markdown(results), "utf-8")


if __name__ == "__main__":
    main()
