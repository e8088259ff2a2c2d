"""What torch itself says about its functions, one column a torch version.

    python scripts/torch_facts.py --out facts-2.11.json          in an environment with torch (nothing else is needed)
    python scripts/torch_facts.py --merge facts-2.11.json ...    adds the columns to breaklint/torchops/facts.json

Nothing is written by hand: every public function and Tensor method is called on small tensors (arguments come from
its ATen schemas), once for real, to see what comes out, and once on fake tensors, to see whether the result depends
on data, and what it does to memory and the random state. Parameters come from torch's stubs, schemas and annotations,
the attributes of modules from instances. Every public callable of the libraries models use is given to Dynamo, to see
what it skips.
A row is a string, or a mapping from version to string where the versions differ; `breaklint/torchops/facts.py` reads
it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
COMMITTED = HERE.parent / "breaklint" / "torchops" / "facts.json"
SIGNATURES = COMMITTED.with_name("signatures.json")  # read by the runs that ask for one
Column = dict[str, dict[str, Any]]


def collect(only: Collection[str]) -> tuple[str, Column]:
    """The installed torch's short version (`2.13`) and its column of facts, or these sections of it."""
    sys.path.insert(0, str(HERE))
    import torch
    from torch_probe import dynamo, modules, names, operators, signatures

    torch.set_num_threads(1)
    version = ".".join(torch.__version__.split(".")[:2])
    sections: dict[str, Callable[[], dict[str, Any]]] = {
        "functions": operators.functions,
        "methods": operators.methods,
        "attributes": operators.attributes,
        "modules": modules.modules,
        "module_attributes": names.module_attributes,
        "module_methods": names.module_methods,
        "constants": names.constants,
        "tensor_types": names.tensor_types,
        "named_results": names.named_results,
        "skipped": dynamo.skipped,
        "graph_breaks": dynamo.graph_breaks,
        "config": dynamo.config,
        "function_signatures": signatures.functions,
        "method_signatures": signatures.methods,
    }
    return version, {name: asked() for name, asked in sections.items() if not only or name in only}


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
    parser.add_argument("--sections", nargs="+", default=[], help="collect these sections alone, the others stay")
    options = parser.parse_args()
    columns: dict[str, Column] = {}
    committed = [] if options.out else [path for path in (COMMITTED, SIGNATURES) if path.exists()]
    for path in [*committed, *(options.merge or [])]:
        add(columns, split(json.loads(path.read_text())))
    if not options.merge:
        add(columns, dict([collect(options.sections)]))
    table = join(columns)
    if options.out:
        options.out.write_text(dump(table))
        return
    large = {name: table.pop(name) for name in list(table) if name.endswith("_signatures")}
    COMMITTED.write_text(dump(table))
    SIGNATURES.write_text(dump({"versions": table["versions"], **large}))


def add(columns: dict[str, Column], more: dict[str, Column]) -> None:
    """Put the sections of more columns in place of those that are there."""
    for version, sections in more.items():
        columns.setdefault(version, {}).update(sections)


if __name__ == "__main__":
    main()
