"""The libraries of a case file with all fixes, packed for a machine with a GPU that needs no LibCST and no network.

    python benchmarks/models/real_models.py WORK --cases benchmarks/models/real_cases/graphmend_table.py --pack PACKED
    tar -xzf PACKED/graphmend_table.tar.gz && cd graphmend_table/site-packages
    breaklint verify full_size.py:case_bart_half --before ../before --mode reduce-overhead

`site-packages` has the fixed copies, what they need, the cases (cases.py) and, where real_sizes has a file of the same
name, the models at the sizes in which they are published (full_size.py). `before` has the originals of the files that
the fixes change. In a folder of that name a library is imported once, and not again for every run.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable
from pathlib import Path

SIZES = Path(__file__).resolve().parent / "real_sizes"


def pack(
    cases: Path, folder: Path, packages: list[str], changed: Iterable[str], place: Path, version: str = "all"
) -> Path:
    """Write the archive; its path.

    Args:
        cases: the case file.
        folder: its copies of the libraries, `original` and the one that is packed.
        packages: those that are fixed.
        changed: the files that the fixes change, relative to either copy.
        place: where to write; made if it is missing.
        version: which fixes the packed copy has.
    """
    place.mkdir(parents=True, exist_ok=True)
    archive, original = place / f"{cases.stem}.tar.gz", folder / "original"
    with tarfile.open(archive, "w:gz") as packed:

        def add(path: Path, name: str) -> None:
            packed.add(path.resolve(), f"{cases.stem}/{name}", filter=_sources)

        for entry in sorted(original.iterdir()):
            fixed = folder / version / entry.name
            if entry.name in packages or not (entry.name == "bin" or _is_for_one_python(entry)):
                add(fixed if entry.name in packages else entry, f"site-packages/{entry.name}")
        add(cases, "site-packages/cases.py")
        if (SIZES / cases.name).exists():
            add(SIZES / cases.name, "site-packages/full_size.py")
        for name in changed:
            add(original / name, f"before/{name}")
    return archive


def _is_for_one_python(entry: Path) -> bool:
    """Whether a package is compiled for this version of Python, so that the other machine must have its own."""
    return any(".cpython-" in path.name for path in entry.rglob("*.so"))


def _sources(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in member.name else member
