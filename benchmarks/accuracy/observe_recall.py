"""What `breaklint observe` sees of an exam's cases, against their labels: the share of breaks that check finds with it.

    python benchmarks/accuracy/exam.py run CASES.py --libraries DIR --labels LABELS.jsonl
    python benchmarks/accuracy/observe_recall.py CASES.py --libraries DIR --labels LABELS.jsonl

Every case is called as it is (functions compiled), once in eager and once in training mode, in a process that is
observed. Told are the rows that broke by the labels, how many of them check finds alone, the profile alone, and both,
and replays that failed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Observe and count, or (with `--call`) call the cases in this process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--libraries", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--budget", type=float, default=20)
    parser.add_argument("--call", action="store_true")
    given = parser.parse_args()
    if given.call:
        call_all(given.cases)
        return 0
    libraries = given.libraries.resolve()
    broken = {
        (each["file"], broken["line"])
        for each in map(json.loads, given.labels.read_text().splitlines())
        for broken in each["breaks"]
    }
    packages = {libraries / name.split("/")[0] for name, _ in broken}
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "observed.json")
        folders = [*packages, given.cases.resolve().parent]  # a case may be a module that calls the library's functions
        own = [part for folder in folders for part in ("--own-paths", str(folder))]
        caller = [sys.executable, __file__, str(given.cases.resolve()), "--call"]
        command = [
            sys.executable,
            "-m",
            "breaklint",
            "observe",
            "--isolated",
            "--out",
            str(profile),
            *("--budget", str(given.budget)),
            *own,
            "--",
            *caller,
        ]
        began = time.monotonic()
        subprocess.run(caller, env=environment(libraries), check=True, capture_output=True)
        plain, began = time.monotonic() - began, time.monotonic()
        done = subprocess.run(command, env=environment(libraries), check=False, capture_output=True, text=True)
        observed = time.monotonic() - began
        names = sorted({str(libraries / name) for name, _ in broken})
        found = checked(names, Path(folder, "none.json"), libraries)
        joined = checked(names, profile, libraries)
    print(done.stderr[-6000:])
    seen = {place for place, code, state in joined if state == "confirmed"}
    alone = {place for place, _, _ in found}
    print(f"plain {plain:.0f} s, observed {observed:.0f} s")
    for name, rows in (("check", alone), ("observed", seen), ("both", alone | seen)):
        print(f"{name}: {len(broken & rows)} of {len(broken)} rows: {len(broken & rows) / len(broken):.3f}")
    for place in sorted(broken - seen - alone):
        print("missed by both", *place)
    return 0


def environment(libraries: Path) -> dict[str, str]:
    """The environment in which breaklint, the cases' helpers, the libraries and what they need are found."""
    before = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    folders = dict.fromkeys([str(PROJECT), str(Path(__file__).parent.resolve()), str(libraries), *before])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}


def checked(names: list[str], profile: Path, libraries: Path) -> list[tuple[tuple[str, int], str, str]]:
    """Place, code and state of every break that check tells of these files."""
    if not profile.exists():
        profile.write_text('{"format": 1, "files": {}, "entries": {}}')
    options = [
        "--isolated",
        "--target-torch",
        "2.13",
        "--output-format",
        "json",
        "--profile",
        str(profile),
        "--no-cache",
    ]
    command = [sys.executable, "-m", "breaklint", "check", *options, *names]
    done = subprocess.run(command, env=environment(libraries), check=False, capture_output=True, text=True)
    found = [each for each in json.loads(done.stdout) if each["effect"] == "break"]
    return [
        (
            (str(Path(each["filename"]).relative_to(libraries)), row),
            each["code"],
            (each["observed"] or {}).get("state", ""),
        )
        for each in found
        for row in range(each["location"]["row"], each["end_location"]["row"] + 1)
    ]


def call_all(path: Path) -> None:
    """Call every case, plainly."""
    import torch

    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    cases = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cases)
    torch.set_num_threads(1)
    for name in [name for name in vars(cases) if name.startswith("case_")]:
        for training in (False, True):
            try:
                torch.manual_seed(0)
                model, args, *rest = getattr(cases, name)()
                if isinstance(model, torch.nn.Module):
                    model.train(training)
                else:  # a function is only looked at where it is compiled
                    model = torch.compile(model, backend="eager")
                with torch.set_grad_enabled(training):
                    model(*args, **(rest[0] if rest else {}))
            except Exception as error:  # noqa: BLE001 - a case whose library is not there
                print(name, type(error).__name__, error)


if __name__ == "__main__":
    sys.exit(main())
