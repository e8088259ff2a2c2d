"""The breaks that the fixes leave in real models, fixed by hand: whether it can be done, and whether results are equal.

    python benchmarks/models/real_by_hand.py WORK [--only CASE ...] [--out RESULTS.json]

WORK is the folder of real_models.py, which has to have run. by_hand/NAME.diff is applied to a copy of the libraries of
real_cases/NAME.py, and the cases of by_hand/NAME.py are run on it, beside what was recorded of the original: outputs
without compiling and compiled, gradients and state.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from real_models import HERE, Library


def tried(library: Library, case: str) -> dict[str, Any]:
    """What a case does on the copy fixed by hand. What the caller gives besides is no difference."""
    row = library.worked(case, "hand")
    told, given = row.get("differing", []), (".inputs", ".gradients.input")
    new = [each for each in told if each.startswith(given) and each.endswith(" is new")]
    differing = [each for each in told if each not in new]
    return {
        "cases": library.cases.stem, "case": case, "breaks": row["graphs"] - 1, "error": row["error"],
        "fullgraph": row.get("fullgraph"), "differing": differing + row.get("differing_compiled", []), "given": new,
    }  # fmt: skip


def fixed(library: Library) -> None:
    """Copy the libraries, and apply the diff."""
    place = library.folder / "hand"
    shutil.rmtree(place, ignore_errors=True)
    for package in library.module.PACKAGES:
        shutil.copytree(library.original / package, place / package, ignore=shutil.ignore_patterns("__pycache__"))
    diff = library.cases.with_suffix(".diff")
    subprocess.run(["patch", "--quiet", "-p0", "-i", str(diff)], cwd=place, check=True)


def main() -> None:
    """Fix, run, print and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", nargs="+", default=[], help="names of cases, without `case_`")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for path in sorted((HERE / "by_hand").glob("*.py")):
        library = Library(path, options.work.resolve(), 400)
        fixed(library)
        names = sorted(name.removeprefix("case_") for name in library.names)
        for name in names:
            if not options.only or name in options.only:
                rows.append(row := tried(library, name))
                whole = row["breaks"] == 0 and row["fullgraph"] == "" and not row["error"]
                print(name, "one graph" if whole else row["error"] or row["breaks"], row["differing"], flush=True)
            if options.out:
                options.out.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
