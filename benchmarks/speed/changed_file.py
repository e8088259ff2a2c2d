"""The CPU time of `breaklint check` after a change of one file, and of the editor after a keystroke in it.

    python benchmarks/speed/changed_file.py /path/to/transformers models/bert/modeling_bert.py

Works on a copy of the package in a temporary folder, which is checked once to fill the cache. Then it is checked
without a change, and after a new statement in the last method of each file. The editor's time is that of its own check
of the text; it excludes the pause in which it waits for more keystrokes. breaklint is compiled first, as an installer
does: else every process would compile it if PYTHONDONTWRITEBYTECODE is set.
"""

from __future__ import annotations

import argparse
import compileall
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from breaklint.editor.documents import Document, Surroundings
from breaklint.model import Settings

RUNS = 5
PACKAGE = Path(__file__).resolve().parents[2] / "breaklint"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path)
    parser.add_argument("files", nargs="+", help="paths of files in the package")
    parsed = parser.parse_args()
    compileall.compile_dir(PACKAGE, quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, parsed.package.name)
        shutil.copytree(parsed.package, package, ignore=shutil.ignore_patterns("__pycache__"))
        print(f"empty cache          {_check(package):6.2f} s")
        _show("nothing changed", [_check(package) for _ in range(RUNS)])
        for file in parsed.files:
            path = package / file
            text = path.read_text(encoding="utf-8")
            _show(f"editor, {path.name} ({text.count(chr(10))} lines)", _keystrokes(path, text))
            times = []
            for number in range(RUNS):
                path.write_text(_changed(text, number), encoding="utf-8")
                time.sleep(0.1)  # else the file may change again within one tick of its clock
                times.append(_check(package))
            _show(f"check, {path.name}", times)


def _check(package: Path) -> float:
    """The CPU time of a check of a package."""
    command = [sys.executable, "-m", "breaklint", "check", package.name]
    before = _children()
    subprocess.run(command, cwd=package.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return _children() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _keystrokes(path: Path, text: str) -> list[float]:
    """The CPU times of the editor's checks of a text after it was opened."""
    around = Surroundings(Settings(), [str(path.parent)])
    times = []
    for number in range(RUNS + 1):
        start = time.process_time()
        Document(path.as_uri(), str(path), _changed(text, number), around).report()
        times.append(time.process_time() - start)
    return times[1:]


def _changed(text: str, number: int) -> str:
    """The text with a new statement before the last `return` of a method."""
    place = text.rindex("\n        return ")
    return f"{text[:place]}\n        number = {number}{text[place:]}"


def _show(name: str, times: list[float]) -> None:
    print(f"{name:60} median {statistics.median(times):.2f} s ({', '.join(f'{item:.2f}' for item in times)})")


if __name__ == "__main__":
    main()
