"""What torch itself says about its functions, one column a torch version.

    python scripts/torch_facts.py --out facts-2.11.json          in an environment with torch (nothing else is needed)
    python scripts/torch_facts.py --merge facts-2.11.json ...    adds the columns to breaklint/torchops/facts.json

Nothing is written by hand: every public function and Tensor method is called on small tensors (arguments come from
its ATen schemas), once for real, to see what comes out, and once on fake tensors, to see whether the result depends
on data. Every public callable of the libraries models use is given to Dynamo, to see what it skips.
A row is a string, or a mapping from version to string where the versions differ; `breaklint/torchops/facts.py` reads
it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
COMMITTED = HERE.parent / "breaklint" / "torchops" / "facts.json"
Column = dict[str, dict[str, Any]]


def collect() -> tuple[str, Column]:
    """The installed torch's short version (`2.13`) and its column of facts."""
    sys.path.insert(0, str(HERE))
    import torch
    from torch_probe import dynamo, modules, operators

    torch.set_num_threads(1)
    version = ".".join(torch.__version__.split(".")[:2])
    column = {
        "functions": operators.functions(),
        "methods": operators.methods(),
        "attributes": operators.attributes(),
        "modules": modules.modules(),
        "skipped": dynamo.skipped(),
        "graph_breaks": dynamo.graph_breaks(),
        "config": dynamo.config(),
    }
    return version, column


def split(table: Column) -> dict[str, Column]:
    """A committed table as one column a version."""
    versions = list(table.get("versions", {}))
    columns: dict[str, Column] = {version: {} for version in versions}
    for section, rows in table.items():
        if section == "versions":
            continue
        for version in versions:
            picked = {key: row.get(version) if isinstance(row, dict) else row for key, row in rows.items()}
            columns[version][section] = {key: row for key, row in picked.items() if row is not None}
    return columns


def join(columns: dict[str, Column]) -> Column:
    """One table of all columns: a row is written once when every version agrees."""
    table: Column = {"versions": dict.fromkeys(sorted(columns, key=release), "")}
    for section in sorted({name for column in columns.values() for name in column}):
        rows = {key for column in columns.values() for key in column.get(section, {})}
        table[section] = {key: joined_row(columns, section, key) for key in sorted(rows)}
    return table


def joined_row(columns: dict[str, Column], section: str, key: str) -> Any:
    """The row's value when all versions have the same, else a mapping from version to value."""
    values = {version: column.get(section, {}).get(key) for version, column in columns.items()}
    if len({json.dumps(value) for value in values.values()}) == 1:
        return next(iter(values.values()))
    return {version: values[version] for version in sorted(values, key=release) if values[version] is not None}


def release(version: str) -> tuple[int, ...]:
    """`2.13` as numbers, so that it sorts after `2.9`."""
    return tuple(int(part) for part in version.split("."))


def dump(table: Column) -> str:
    """JSON with one row a line."""
    sections = []
    for section, rows in table.items():
        lines = [f"{json.dumps(key)}:{json.dumps(row, separators=(',', ':'))}" for key, row in rows.items()]
        sections.append(f"{json.dumps(section)}:{{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> None:
    """Collect, merge and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the installed torch's column alone to this file")
    parser.add_argument("--merge", type=Path, nargs="+", help="add the columns of these files to the committed table")
    options = parser.parse_args()
    columns: dict[str, Column] = {}
    sources = [path for path in [COMMITTED, *(options.merge or [])] if path.exists()]
    if not options.out:
        for path in sources:
            columns |= split(json.loads(path.read_text()))
    if not options.merge:
        columns |= [collect()]
    (options.out or COMMITTED).write_text(dump(join(columns)))


if __name__ == "__main__":
    main()
