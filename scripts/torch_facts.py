"""Facts about torch's functions, measured on torch, one column per version.

    python scripts/torch_facts.py --out facts-2.11.json          in an environment with torch (nothing else is needed)
    python scripts/torch_facts.py --merge facts-2.11.json ...    adds the columns to the tables in breaklint/torchops

Nothing is written by hand: every public function and Tensor method is called on small tensors (arguments come from
its ATen schemas), once on real tensors, for its result, and once on fake tensors, for data dependence and effects on
memory and the random state. Parameters come from torch's stubs, schemas and annotations,
the attributes of modules from instances. Every public callable of the libraries that models use is traced by Dynamo, to
find those that it skips.
A row is a string. `facts.json` and `signatures.json` contain the rows of the newest version, `facts-2.11.json` the rows
in which an older one differs; `breaklint/torchops/tables.py` reads them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TABLES = HERE.parent / "breaklint" / "torchops"
Column = dict[str, dict[str, str]]
FILES = ("facts", "signatures", "api")  # the last two are read by the runs that ask for them
API = ("options", "names")
SECTIONS = {**dict.fromkeys(("function_signatures", "method_signatures"), "signatures"), **dict.fromkeys(API, "api")}


def collect(only: Collection[str]) -> tuple[str, Column]:
    """The installed torch's short version (`2.13`) and its column of facts, or these sections of it."""
    sys.path.insert(0, str(HERE))
    import torch
    from torch_probe import constructs, dynamo, modules, names, operators, refused, signatures, sizes, static, uses

    torch.set_num_threads(1)
    version, home = ".".join(torch.__version__.split(".")[:2]), Path(torch.__file__).parent
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
        "constructs": constructs.constructs,
        "sizes": sizes.sizes,
        "numbers": sizes.numbers,
        "uses": uses.uses,
        "makers": uses.makers,
        "packages": uses.packages,
        "refused": refused.refused,
        "options": lambda: static.options(home),
        "names": lambda: static.names(home),
        "function_signatures": signatures.functions,
        "method_signatures": signatures.methods,
    }
    collected = {name: section() for name, section in sections.items() if not only or name in only}
    return version, {name: rows for name, rows in collected.items() if rows}  # none without the packages


def committed() -> dict[str, Column]:
    """The tables as one column a version."""
    if not (TABLES / "facts.json").exists():
        return {}
    newest = {section: rows for name in FILES for section, rows in load(TABLES / f"{name}.json").items()}
    *older, last = newest.pop("versions")
    unmeasured = newest.pop("unmeasured", {})
    columns = {version: overlaid(newest, differing(version)) for version in older}
    columns[last] = overlaid(newest, {})
    for section, versions in unmeasured.items():
        for version in versions.split(" "):
            del columns[version][section]
    return columns


def differing(version: str) -> Column:
    """The rows of an older version that are not the newest one's."""
    return {**load(TABLES / f"facts-{version}.json"), **load(TABLES / f"api-{version}.json")}


def load(path: Path) -> Column:
    """A table of rows."""
    table: Column = json.loads(path.read_text())
    return table


def overlaid(newest: Column, differences: Column) -> Column:
    """The column of which these are the differences to the newest, without empty rows."""
    return {
        section: {key: row for key, row in {**rows, **differences.get(section, {})}.items() if row}
        for section, rows in newest.items()
    }


def tables(columns: dict[str, Column]) -> dict[str, Column]:
    """Every file by name: the newest column whole, and the differing rows of the others."""
    *older, last = sorted(columns, key=release)
    keys: Column = {}
    for column in columns.values():
        for section, rows in column.items():
            keys.setdefault(section, {}).update(dict.fromkeys(rows, ""))
    newest = {section: columns[last].get(section, {}) for section in sorted(keys)}
    whole = {section: {key: rows.get(key, "") for key in sorted(keys[section])} for section, rows in newest.items()}
    unmeasured = {
        section: " ".join(of for of in (*older, last) if section not in columns[of]) for section in sorted(keys)
    }
    header: Column = {"versions": dict.fromkeys([*older, last], "")}
    header["unmeasured"] = {section: versions for section, versions in unmeasured.items() if versions}
    files: dict[str, Column] = {"facts": header, "signatures": {}, "api": {}}
    for section, rows in whole.items():
        files[SECTIONS.get(section, "facts")][section] = rows
    for version in older:
        files[f"facts-{version}"], files[f"api-{version}"] = {}, {}
        for section, rows in whole.items():
            if section in columns[version] and (differing := differences(columns[version][section], rows)):
                files[f"api-{version}" if section in API else f"facts-{version}"][section] = differing
    return files


def differences(rows: dict[str, str], newest: dict[str, str]) -> dict[str, str]:
    """The rows that are not the newest version's; an empty one is missing."""
    return {key: rows.get(key, "") for key, row in newest.items() if rows.get(key, "") != row}


def release(version: str) -> tuple[int, ...]:
    """`2.13` as numbers, so that it sorts after `2.9`."""
    return tuple(int(part) for part in version.split("."))


def dump(table: Column) -> str:
    """JSON with one row per line."""
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
    columns = {} if options.out else committed()
    for path in options.merge or []:
        table = load(path)
        versions = table.pop("versions")
        add(columns, dict.fromkeys(versions, table))
    if not options.merge:
        version, column = collect(options.sections)
        if options.out:
            options.out.write_text(dump({"versions": {version: ""}, **column}))
            return
        add(columns, {version: column})
    for name, table in tables(columns).items():
        (TABLES / f"{name}.json").write_text(dump(table))


def add(columns: dict[str, Column], more: dict[str, Column]) -> None:
    """Put the sections of more columns in place of those that are there."""
    for version, sections in more.items():
        columns.setdefault(version, {}).update(sections)


if __name__ == "__main__":
    main()
