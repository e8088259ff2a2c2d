"""A survey of a library's models: what Dynamo makes of a random sample of them, as they are and after all fixes.

    python benchmarks/accuracy/survey.py --seed 33 --models 200 --results R.jsonl
    python benchmarks/accuracy/survey.py --seed 33 --models 200 --of R.jsonl --library-folder FIXED --results A.jsonl

It observes the first so many of the library's model classes in the seed's order, in portions, and can be stopped and
resumed; Python must have torch and the library. FIXED is a folder with a copy of the library that fixes have changed:
it is imported from there. `--of R.jsonl` takes of the sample only what was not whole there, or lies in a file that the
fixes changed. `survey_page.py` writes the page.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from breaklint.observe.library import package_of, read  # noqa: E402
from breaklint.verify.targets.libraries import models_of  # noqa: E402


def main() -> int:
    """Observe the sample, or what is left of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="transformers")
    parser.add_argument("--library-folder", type=Path)
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--budget", type=float, default=90)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--portion", type=int, default=12, help="how many models are observed by one command")
    parser.add_argument(
        "--of", type=Path, help="only models of these results, but those that were whole in files as they were"
    )
    parser.add_argument("--results", type=Path, required=True)
    given = parser.parse_args()
    names = sample(given.library, given.seed, given.models)
    if given.of:
        kept = worth_another_run(given.library, given.of, given.library_folder)
        names = [name for name in names if name in kept]
    profile = given.results.with_suffix(".profile.json")
    path = [str(PROJECT), *([str(given.library_folder)] if given.library_folder else []), os.environ.get("PYTHONPATH")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    end = time.monotonic() + 60 * given.minutes
    known = {each.model for each in read(given.results)}
    left = [name for name in names if name not in known]
    for start in range(0, len(left), given.portion):
        if time.monotonic() > end:
            break
        command = [
            *(sys.executable, "-m", "breaklint", "observe", "--isolated", "--library", given.library),
            *(
                "--models",
                ",".join(left[start : start + given.portion]),
                "--results",
                str(given.results),
                "--out",
                str(profile),
            ),
            *("--budget", str(given.budget), "-j", str(given.jobs)),
        ]
        subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL)
    return 0


def sample(library: str, seed: int, number: int) -> list[str]:
    """The first of all public models in an order that the seed decides."""
    names = [name for _, name in models_of(library, package_of(library), ["*"])]
    random.Random(seed).shuffle(names)
    return names[:number]


def worth_another_run(library: str, results: Path, fixed: Path | None) -> set[str]:
    """The models that were not whole in every mode, or whose file the fixes changed."""
    package = package_of(library)
    places = {name: Path(*module.split(".")).with_suffix(".py") for module, name in models_of(library, package, ["*"])}

    def changed(name: str) -> bool:
        return fixed is None or (package.parent / places[name]).read_bytes() != (fixed / places[name]).read_bytes()

    known = [each for each in read(results) if each.mode]
    return {each.model for each in known if each.state != "whole" or changed(each.model)}


if __name__ == "__main__":
    sys.exit(main())
